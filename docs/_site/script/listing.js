// listing.js: 載っているリストを書き換える。▶ は、検査してから、選んだ N で動かす。どれも合うときだけ ✅ と言う
import { builder } from "./builder.js";
import { Desk } from "./desk.js";
import { find, Job, without } from "./run.js";
import { Tools } from "./tools.js";
import { checked, faults, spelled, told } from "./verdict.js";

const trimmed = (text) => text.replace(/[ \t]+$/gm, "").trim();

// ページに載っている領域 [名前, pre]。題が source の path のコードのうち、中身が領域と同じもの
export function shown({ path, original }) {
	const titled = (pre) => pre.previousElementSibling.textContent.startsWith(path),
		pres = [...document.querySelectorAll(".highlight:not(:has(.edit__field)) > .filename + pre")].filter(titled),
		code = (pre) => trimmed(pre.querySelector("code").textContent);
	return Object.entries(original)
		.map(([region, text]) => [region, pres.find((pre) => code(pre) === trimmed(text))])
		.filter(([, pre]) => pre);
}

export class Listing {
	constructor(edit, name, source, quiet) {
		const bar = edit.parentElement,
			blocks = shown(source);
		this.run = find(bar.querySelector(`[data-run="${name}"]`));
		this.desk = new Desk({ owner: this, bar, name, key: `edit ${name}`, source, blocks, quiet });
		this.run.edit = this;
		new Tools(this);
		edit.remove();
	}
	async job(...given) {
		return new Job({ listing: await this.desk.built(...given, this.run) });
	}
	// 動かして、終わるまで聞く
	hear(job, args) {
		return this.run.wait(job, { args: without(args, "--block").flat() }); // BLOCK は、コンパイルしたときに決まっている
	}
	// 動かしたもの。誤りがあれば undefined
	async perform(args) {
		const { desk, run } = this,
			{ rewritten, source, text, texts } = desk;
		if (!rewritten && !builder.loading) return run.perform(args);
		desk.tell("", []);
		run.say("コンパイラを待っている…");
		return desk.guarded(async () => {
			await desk.compilerReady();
			const checked = this.check(args),
				last = this.last(args);
			last.catch(() => {}); // 検査の言うことが先である
			const right = await checked,
				ran = await last,
				edited = /❌/.test(ran.out) ? source.edited(texts) : undefined, // 選んだ N が大きすぎることもある
				found = faults({ ...ran, err: ran.out }, source.path, edited);
			run.say(ran.ended);
			if (right && found) desk.tell(told(found, spelled(args.flat())), found);
			else if (right && desk.text !== text) desk.tell("動かしている間に書き換えた: もう一度動かす", []);
			else if (right) return (desk.tell(`${right}、動かした ${spelled(args.flat())} でも、CPU と一致した`, []), ran);
		});
	}
	// 選んだ N で動かしたもの。リストのままなら、もうできているプログラム
	async last(args) {
		const { desk, run } = this;
		if (!desk.rewritten) return run.perform(args);
		const job = await this.job("run", args);
		return run.print(job, without(args, "--block")).finally(() => job.end());
	}
	go() {
		return this.run.go();
	}
	// 次に押すと作るもの
	get builds() {
		const { run } = this;
		return run.controls && [...this.blocks().map((block) => ["sanitize", [["--block", block]]]), ["run", run.args()]];
	}
	// 検査するブロックの大きさ: 選んだもの、いちばん小さいもの、judge.cpp の large。終わりのものは、遅いので、条件を減らす
	blocks() {
		const { value, options } = this.run.controls.get("--block"),
			others = [...options].map((option) => option.value).filter((other) => other !== value);
		const large = /kBlock & \(kBlock - 1\)/.test(this.desk.text) ? others.at(-1) : "992";
		return others.length ? [...new Set([value, others[0], large])] : [value];
	}
	// どの大きさでも検査する。プログラムを作るのも検査も、並べて進める。
	// 通れば、そう言う文の初め。通らなければ、初めの 1 つが言うことを言い、ほかはやめる
	async check(args) {
		const { desk, run } = this,
			{ path } = desk.source,
			edited = desk.source.edited(desk.texts),
			given = without(args, "--block"),
			blocks = this.blocks(),
			jobs = [],
			done = [];
		let over;
		const all = blocks.map(async (block, k) => {
			const job = await this.job("sanitize", [["--block", block]]),
				hear = (words) => this.hear(job, words),
				say = (at) => {
					if (over) throw over;
					run.say(`検査している… ${at} BLOCK=${block}`);
				};
			jobs.push(job);
			return checked({ hear, given, path, edited, say, few: k > 1 }).finally(() => job.end());
		});
		run.say("検査するものをコンパイルしている…");
		for (const one of all) one.catch(() => {});
		try {
			for (const one of all) if (done.push(await one) && done.at(-1).found) break;
		} finally {
			over = true;
			for (const job of jobs) job.end();
		}
		const { at, found } = done.at(-1);
		if (found?.some(({ kind }) => kind === "行き詰まり")) run.end("止めた");
		if (found) return desk.tell(told(found, `${at} BLOCK=${blocks[done.length - 1]}`), found);
		const where = `${done[0].first} から ${done[0].last} まで、BLOCK=${blocks.join("、")}`;
		return `✅ 誤りは見つからなかった: 検査した ${done.reduce((sum, { count }) => sum + count, 0)} 通り (${where}) でも`;
	}
}
