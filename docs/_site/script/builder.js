// builder.js: ページの中のコンパイラ (builder-worker.js)。1 度だけ読み込み、Worker が Cache に残す。
import { address, bytes, local } from "./later.js";
import { Job } from "./run.js";

const NAMES = { clang: "clang.wasm.gz", pack: "pack.gz" };
const whole = (name) => address(`run/${name}`);

class Builder {
	ready = false;
	warned = [];
	listeners = new Set();
	done = new Promise((ok) => (this.finish = ok));

	// 読み込むもののうち、まだ残していない大きさ
	async missing() {
		const { sizes, version } = bookEditor.compiler,
			cache = local ? undefined : await globalThis.caches?.open("book-compiler").catch(() => undefined),
			there = await Promise.all(Object.keys(sizes).map((name) => cache?.match(`${whole(name)}?${version}`)));
		return Object.values(sizes).reduce((sum, size, k) => sum + (there[k] ? 0 : size), 0);
	}
	// hear(読み込んだ割合)
	load(hear) {
		this.listeners.add(hear);
		return (this.loading ??= this.start().catch((e) => {
			this.loading = undefined;
			throw e;
		}));
	}
	async start() {
		const { source, sizes, version } = bookEditor.compiler,
			load = { version },
			total = Object.values(sizes).reduce((sum, size) => sum + size, 0);
		for (const [key, name] of Object.entries(NAMES)) load[key] = local ? await bytes(name) : whole(name);
		this.job = new Job({}, {}, source);
		await this.ask({ load }, ({ loaded }) => this.listeners.forEach((hear) => hear(loaded / total)));
		this.ready = true;
		this.finish();
	}
	// 頼まれたことを、順に 1 つずつする
	ask(data, hear) {
		const answer = (this.last ?? Promise.resolve()).then(() => this.job.ask(data, hear));
		this.last = answer.catch(() => {});
		return answer;
	}
	// コンパイルを頼んでおく。ほかのものを動かしている間に進む
	begin(request) {
		return this.ask({ build: request });
	}
	// 頼んだプログラム。コンパイルできなければ、errors のある誤りを投げる。waiting.now.end() で、待つのをやめる
	async wait(begun, waiting) {
		const stopped = new Promise((_, no) => (waiting.now = { end: (sentence) => no(new Error(sentence)) })),
			{ built, warned, errors } = await Promise.race([begun, stopped]);
		this.warned = warned || [];
		if (errors) throw Object.assign(new Error("コンパイルできない"), { errors });
		return built;
	}
}
export const builder = new Builder();
