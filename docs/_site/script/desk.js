// desk.js: 書き換える机。ページに載っている領域を欄にし、覚え、元に戻し、保存し、指摘を並べる
import { builder } from "./builder.js";
import { button, make, save } from "./dom.js";
import { local } from "./later.js";
import { explained } from "./report.js";
import { told } from "./run.js";
import { keep, recall } from "./store.js";

let desks = 0;

export class Desk {
	// bar: コードの下の帯。name: 5.3/sequential。key: 覚える名前。
	// owner: go() で動かす。builds は、そのとき作るもの [道具, 指定] で、分かるまでは undefined。
	// quiet: 書きかけを見せるだけで、ここに移らず、コンパイラも読まない
	constructor({ owner, bar, name, key, source, blocks, quiet }) {
		Object.assign(this, { owner, name, key, source });
		const keys = `edit-${++desks}`,
			texts = recall(key) ?? {};
		this.verdict = make("p", { className: "edit__verdict", role: "status" });
		this.verdict.dataset.runVerdict = name;
		this.list = make("ul", { className: "edit__list" });
		this.reset = button("元に戻す", () => this.restore());
		this.gate = make("span", { className: "edit__gate" });
		this.panel = make(
			"div",
			{ className: "edit" },
			make("p", {
				className: "edit__keys",
				id: keys,
				textContent: "Tab は字下げ。欄から出るには、Escape の後に Tab。",
			}),
			this.reset,
			button(".cu を保存する", () => this.save()),
			this.gate,
			this.verdict,
			this.list,
		);
		bar.prepend(this.panel);
		this.fields = new Map();
		for (const [region, pre] of blocks) {
			const parent = make("div", { className: "edit__field" });
			parent.dataset.runSource = this.fields.size ? `${name}:${region}` : name;
			pre.after(parent);
			pre.hidden = true;
			const field = new bookEditor.Field({
				parent,
				text: texts[region] ?? source.original[region],
				label: `${source.path} の ${region} を書き換える`,
				describedBy: keys,
				changed: () => this.changed(),
				run: () => owner.go(), // Ctrl+Enter
			});
			this.fields.set(region, field);
		}
		this.changed();
		addEventListener("storage", (e) => e.key === `book ${key}` && this.elsewhere());
		this.offer(quiet);
		if (!quiet) this.fields.values().next().value.view.focus();
	}
	get texts() {
		return Object.fromEntries([...this.fields].map(([region, field]) => [region, field.text]));
	}
	get rewritten() {
		return [...this.fields].some(([region, field]) => field.text !== this.source.original[region]);
	}
	get text() {
		return this.source.joined(this.texts).text;
	}
	changed() {
		if (this.fields.size === 0) return;
		const { first } = this.source.joined(this.texts);
		for (const [region, field] of this.fields) field.number(first[region]);
		this.reset.disabled = !this.rewritten;
		if (/^✅/.test(this.verdict.textContent)) this.verdict.textContent = ""; // 書き換える前のものの判定である
		if (!keep(this.key, this.rewritten ? this.texts : undefined))
			this.verdict.textContent = "このブラウザは書きかけを覚えられない: 残すものは .cu を保存する";
		clearTimeout(this.resting);
		this.resting = setTimeout(() => this.rest(), 400);
	}
	// 手を休めている間に、押すと作るものを作っておく。Worker が 2 つある計算機でだけ
	rest() {
		if (!builder.workers[1] || !this.rewritten) return;
		for (const one of this.owner.builds ?? []) this.begin(...one, true);
	}
	// 同じものを、ほかのタブで書き換えた
	elsewhere() {
		const theirs = () => recall(this.key) ?? this.source.original;
		if ([...this.fields].every(([region, field]) => field.text === theirs()[region]))
			return this.verdict.replaceChildren();
		if (this.taking?.isConnected) return; // もう言ってある。押すのを待っている間に、部品を取り替えない
		this.taking = button("ほかのタブの書きかけにする", () => {
			const texts = theirs(); // 押したときのもの。欄に入れると、覚えているものも変わる
			for (const [region, field] of this.fields) field.text = texts[region];
			this.tell("ほかのタブの書きかけにした。欄の中の Ctrl+Z で取り消せる", []);
		});
		this.verdict.replaceChildren(
			"ほかのタブで、同じリストを書き換えた。ここに書くと、そちらの書きかけは失われる ",
			this.taking,
		);
	}
	restore() {
		for (const [region, field] of this.fields) field.text = this.source.original[region];
		this.tell("元に戻した。欄の中の Ctrl+Z で取り消せる", []);
		this.fields.values().next().value.view.focus();
	}
	save() {
		const name = this.source.path.replace(/.*\//, ""),
			include = this.source.folder && ` INCLUDE=${this.source.folder}`;
		save(name, this.text);
		this.tell(`${name} を保存した。本のフォルダに置いて make run FILE=${name}${include} で動く`, []);
	}

	// ------------------------------------------------------------ コンパイラを読み込む
	async offer(quiet) {
		builder.done.then(() => this.gate.replaceChildren());
		if (builder.ready) return;
		const missing = await builder.missing();
		if (!missing) return quiet || this.load();
		this.gate.replaceChildren(
			`動かすには、コンパイラが要る${local ? "。ファイルから開いたページは、開くたびに読み込む" : ""} `,
			button(`${Math.ceil(missing / 1e6)} MBを読み込む`, () => this.load()),
		);
	}
	async load() {
		const bar = make("progress", { ariaLabel: "コンパイラを読み込んでいる" });
		this.gate.replaceChildren("コンパイラを読み込んでいる ", bar);
		try {
			// 全部来たら、用意を待つ
			await builder.load((part) => (part < 1 ? (bar.value = part) : bar.removeAttribute("value")), {
				file: this.source.listing,
				text: this.text,
			});
			// ほかのタブの知らせは消さない
			if (!this.taking?.isConnected) this.verdict.textContent = "コンパイラの用意ができた";
		} catch (e) {
			this.gate.replaceChildren(
				`${told(e)} `,
				button("もう一度読み込む", () => this.load()),
			);
		}
	}
	// コンパイルできるまで待つ。まだ頼んでいなければ、頼むボタンに移る
	async compilerReady() {
		if (!builder.loading && !(await builder.missing())) await this.load();
		if (builder.loading) return builder.loading;
		this.gate.querySelector("button")?.focus();
		throw new Error("書き換えたものを動かすには、先にコンパイラを読み込む");
	}

	// tool のために、コンパイルを頼む
	begin(tool, args, early) {
		const block = args.find(([name]) => name === "--block")?.[1],
			{ source, text } = this;
		return builder.begin({ file: source.listing, text, tool, block: Number(block) }, early);
	}
	async built(tool, args, run) {
		await this.compilerReady();
		return builder.wait(this.begin(tool, args), run);
	}
	// コンパイルできなければ、その行を言う
	async guarded(work) {
		try {
			return await work();
		} catch (e) {
			if (!e.errors) throw e;
			this.tell("コンパイルできない", explained(e.errors, this.source.path));
			throw new Error("コンパイルできない");
		}
	}

	// ------------------------------------------------------------ 判定
	// 行が欄にあれば、そこに移る関数
	going(line) {
		const field = [...this.fields.values()].find((field) => field.holds(line));
		return field && (() => field.go(line));
	}
	// sentence を言い、faults (report.js) とコンパイラの警告を行に付けて、並べる
	tell(sentence, faults) {
		const warned = /^[✅❌]/.test(sentence) ? explained(builder.warned, this.source.path, "警告") : [],
			found = [...faults, ...warned.filter(({ line }) => line)];
		this.verdict.textContent = sentence;
		const notes = found.flatMap(({ line, kind, text, notes }) =>
			(notes.length ? notes : [{ line, text }]).map((note, k) => ({
				...note,
				text: k ? note.text : `${kind}: ${text}`,
				severity: k ? "info" : "error",
			})),
		);
		for (const field of this.fields.values()) field.show(notes);
		this.list.replaceChildren(
			...found.map(({ kind, line, text }) => {
				const go = this.going(line),
					where = go ? button(`${line} 行目`, go) : line ? `${line} 行目` : "";
				return make("li", {}, make("strong", {}, kind), " ", where, make("p", { className: "edit__report" }, text));
			}),
		);
	}
}
