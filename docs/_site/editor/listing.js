// listing.js: 載っているリストを書き換える。▶ は、検査のためのものを先に動かし、判定を言ってから、選んだ N で動かす
import { compiler } from "./compiler.js";
import { Desk } from "./desk.js";
import { explained, findings } from "./report.js";
import { Source } from "./source.js";

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
		edit.remove();
	}
	async build(tool, args) {
		const block = args.find(([name]) => name === "--block")?.[1];
		return compiler.build({ name: this.desk.name, text: this.desk.text, tool, block: Number(block) }, this.run);
	}
	async perform(args) {
		const { desk, run } = this,
			rewritten = desk.rewritten;
		if (!rewritten && !compiler.ready && !compiler.loading) return run.perform(args);
		run.say("コンパイラを待っている…");
		await desk.compilerReady();
		try {
			await this.check(args);
			if (!rewritten) return await run.perform(args);
			run.say("コンパイルしている…");
			const job = new Job(bookWorker, { wasm: await this.build("run", args) });
			await run.print(
				job,
				args.filter(([name]) => name !== "--block"),
			);
			job.end();
		} catch (e) {
			if (!e.errors) throw e;
			desk.tell("コンパイルできない", explained(e.errors, desk.source.path));
			throw new Error("コンパイルできない");
		}
	}
	async check(args) {
		const { desk, run } = this;
		run.say("検査するものをコンパイルしている…");
		const job = new Job(bookWorker, { wasm: await this.build("sanitize", args) });
		run.say("検査している…");
		const small = args
			.filter(([name]) => name !== "--block")
			.map(([name, value]) => [name, name === "--n" && value > SMALL ? String(SMALL) : value]);
		let said = "";
		await run.wait(job, { args: small.flat() }, ({ fd, text }) => (said += fd === 2 ? text : ""));
		job.end();
		const found = findings(said, desk.source.path),
			n = small.find(([name]) => name === "--n")?.[1];
		desk.tell(
			found.length
				? `❌ ${found[0].kind}${found[0].line ? `: ${found[0].line} 行目` : ""}`
				: /誤りは見つからなかった/.test(said)
					? `✅ 検査: 誤りは見つからなかった${n ? ` (N=${n})` : ""}`
					: said,
			found,
		);
	}
}
