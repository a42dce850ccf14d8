// builder.js: ページの中のコンパイラ (builder-worker.js)。1 度だけ読み込み、Worker が Cache に残す。
// 検査は、ブロックの大きさごとに違うプログラムである。コアとメモリがあれば、2 つの Worker で作る。
import { address, bytes, local } from "./later.js";
import { Job } from "./run.js";

const NAMES = { clang: "clang.wasm.gz", pack: "pack.gz" };
const whole = (name) => address(`run/${name}`),
	roomy = () => navigator.hardwareConcurrency > 1 && !(navigator.deviceMemory < 8);

class Builder {
	ready = false;
	workers = []; // {job, asked: 頼んで、まだできていない数, last: 終わりに頼んだこと}
	warned = "";
	listeners = new Set();
	made = {}; // いまの text のもの: 道具と BLOCK → {answer: Promise, wanted: 押されたか}
	done = new Promise((ok) => (this.finish = ok));

	// 読み込むもののうち、まだ残していない大きさ
	async missing() {
		const { sizes, version } = bookEditor.compiler,
			cache = local ? undefined : await globalThis.caches?.open("book-compiler").catch(() => undefined),
			there = await Promise.all(Object.keys(sizes).map((name) => cache?.match(`${whole(name)}?${version}`)));
		return Object.values(sizes).reduce((sum, size, k) => sum + (there[k] ? 0 : size), 0);
	}
	// hear(読み込んだ割合)。sample: 初めに書き換えるもの (build の頼みの形)
	load(hear, sample) {
		this.listeners.add(hear);
		this.sample ??= sample;
		return (this.loading ??= this.start().catch((e) => {
			this.loading = undefined;
			throw e;
		}));
	}
	async start() {
		const { source, sizes, version } = bookEditor.compiler,
			load = { version };
		this.total = Object.values(sizes).reduce((sum, size) => sum + size, 0);
		for (const [key, name] of Object.entries(NAMES)) load[key] = local ? await bytes(name) : whole(name);
		this.workers = [{ job: new Job({}, {}, source), asked: 0 }];
		await this.ask({ load });
		this.ready = true;
		this.finish();
	}
	heard({ loaded, warm }) {
		if (warm) this.prepare().catch(() => {});
		else for (const hear of this.listeners) hear(loaded / this.total);
	}
	// 読み込んだ後の用意。どれも、できなくてもよい
	async prepare() {
		if (roomy()) await this.share();
		// ブラウザは、何度も通った所を速くしていく。初めに書いている間に、1 回分を通しておく
		for (const tool of ["sanitize", "run", "sanitize", "sanitize"])
			if (!this.text) await this.ask({ build: { ...this.sample, tool } });
	}
	// もう 1 つの Worker に、読み込んだものを渡す
	async share() {
		const take = await this.ask({ lend: true }),
			job = new Job({}, {}, bookEditor.compiler.source);
		await job.ask({ take });
		this.workers.push({ job, asked: 0 });
	}
	// 頼まれたことを、空いている Worker が、順に 1 つずつする。順が来たときに still() でなければ、しない
	ask(data, still = () => true) {
		const one = this.workers.reduce((a, b) => (b.asked < a.asked ? b : a)),
			answer = (one.last ?? Promise.resolve()).then(() => still() && one.job.ask(data, (said) => this.heard(said)));
		one.asked++;
		one.last = answer.catch(() => {}).then(() => one.asked--);
		return answer;
	}
	// コンパイルを頼んでおく。ほかのものを動かしている間に進む。同じものは、1 度だけ作る。
	// early: 押される前に作る。書き換えたら、まだ始めていないものは作らない
	begin(request, early) {
		if (this.text !== (this.text = request.text)) this.made = {};
		const { made } = this,
			key = request.tool + request.block,
			one = (made[key] ??= {});
		one.wanted ||= !early;
		one.answer ??= this.ask({ build: request }, () => one.wanted || made === this.made);
		one.answer.catch(() => delete made[key]);
		return one.answer;
	}
	// 頼んだプログラム。コンパイルできなければ、errors のある誤りを投げる。run を止めると、待つのをやめる
	async wait(begun, run) {
		let waiting;
		const stopped = new Promise((_, no) => run.now.add((waiting = { end: (sentence) => no(new Error(sentence)) }))),
			{ built, warned, errors } = await Promise.race([begun, stopped]).finally(() => run.now.delete(waiting));
		this.warned = warned ?? "";
		if (!built) throw Object.assign(new Error("コンパイルできない"), { errors });
		return built;
	}
}
export const builder = new Builder();
