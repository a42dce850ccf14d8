// run.js: リストをページの中で動かす。プログラムは、ページを止めずに終わらせることのできる Worker の中で動く。
// 書き換える欄 (desk.js) を開いている間は、Run の edit が、動かすものを決める。
// WORKER は、まとめるとき (runnable.py) に決まる: worker.js をまとめた文字
import { button, make, save } from "./dom.js";
import { bytes, once } from "./later.js";

const SECONDS = 60, // これだけ終わらないと止める
	[HEAD, TAIL] = [180, 20], // 長い出力は、初めと終わりの、この行の数だけを見せる
	HIDDEN = ["--seed", "--hot", "--repeat"], // 測定のための指定は、欄にしない
	FIRST = { "--n": "1100003" }, // 初めの値。2 のべき乗にせず、4096 個のブロックに収めない。ほかは、プログラムの決めた値
	known = new Map(); // data-run → Promise<プログラム>

export const program = (name) => once(known, name, () => bytes(`${name}.wasm`));
// 指定 [名前, 値] のうち、name のほか
export const without = (args, name) => args.filter(([own]) => own !== name);

// 仕事をする Worker。いつでも終わらせることができる
export class Job {
	// programs: {名前: WebAssembly}。初めのものを動かす
	constructor(programs, files, source = WORKER) {
		if (!globalThis.Worker || !globalThis.WebAssembly) throw new Error("browser");
		this.worker = new Worker(URL.createObjectURL(new Blob([source], { type: "text/javascript" })));
		this.worker.postMessage({ programs, files });
	}
	// data を渡し、答え (終了コード) を待つ。途中で来るものは、hear に渡す
	ask(data, hear) {
		return new Promise((ok, no) => {
			this.cancel = no;
			this.worker.onerror = (e) => no(new Error(e.message));
			this.worker.onmessage = ({ data }) => {
				if (data.done !== undefined) ok(data.done);
				else if (data.trouble !== undefined) no(new Error(data.trouble));
				else hear(data);
			};
			this.worker.postMessage(data);
		});
	}
	// 終わるまで聞く: {code, out, err} と、ほかに来たもの
	async hear(data) {
		const all = { 1: "", 2: "" },
			code = await this.ask(data, ({ fd, text, ...more }) => (fd ? (all[fd] += text) : Object.assign(all, more)));
		return { ...all, code, out: all[1], err: all[2] };
	}
	end(sentence) {
		this.worker.terminate();
		this.cancel?.(new Error(sentence));
	}
}
export const told = (e) =>
	e.message === "browser"
		? "このブラウザでは動かせない: 新しい Chrome、Edge、Firefox、Safari で開く"
		: /[ぁ-ん]/.test(e.message)
			? e.message
			: /allocat|out of memory/i.test(e.message)
				? "メモリが足りないので止まった: N を小さくする"
				: "このブラウザの中で止まった: ページを読み直して、もう一度動かす";

const runs = new Map(); // ボタン → Run
export class Run {
	constructor(open) {
		runs.set(open, this);
		this.now = new Set(); // いま待っている仕事。止めると、全部終わらせる
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
	// 仕事を頼み、終わるのを待つ。止めることもできる。hear がなければ、聞いたもの全部を返す。
	// SECONDS 秒たっても終わらなければ、止める。hear が呼ぶ limit は、そこから数え直す
	async wait(job, data, hear) {
		let timer;
		const limit = (at = "", advice = "N を小さくするか、ループの終わる条件を確かめる") => {
			clearTimeout(timer);
			timer = setTimeout(() => job.end(`${at}${SECONDS} 秒たっても終わらないので止めた: ${advice}`), SECONDS * 1000);
		};
		this.now.add(job);
		limit();
		try {
			return await (hear ? job.ask(data, (said) => hear(said, limit)) : job.hear(data));
		} finally {
			clearTimeout(timer);
			this.now.delete(job);
		}
	}
	end(sentence) {
		for (const job of this.now) job.end(sentence);
		this.now.clear();
		this.job = undefined;
	}
	async open(given) {
		this.say("用意している…");
		this.job = new Job({ listing: await program(this.name) });
		const { out } = await this.wait(this.job, { args: ["--options"] });
		this.controls = new Map();
		const [block, ...usages] = out.trim().split("\n");
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
		this.job ??= new Job({ listing: await program(this.name) });
		return this.print(this.job, args);
	}
	// 出力を見せる: {code, out, ended: 終わりに言うこと}
	async print(job, args) {
		this.say("動かしている…");
		let out = "",
			lines = 0; // 来た行の数
		const begun = performance.now(),
			hear = ({ text }) => {
				if (lines < HEAD + TAIL) this.code.append(text);
				lines += text.split("\n").length - 1;
				out += text;
			},
			code = await this.wait(job, { args: args.flat() }, hear).finally(() => this.shorten(out, lines - HEAD - TAIL));
		if (code <= 1 && this.button.dataset.wrong) this.code.append(`(わざと誤り: ${this.button.dataset.wrong})\n`);
		const ended = `終わった (${((performance.now() - begun) / 1000).toFixed(2)} 秒)`;
		this.say(ended);
		return { code, out, ended };
	}
	// 出力の間の left 行を省く
	shorten(out, left) {
		if (left <= 0) return;
		const rows = out.split("\n");
		this.code.replaceChildren(
			`${rows.slice(0, HEAD).join("\n")}\n以下 ${left} 行は省いた `,
			button("出力を保存する", () => save(`${this.name.replace("/", "-")}.txt`, out)),
			`\n${rows.slice(HEAD + left).join("\n")}`,
		);
	}
	go(given) {
		return this.busy(async () => {
			this.button.textContent = "▶ もう一度動かす";
			if (!this.controls) await this.open(given);
			if (given && this.edit?.desk.rewritten)
				return this.say("リンクの値を入れた。書きかけは、リンクからは動かさない: ▶ を押すと動く");
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
		if (!this.stop.disabled) return;
		const buttons = [this.button, ...this.form.querySelectorAll("button")].filter((one) => one !== this.stop);
		for (const one of buttons) one.ariaDisabled = "true";
		this.stop.disabled = false;
		try {
			await work();
		} catch (e) {
			this.end();
			this.say(told(e));
		}
		for (const one of buttons) one.ariaDisabled = null;
		if (document.activeElement === this.stop) this.button.focus({ preventScroll: true }); // 押せなくなると、焦点を失う
		this.stop.disabled = true;
	}
}

export const find = (open) => runs.get(open) ?? new Run(open);
