// run.js: リストをページの中で動かす。▶ を押すと book.js が読み込み、bookRun(ボタン) を呼ぶ。
// プログラムは、ページを止めずに終わらせることのできる Worker の中で動く。
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

	class Run {
		constructor(button) {
			this.button = button;
			this.name = button.dataset.run;
			this.stop = make("button", {
				type: "button",
				textContent: "止める",
				disabled: true,
				onclick: () => this.end("止めた"),
			});
			this.fields = make("span", { className: "run__fields" });
			this.status = make("span", { className: "run__status", role: "status" });
			this.code = make("code", {});
			this.output = make("pre", { className: "no-copy", tabIndex: 0, ariaLabel: "出力" }, this.code);
			this.output.dataset.runOutput = this.name;
			this.output.role = "region";
			this.form = make(
				"form",
				{ className: "run", onsubmit: (e) => e.preventDefault() },
				this.fields,
				this.stop,
				this.status,
				this.output,
			);
			this.form.onkeydown = (e) =>
				e.key === "Enter" && e.target.matches("input, select") && (e.preventDefault(), this.go());
			button.textContent = "▶ もう一度動かす";
			button.after(this.form);
		}
		// Worker にプログラムを渡して動かし、終わるのを待つ
		async ask(args, write) {
			if (!this.worker) {
				const wasm = await program(this.name);
				this.worker = new (Background())(URL.createObjectURL(new Blob([bookWorker], { type: "text/javascript" })));
				this.worker.postMessage({ wasm });
			}
			return new Promise((ok, no) => {
				this.cancel = no;
				this.worker.onerror = (e) => no(new Error(e.message));
				this.worker.onmessage = ({ data }) => {
					if (data.text !== undefined) write(data.text, data.fd);
					else if (data.code !== undefined) ok(data.code);
					else no(new Error(data.trouble));
				};
				this.worker.postMessage({ args });
			});
		}
		async open(given) {
			this.status.textContent = "用意している…";
			let text = "";
			await this.ask(["--options"], (part) => (text += part));
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
		async go(given) {
			if (this.running) return;
			this.running = true;
			this.button.ariaDisabled = "true";
			this.stop.disabled = false;
			try {
				if (!Background() || !globalThis.WebAssembly) throw new Error("browser");
				if (!this.controls) await this.open(given);
				const args = this.args();
				history.replaceState(
					null,
					"",
					"#" + new URLSearchParams([["run", this.name], ...args.map(([name, value]) => [name.slice(2), value])]),
				);
				this.code.textContent = "";
				this.status.textContent = "動かしている…";
				const begun = performance.now();
				this.timer = setTimeout(
					() => this.end(`${SECONDS} 秒たっても終わらないので止めた: N を小さくする`),
					SECONDS * 1000,
				);
				const code = await this.ask(args.flat(), (text) => this.code.append(text));
				if (code <= 1 && this.button.dataset.wrong) this.code.append(`(わざと誤り: ${this.button.dataset.wrong})\n`);
				this.status.textContent = `終わった (${((performance.now() - begun) / 1000).toFixed(2)} 秒)`;
			} catch (e) {
				this.worker?.terminate();
				this.worker = undefined;
				this.status.textContent =
					e.message === "browser"
						? "このブラウザでは動かせない: 新しい Chrome、Edge、Firefox、Safari で開く"
						: e.message.includes("memory") || e.message.includes("unreachable")
							? "メモリが足りないので止まった: N を小さくする"
							: e.message;
			}
			clearTimeout(this.timer);
			this.running = false;
			this.button.ariaDisabled = null;
			this.stop.disabled = true;
		}
		end(sentence) {
			this.worker?.terminate();
			this.worker = undefined;
			this.cancel?.(new Error(sentence));
		}
	}

	const runs = new Map();
	globalThis.bookFiles = {};
	globalThis.bookRun = async (button, given) => {
		if (!globalThis.bookWorker) await script("worker-source.js");
		if (!runs.has(button)) runs.set(button, new Run(button));
		return runs.get(button).go(given);
	};
}
