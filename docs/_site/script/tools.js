// tools.js: 書き換えたものを、数える (make count) と、たどる (make trace)
import { notes, tables } from "./count.js";
import { button, make } from "./dom.js";
import { player } from "./player.js";
import { findings } from "./report.js";
import { Trace } from "./trace.js";
import { spelled, told } from "./verdict.js";

const LARGEST = 1024, // たどる N と BLOCK の上限。これより多いと、図の箱が小さすぎる
	BLOCKS = 4; // 見せるブロックの数
let figures = 0;

export class Tools {
	// listing: どのリストの机か
	constructor(listing) {
		const { run, desk } = listing,
			field = (name, value) =>
				make("input", { ariaLabel: `たどる ${name}`, defaultValue: value, size: 4, inputMode: "numeric" }),
			press = (name, work) => button(name, () => run.busy(() => desk.guarded(() => work.call(this))));
		Object.assign(this, { listing, run, desk, n: field("N", "16"), block: field("BLOCK", "8") });
		this.count = press("数える", this.counted);
		this.trace = press("たどる", this.traced);
		const fields = [this.n, this.block].map((input) => make("label", {}, `${input.ariaLabel.split(" ")[1]} `, input)),
			about = { className: "run__fields run__trace", role: "group", ariaLabel: "たどる" },
			group = make("span", about, this.trace, ...fields);
		group.onkeydown = (e) => {
			if (e.key === "Enter" && e.target.matches("input")) (e.stopPropagation(), this.trace.click());
		};
		run.fields.after(this.count, group);
		this.table = make("div");
		this.figure = make("div");
		desk.panel.append(this.table, this.figure);
	}
	// 動かして、書いた JSON と、言ったことを聞く。検査と同じ報告があれば、それを言う
	async heard(job, args, doing) {
		const { listing, run, desk } = this;
		run.say(doing);
		const { err, json } = await listing.hear(job, args),
			found = findings(err, desk.source.path);
		job.end();
		run.say("");
		if (found.length) return desk.tell(told(found, spelled(args.flat())), found);
		if (!json) throw new Error(err.trim() || "動かせなかった");
		return { json, said: err.trim() };
	}

	// ------------------------------------------------------------ 数える
	async counted() {
		const { listing, run, desk } = this;
		if (!run.controls) await run.open();
		this.table.replaceChildren();
		const args = run.args();
		run.say("数えるものをコンパイルしている…");
		const heard = await this.heard(await listing.job("count", args), args, "数えている…");
		if (!heard) return;
		const rows = JSON.parse(heard.json),
			path = desk.source.path,
			beside = notes(rows, path);
		for (const field of desk.fields.values()) field.beside(beside);
		this.table.replaceChildren(...tables(rows, path, (line) => desk.going(line)));
		desk.tell(`数えた (${spelled(args.flat())})。値は、コードの行の横と、下の表にある`, []);
	}

	// ------------------------------------------------------------ たどる
	async traced() {
		const { run, desk, listing } = this;
		this.figure.replaceChildren();
		for (const input of [this.n, this.block])
			if (!/^[1-9]\d*$/.test(input.value.trim()) || input.value > LARGEST)
				throw new Error(`${input.ariaLabel} は 1 以上 ${LARGEST} 以下の整数にする`);
		run.say("たどるものをコンパイルしている…");
		const job = await this.smallest(),
			{ out: options } = await listing.hear(job, ["--options"]),
			more = (run.controls ? run.args() : []).filter(([name]) => !/^--(n|block|input)$/.test(name)),
			args = [
				["--n", this.n.value.trim()],
				...(/--input .*integers/.test(options) ? [["--input", "integers"]] : []),
				...more,
			],
			heard = await this.heard(job, args, "たどっている…");
		if (heard) this.show(heard, args);
	}
	// 初めの BLOCK ではコンパイルできないリスト (32 の倍数に限るもの) は、1 つのワープにする
	async smallest() {
		const compile = () => this.listing.job("trace", [["--block", this.block.value.trim()]]);
		try {
			return await compile();
		} catch (e) {
			if (!e.errors || this.block.value !== this.block.defaultValue) throw e;
			this.block.value = "32";
			const job = await compile().catch((e) => ((this.block.value = this.block.defaultValue), Promise.reject(e)));
			if (this.n.value === this.n.defaultValue) this.n.value = "64";
			return job;
		}
	}
	show({ json, said }, args) {
		const { desk } = this,
			{ path } = desk.source,
			{ first } = desk.source.joined(desk.texts),
			regions = desk.fields.has("kernel") ? ["kernel"] : [...desk.fields.keys()],
			shown = regions.flatMap((name) => desk.texts[name].split("\n").map((text, k) => [first[name] + k, text])),
			code = shown.map(([, text]) => text.replace(/\s*\/\/.*/, "")),
			trace = new Trace(JSON.parse(json), new Map(shown.map(([line], k) => [`${path}:${line}`, k]))),
			{ blocks, unknown } = trace;
		if (!blocks.length) return desk.tell("カーネルがメモリに触れないので、動く図はない", []);
		if (unknown) return desk.tell(`${unknown} の値は、動く図にできない: 図にできるのは、整数と浮動小数点数である`, []);
		const few = blocks.slice(0, BLOCKS),
			name = (block) => (few.length > 1 ? `ブロック ${block}` : desk.name.replace(/.*\//, "")),
			records = few.map((block) => trace.record(block, { name: name(block), code, n: Number(this.n.value) }));
		const races = [...trace.races].map((k) => shown[k][0]).sort((a, b) => a - b);
		const sentences = [
			`たどった (${spelled([...args.flat(), "--block", this.block.value.trim()])})。図の値は、動かした通りの値である`,
			said,
			blocks.length > few.length && `ブロックは ${blocks.length} 個ある。図は、初めの ${few.length} 個である`,
			trace.partial && "シャッフルの図は、和をメモリに書く前までである",
			trace.unseen && "シャッフルで渡した値は、図に出ない",
			races.length &&
				`${races.join("、")} 行目は、待たずに、ほかのスレッドが書いた値を読む。順番は、いま動かした 1 回のものである`,
		];
		desk.tell(sentences.filter(Boolean).join("\n"), []);
		const close = () => (this.figure.replaceChildren(), this.trace.focus()),
			playing = player(records, `trace-${++figures}`, close, "閉じる");
		this.figure.replaceChildren(make("figure", {}, playing.root));
		playing.begin();
	}
}
