// compiler.js: ページの中のコンパイラ (docs/assets/run/compiler.js の Worker)。1 度だけ読み込み、Worker が Cache に残す
const { bytes, here, script, Worker } = bookPage;
const NAMES = { clang: "clang.wasm.gz", pack: "pack.gz" },
	local = location.protocol === "file:"; // ファイルのまま開いたページには、fetch も Cache もない
const address = (name) => new URL(name, here).href;

class Compiler {
	ready = false;
	listeners = new Set();
	done = new Promise((ok) => (this.finish = ok));

	async about() {
		if (!globalThis.bookCompiler) await script("compiler-source.js");
		return bookCompiler; // {source: Worker の中身, sizes: {名前: 大きさ}, version}
	}
	// 読み込むもののうち、まだ残していない大きさ
	async missing() {
		const { sizes, version } = await this.about(),
			cache = local ? undefined : await globalThis.caches?.open("book-compiler").catch(() => undefined),
			there = await Promise.all(Object.keys(sizes).map((name) => cache?.match(`${address(name)}?${version}`)));
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
		const { source, sizes, version } = await this.about(),
			load = { version };
		for (const [key, name] of Object.entries(NAMES)) load[key] = local ? await bytes(name) : address(name);
		this.total = Object.values(sizes).reduce((sum, size) => sum + size, 0);
		this.worker = new (Worker())(URL.createObjectURL(new Blob([source], { type: "text/javascript" })));
		await this.ask({ load });
		this.ready = true;
		this.finish();
	}
	// 1 つずつ頼む
	ask(data) {
		const answer = (this.last ?? Promise.resolve()).then(
			() =>
				new Promise((ok, no) => {
					this.worker.onerror = (e) => no(new Error(e.message));
					this.worker.onmessage = ({ data }) => {
						if (data.loaded !== undefined) this.listeners.forEach((hear) => hear(data.loaded / this.total));
						else if (data.trouble !== undefined) no(new Error(data.trouble));
						else ok(data);
					};
					this.worker.postMessage(data);
				}),
		);
		this.last = answer.catch(() => {});
		return answer;
	}
	// できたプログラム。コンパイルできなければ、errors のある誤りを投げる。waiting.now.end() で、待つのをやめる
	async build(request, waiting) {
		const stopped = new Promise((_, no) => (waiting.now = { end: (sentence) => no(new Error(sentence)) })),
			{ built, errors } = await Promise.race([this.ask({ build: request }), stopped]);
		if (errors) throw Object.assign(new Error("コンパイルできない"), { errors });
		return built;
	}
}
export const compiler = new Compiler();
