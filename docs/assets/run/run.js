// run.js: リストをページの中で動かす。▶ を押すと book.js が読み込み、bookPage.run(ボタン) を呼ぶ。
// プログラムは、ページを止めずに終わらせることのできる Worker の中で動く。
// 書き換える欄 (editor.js) も、ここの道具を使う。欄を開いている間は、Run の edit が、動かすものを決める。
{
	const here = new URL(".", document.currentScript.src),
		SECONDS = 60, // これだけ終わらないと止める
		HIDDEN = ["--seed", "--hot", "--repeat"], // 測定のための指定は、欄にしない
		FIRST = { "--n": "1048576" }, // 初めの値。ほかは、プログラムの決めた値
		Background = () => globalThis.BrowserWorker ?? globalThis.Worker, // 本物の Worker
		programs = new Map(); // data-run → Promise<プログラム>

	const script = (name) =>
		new Promise((ok, no) => {
			const s = document.createElement("script");
			s.src = new URL(name, here);
			s.onload = ok;
			s.onerror = () => no(new Error(`${name} が読み込めない`));
			document.head.append(s);
		});
	// ファイルのまま開いたページは fetch できないので、文字にしたものを script で読む
	async function bytes(name) {
		if (location.protocol !== "file:") {
			const got = await fetch(new URL(name, here));
			if (!got.ok) throw new Error(`${name} が読み込めない`);
			return new Uint8Array(await got.arrayBuffer());
		}
		await script(`${name}.js`);
		return Uint8Array.from(atob(bookFiles[name]), (c) => c.charCodeAt(0));
	}
	const program = (name) => {
		if (!programs.has(name)) programs.set(name, bytes(`${name}.wasm`));
		return programs.get(name).catch((e) => (programs.delete(name), Promise.reject(e)));
	};

	function make(tag, properties, ...children) {
		const e = Object.assign(document.createElement(tag), properties);
		e.append(...children);
		return e;
	}
	const button = (textContent, onclick) => make("button", { type: "button", textContent, onclick });

	// 仕事をする Worker。いつでも終わらせることができる
	class Job {
		constructor(source, first) {
			if (!Background() || !globalThis.WebAssembly) throw new Error("browser");
			this.worker = new (Background())(URL.createObjectURL(new Blob([source], { type: "text/javascript" })));
			this.worker.postMessage(first);
		}
		// data を渡し、終了コードを待つ。途中で来るものは、hear に渡す
		ask(data, hear) {
			return new Promise((ok, no) => {
				this.cancel = no;
				this.worker.onerror = (e) => no(new Error(e.message));
				this.worker.onmessage = ({ data }) => {
					if (data.code !== undefined) ok(data.code);
					else if (data.trouble !== undefined) no(new Error(data.trouble));
					else hear(data);
				};
				this.worker.postMessage(data);
			});
		}
		end(sentence) {
			this.worker.terminate();
			this.cancel?.(new Error(sentence));
		}
	}
	const LATE = `${SECONDS} 秒たっても終わらないので止めた: N を小さくする`;
	const told = (e) =>
		e.message === "browser"
			? "このブラウザでは動かせない: 新しい Chrome、Edge、Firefox、Safari で開く"
			: /memory|unreachable/.test(e.message)
				? "メモリが足りないので止まった: N を小さくする"
				: e.message;

	class Run {
		constructor(open) {
			this.button = open;
			this.name = open.dataset.run;
			this.stop = button("止める", () => this.end("止めた"));
			this.stop.disabled = true;
			this.fields = make("span", { className: "run__fields" });
			this.status = make("span", { className: "run__status", role: "status" });
			this.code = make("code", { tabIndex: 0 }); // 横に長いときは、ここが動く
			this.output = make("pre", { className: "no-copy", ariaLabel: "出力", role: "region" }, this.code);
			this.output.dataset.runOutput = this.name;
			this.form = make(
				"form",
				{ className: "run", onsubmit: (e) => e.preventDefault() },
				this.fields,
				this.stop,
				this.status,
				this.output,
			);
			// ボタンの上の Enter は、そのボタンを押す
			this.form.onkeydown = (e) => {
				if (e.key === "Enter" && e.target.matches("input, select")) (e.preventDefault(), this.go());
			};
			open.after(this.form);
		}
		say(sentence) {
			this.status.textContent = sentence;
		}
		// 仕事を頼み、終わるのを待つ。止めることもできる
		async wait(job, data, hear) {
			this.now = job;
			const timer = setTimeout(() => this.end(LATE), SECONDS * 1000);
			try {
				return await job.ask(data, hear);
			} finally {
				clearTimeout(timer);
			}
		}
		end(sentence) {
			this.now?.end(sentence);
			this.now = this.job = undefined;
		}
		async open(given) {
			this.say("用意している…");
			this.job = new Job(bookWorker, { wasm: await program(this.name) });
			let text = "";
			await this.wait(this.job, { args: ["--options"] }, (part) => (text += part.text));
			this.controls = new Map();
			const [block, ...usages] = text.trim().split("\n");
			for (const usage of [...usages, block]) {
				const [name, value] = usage.split(" "),
					label = name.slice(2).toUpperCase();
				if (HIDDEN.includes(name) || !value) continue;
				const [first, ...more] = value.split("|"), // 初めのものが、選ばないときの値
					start = given?.get(label.toLowerCase()) ?? FIRST[name] ?? (more.length ? first : ""),
					choices = [...new Set([first, ...more])].sort((a, b) => a - b),
					control = more.length
						? make("select", {}, ...choices.map((c) => new Option(c, c, c === first, c === start)))
						: make("input", { value: start, placeholder: value, size: 9, spellcheck: false, autocomplete: "off" });
				this.controls.set(name, control);
				this.fields.append(make("label", {}, label, " ", control));
			}
		}
		args() {
			const given = [...this.controls].filter(([, c]) => c.value.trim()).map(([name, c]) => [name, c.value.trim()]);
			given.sort(([a], [b]) => (b === "--block") - (a === "--block")); // プログラムは、BLOCK を初めに読む
			return given;
		}
		// リストのままのものを動かす
		async perform(args) {
			this.job ??= new Job(bookWorker, { wasm: await program(this.name) });
			await this.print(this.job, args);
		}
		async print(job, args) {
			this.say("動かしている…");
			const begun = performance.now(),
				code = await this.wait(job, { args: args.flat() }, ({ text }) => this.code.append(text));
			if (code <= 1 && this.button.dataset.wrong) this.code.append(`(わざと誤り: ${this.button.dataset.wrong})\n`);
			this.say(`終わった (${((performance.now() - begun) / 1000).toFixed(2)} 秒)`);
		}
		go(given) {
			return this.busy(async () => {
				this.button.textContent = "▶ もう一度動かす";
				if (!this.controls) await this.open(given);
				const args = this.args();
				history.replaceState(
					null,
					"",
					"#" + new URLSearchParams([["run", this.name], ...args.map(([name, value]) => [name.slice(2), value])]),
				);
				this.code.textContent = "";
				await (this.edit ?? this).perform(args);
			});
		}
		// 1 度に 1 つの仕事をする
		async busy(work) {
			if (this.running) return;
			this.running = true;
			const buttons = [this.button, ...this.form.querySelectorAll("button")].filter((one) => one !== this.stop);
			for (const one of buttons) one.ariaDisabled = "true";
			this.stop.disabled = false;
			try {
				await work();
			} catch (e) {
				this.end();
				this.say(told(e));
			}
			this.running = false;
			for (const one of buttons) one.ariaDisabled = null;
			this.stop.disabled = true;
		}
	}

	const runs = new Map();
	const find = (open) => {
		if (!runs.has(open)) runs.set(open, new Run(open));
		return runs.get(open);
	};
	globalThis.bookFiles = {};
	globalThis.bookPage = {
		...{ here, script, bytes, program, make, button, Job, LATE, told, find, Worker: Background },
		async run(open, given) {
			if (!globalThis.bookWorker) await script("worker-source.js");
			return find(open).go(given);
		},
		// 書き換える欄。押されたボタンに合うものを開く
		async edit(open) {
			if (!globalThis.bookWorker) await script("worker-source.js");
			if (!globalThis.bookEdit) await script("editor.js");
			return bookEdit(open);
		},
	};
}
