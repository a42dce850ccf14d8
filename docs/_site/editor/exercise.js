// exercise.js: 課題をページの中で書く。確かめるのは make check と同じ judge で、答えを知っているのは元のリストだけ
import { compiler } from "./compiler.js";
import { Desk } from "./desk.js";
import worker from "./judge-worker.js" with { type: "text" };
import { shown } from "./listing.js";
import { explained, findings } from "./report.js";
import { Source } from "./source.js";
import { keep, recall } from "./store.js";
import wasi from "../../../code/cpu/wasm/wasi.js" with { type: "text" };

const { button, bytes, Job, make, program, told } = bookPage;
const SECONDS = 60; // 1 つの条件が、これだけ終わらないと止める
let judge; // {wasm, blocks}

async function prepared() {
	if (!judge) {
		const wasm = await bytes("judge.wasm"),
			job = new Job(wasi + worker, { judge: wasm });
		let text = "";
		await job.ask({ args: ["--blocks"] }, (part) => (text += part.text ?? ""));
		job.end();
		judge = { wasm, blocks: text.trim().split(/[ +]/) };
	}
	return judge;
}

export class Exercise {
	static async open(open) {
		const name = open.dataset.exercise,
			path = open.closest(".highlight").querySelector(".filename").textContent,
			source = new Source(path, new TextDecoder().decode(await bytes(`${name}.todo.cu`)));
		return new Exercise(open, name, source);
	}
	constructor(open, name, source) {
		const bar = open.parentElement;
		this.title = name.replace("/", " ");
		this.check = button("確かめる", () => this.go());
		this.stop = button("止める", () => this.end("止めた"));
		this.stop.disabled = true;
		this.status = make("span", { className: "run__status", role: "status" });
		const blocks = shown(source.path, source).filter(([, pre]) => bar.parentElement.contains(pre));
		this.desk = new Desk({ bar, name, key: `exercise ${name}`, source, blocks, run: () => this.go() });
		bar.append(make("div", { className: "run" }, this.check, this.stop, this.status));
		open.remove();
	}
	end(sentence) {
		this.now?.end(sentence);
		this.now = undefined;
	}
	async go() {
		if (this.running) return;
		const avoided = this.avoided();
		if (avoided) return this.desk.tell(`❌ ${this.title}: 動かす前に、次の所で止まった`, [avoided]);
		this.running = true;
		this.check.ariaDisabled = "true";
		this.stop.disabled = false;
		try {
			await this.desk.compilerReady();
			const { blocks } = await prepared();
			const failed = await this.judged(blocks);
			if (failed) this.failed(failed);
			else this.passed(blocks);
			this.status.textContent = "終わった";
		} catch (e) {
			this.end();
			if (e.errors) this.desk.tell("コンパイルできない", explained(e.errors, this.desk.source.path));
			this.status.textContent = e.errors ? "" : told(e);
		}
		this.running = false;
		this.check.ariaDisabled = null;
		this.stop.disabled = true;
	}
	// 頭の「// 使わない: 語」を使っている所 (merge.cpp と同じことを言う)
	avoided() {
		const { source, text } = this.desk,
			lines = text.split("\n"),
			from = lines.findIndex((line) => line.includes("[start:kernel]")),
			bare = lines.map((line, k) => (k > from ? line.replace(/"(\\.|[^"\\])*"|\/\/.*/g, "") : ""));
		for (const [, word] of source.lines.map((line) => line.match(/^\/\/ 使わない: (.*)/)).filter(Boolean)) {
			const line = bare.findIndex((line) => line.includes(word)) + 1;
			if (line) return { kind: "断る", line, text: `この課題では ${word} を使わない`, notes: [] };
		}
	}
	// 通れば undefined。通らなければ、judge の言うこと
	async judged(blocks) {
		const { name, text, source } = this.desk,
			original = await program(name),
			path = source.path.replace(/^work/, "code"); // コンパイラは、リストの名前で作る
		for (const block of blocks) {
			this.status.textContent = `BLOCK=${block} で確かめている…`;
			const mine = await compiler.build({ name, text, tool: "sanitize", block: Number(block) }, this);
			const job = (this.now = new Job(wasi + worker, { judge: judge.wasm, mine, original, path: source.path, text }));
			let said = "",
				timer;
			const code = await job.ask(
				{ args: [source.path, this.title, block, "mine", "original", ""] },
				({ condition, text = "" }) => {
					said += text;
					if (!condition) return;
					clearTimeout(timer);
					const now = condition.replace(/--(\w+) /g, (_, name) => `${name.toUpperCase()}=`) + ` BLOCK=${block}`;
					timer = setTimeout(
						() => job.end(`${now} で ${SECONDS} 秒たっても終わらない: ループの終わる条件を確かめる`),
						SECONDS * 1000,
					);
				},
			);
			clearTimeout(timer);
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
		this.desk.tell(
			`✅ ${this.title}: どの N でも、ブロックが ${blocks.join(", ")} のどれでも、答えが合う。検査でも誤りは見つからない`,
			[],
		);
		keep("solved", [...new Set([...(recall("solved") ?? []), this.desk.name])]);
		bookSolved();
	}
}
