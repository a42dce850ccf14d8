// listing.js: 載っているリストを書き換える。▶ は、検査のためのものを先に動かし、判定を言ってから、選んだ N で動かす
import { compiler } from "./compiler.js";
import { Desk } from "./desk.js";
import { explained, findings } from "./report.js";
import { Source } from "./source.js";
import { Tools } from "./tools.js";

const { bytes, find, Job, program } = bookPage;
const SMALL = 1000; // 検査する N。いくつものブロックが働き、すぐ終わる大きさ

const trimmed = (text) =>
	text
		.split("\n")
		.map((line) => line.trimEnd())
		.join("\n")
		.trim();

// ページに載っている領域 [名前, pre]。題が path のコードのうち、中身が領域と同じもの
export function shown(path, source) {
	const blocks = [...document.querySelectorAll(".highlight")].filter(
		(block) => block.querySelector(".filename")?.textContent.startsWith(path) && !block.querySelector(".edit__field"),
	);
	return Object.entries(source.original).flatMap(([region, text]) => {
		const pre = blocks
			.map((block) => block.querySelector("pre"))
			.find((pre) => trimmed(pre.querySelector("code").textContent) === trimmed(text));
		return pre ? [[region, pre]] : [];
	});
}

export class Listing {
	static async open(edit) {
		const name = edit.dataset.edit,
			block = edit.closest(".highlight"),
			path = block.querySelector(".filename a").textContent,
			source = new Source(path, new TextDecoder().decode(await bytes(`${name}.cu`)));
		return new Listing(edit, name, source, shown(path, source));
	}
	constructor(edit, name, source, blocks) {
		const bar = edit.parentElement;
		this.run = find(bar.querySelector(`[data-run="${name}"]`));
		this.desk = new Desk({ bar, name, key: `edit ${name}`, source, blocks, run: () => this.run.go() });
		this.run.edit = this;
		new Tools(this);
		edit.remove();
	}
	// tool のためにコンパイルして、動かす用意をする
	async job(tool, args) {
		await this.desk.compilerReady();
		const block = args.find(([name]) => name === "--block")?.[1],
			{ name, text } = this.desk;
		return new Job(bookWorker, { wasm: await compiler.build({ name, text, tool, block: Number(block) }, this.run) });
	}
	// 動かして、終わるまで聞く
	async hear(job, args) {
		const heard = { 1: "", 2: "" },
			own = args.filter(([name]) => name !== "--block"); // コンパイルしたときに決まっている
		await this.run.wait(job, { args: own.flat() }, ({ fd, text, json }) => {
			if (fd) heard[fd] += text;
			heard.json ??= json;
		});
		return { out: heard[1], err: heard[2], json: heard.json };
	}
	// コンパイルできなければ、その行を言う
	async guarded(work) {
		try {
			await work();
		} catch (e) {
			if (!e.errors) throw e;
			this.desk.tell("コンパイルできない", explained(e.errors, this.desk.source.path));
			throw new Error("コンパイルできない");
		}
	}
	async perform(args) {
		const { desk, run } = this,
			rewritten = desk.rewritten;
		if (!rewritten && !compiler.ready && !compiler.loading) return run.perform(args);
		run.say("コンパイラを待っている…");
		await this.guarded(async () => {
			await this.check(args);
			if (!rewritten) return await run.perform(args);
			run.say("コンパイルしている…");
			const job = await this.job("run", args);
			await run.print(
				job,
				args.filter(([name]) => name !== "--block"),
			);
			job.end();
		});
	}
	async check(args) {
		const { desk, run } = this,
			asked = Number(args.find(([name]) => name === "--n")?.[1]),
			small = args.map(([name, value]) => [name, name === "--n" && asked > SMALL ? String(SMALL) : value]);
		run.say("検査するものをコンパイルしている…");
		const job = await this.job("sanitize", args);
		run.say("検査している…");
		const { err } = await this.hear(job, small);
		job.end();
		const found = findings(err, desk.source.path),
			at = asked > SMALL ? `\n検査は遅いので、N=${asked} ではなく N=${SMALL} で動かした` : "",
			n = small.find(([name]) => name === "--n")?.[1];
		desk.tell(
			found.length
				? `❌ ${found[0].kind}${found[0].line ? `: ${found[0].line} 行目` : ""}${at}`
				: /誤りは見つからなかった/.test(err)
					? `✅ 検査: 誤りは見つからなかった${n && !at ? ` (N=${n})` : ""}${at}`
					: err,
			found,
		);
	}
}
