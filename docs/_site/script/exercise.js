// exercise.js: 課題をページの中で書く。確かめるのは make check と同じ judge で、答えを知っているのは元のリストだけ
import { builder } from "./builder.js";
import { Desk } from "./desk.js";
import { reveal } from "./dom.js";
import { bytes } from "./later.js";
import { shown } from "./listing.js";
import { findings } from "./report.js";
import { Job, Run, program } from "./run.js";
import { keep, markSolved, solved } from "./store.js";
import { spelled } from "./verdict.js";

let judge; // WebAssembly

export class Exercise extends Run {
	constructor(open, name, source, quiet) {
		const bar = open.parentElement;
		open.textContent = "確かめる";
		open.dataset.run = name;
		super(open);
		this.edit = this;
		this.controls = new Map(); // N は、プログラムの決めた値
		this.title = name.replace("/", " ");
		const blocks = shown(source).filter(([, pre]) => bar.parentElement.contains(pre));
		this.desk = new Desk({ owner: this, bar, name, key: `exercise ${name}`, source, blocks, quiet });
	}
	go() {
		return this.busy(() => this.perform());
	}
	// 通れば {code: 0}
	async perform() {
		judge ??= await bytes("judge.wasm");
		const blocks = (await this.asked("--blocks")).out.trim().split(/[ +]/),
			avoided = await this.avoided();
		if (!avoided) await this.desk.compilerReady();
		const failed = !avoided && (await this.desk.guarded(() => this.judged(blocks)));
		if (avoided) this.desk.tell(`❌ ${this.title}: 動かす前に、次の所で止まった`, [avoided]);
		else if (failed) this.failed(failed);
		else this.passed(blocks);
		this.say("終わった");
		return avoided || failed ? undefined : { code: 0 };
	}
	// 並べた行を TODO の所に入れて、確かめる。自分の書きかけがあれば、入れない
	fill(lines) {
		const texts = this.desk.source.original,
			[[region, field]] = [...this.desk.fields].filter(([name]) => texts[name].includes("// TODO")),
			original = texts[region];
		reveal(this.desk.verdict);
		if (![original, this.filled].includes(field.text))
			return this.desk.tell("書きかけがあるので、入れない: 「元に戻す」を押してから、もう1度確かめる", []);
		const put = (_, indent) => lines.map((line) => indent + line).join("\n");
		field.text = original.replace(/^( *)\/\/ TODO.*$/m, put);
		this.filled = field.text;
		return this.go();
	}
	files() {
		return { [this.desk.source.listing]: new TextEncoder().encode(this.desk.text) };
	}
	// 書いたものについて、judge に聞く
	async asked(option) {
		const job = new Job({ judge }, this.files());
		return job.hear({ args: [option, this.desk.source.listing] }).finally(() => job.end());
	}
	// 頭の「// 使わない: 語」を使っている所
	async avoided() {
		const { code, out, err } = await this.asked("--words");
		const [, line, text] = `${out}${err}`.match(/:(\d+): (.*)/) ?? [];
		return code ? { kind: "断る", line: Number(line), text, notes: [] } : undefined;
	}
	// 通れば undefined。通らなければ、judge の言うこと
	async judged(blocks) {
		const { name, source } = this.desk,
			path = source.listing;
		this.builds = blocks.map((block) => ["sanitize", [["--block", block]]]);
		const begun = this.builds.map((one) => this.desk.begin(...one));
		for (const [k, block] of blocks.entries()) {
			this.say(`BLOCK=${block} で確かめている…`);
			const mine = await builder.wait(begun[k], this),
				job = new Job({ judge, mine, original: await program(name) }, this.files()),
				asked = { args: [path, this.title, block, "mine", "original", ""] };
			let said = "";
			const code = await this.wait(job, asked, ({ condition, text = "" }, limit) => {
				said += text;
				if (condition) limit(`${spelled([condition])} BLOCK=${block} で `, "ループの終わる条件を確かめる");
			});
			job.end();
			if (code) return said.replaceAll(path, source.path);
		}
	}
	failed(said) {
		const [told, report = ""] = said.split("  報告:\n"),
			{ path } = this.desk.source,
			found = findings(report.replaceAll(/^ {4}/gm, ""), path),
			todo = Number(told.match(/:(\d+) に TODO が残っている/)?.[1]);
		if (todo && !found.length) found.push({ kind: "TODO", line: todo, text: "ここに書く", notes: [] });
		this.desk.tell(told.trimEnd(), found);
	}
	passed(blocks) {
		const tried = `どの N でも、ブロックが ${blocks.join(", ")} のどれでも`;
		this.desk.tell(`✅ ${this.title}: ${tried}、答えが合う。検査でも誤りは見つからない`, []);
		keep("solved", [...new Set([...solved(), this.desk.name])]);
		markSolved();
	}
}
