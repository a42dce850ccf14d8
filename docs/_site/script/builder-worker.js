// builder-worker.js: リストをコンパイルする Worker の中身。
// 受け取る: {load: {clang, pack, version}}  clang.wasm.gz と pack.gz の、初めから書いた URL か中身。
//   version: 変わったら読み直す
//           {build: {file: "code/5.3/3-sequential.cu", text: その中身, tool, block}}
//             tool は "run" か "sanitize" か "count" か "trace" か "gpu"。
//             block は BLOCK の値。なければ決まった値
//           {lend: true}  読み込んだものを、もう 1 つの Worker に渡すために返す
//           {take}        それを受け取る
// 送る:     {loaded}         読み込んだバイト数
//           {warm}           見出しも読んだ。lend を受け取れる
//           {done: true}     build を受け取れる
//           {done: {built, warned}}  WebAssembly のプログラムと、警告 (なければ空)
//           {done: {errors}}  コンパイルできなかったわけ
//           {trouble}        コンパイラが動かせなかった理由
// build の答えは、受け取った順に 1 つずつ返す。
// プログラムの出力と終了コードは、make run, sanitize, count, trace のものと同じ。
// count の表と trace の JSON は、worker.js が {json} で送る。
import { ACCESS, Compiler, Refused } from "../../../code/cpu/wasm/compiler.js";

let compiler, cache;

async function fetched(url, version, arrived) {
	const known = `${url}?${version}`,
		kept = await cache?.match(known),
		response = kept ?? (await fetch(url));
	if (!response.ok) throw new Error(`${url} が読み込めない`);
	const counting = new TransformStream({ transform: (part, to) => (arrived(part.length), to.enqueue(part)) }),
		all = await new Response(response.body.pipeThrough(counting)).blob();
	if (!kept) await cache?.put(known, new Response(all)).catch(() => {});
	return all;
}
// gzip したものなら、元に戻す (サーバーが戻していることもある)
async function unzipped(blob) {
	const zipped = new Uint8Array(await blob.slice(0, 2).arrayBuffer())[0] === 0x1f,
		stream = zipped ? blob.stream().pipeThrough(new DecompressionStream("gzip")) : blob.stream();
	return new Uint8Array(await new Response(stream).arrayBuffer());
}
async function load({ clang, pack, version }) {
	let loaded = 0;
	const arrived = (more) => postMessage({ loaded: (loaded += more) });
	cache = await globalThis.caches?.open("book-compiler").catch(() => undefined);
	for (const request of (await cache?.keys()) ?? [])
		if (!request.url.endsWith(`?${version}`)) await cache.delete(request);
	const files = await Promise.all(
		[clang, pack].map((file) => (typeof file === "string" ? fetched(file, version, arrived) : new Blob([file]))),
	);
	const [program, rest] = await Promise.all(files.map(unzipped));
	compiler = Compiler.fromPack(await WebAssembly.compile(program), rest);
}
// 見出しは、読むのに数秒かかるので、読んだものを残しておく。先に使う、検査のものから
async function warm({ clang, version }) {
	for (const flags of [ACCESS, ""]) {
		const key = typeof clang === "string" && new URL(`precompiled${flags.length}?${version}`, clang).href,
			kept = key && (await cache?.match(key));
		const made = kept ? new Uint8Array(await kept.arrayBuffer()) : compiler.precompile(flags)["pre.pch"];
		compiler.precompiled.set(flags, made);
		if (key && !kept) await cache?.put(key, new Response(made)).catch(() => {});
	}
}
function build(request) {
	try {
		const built = compiler.build(request);
		postMessage({ done: { built, warned: compiler.warned } }, [built.buffer]);
	} catch (e) {
		if (!(e instanceof Refused)) throw e;
		postMessage({ done: { errors: e.message } });
	}
}
onmessage = async ({ data }) => {
	try {
		if (data.load) {
			await load(data.load);
			postMessage({ done: true });
			await warm(data.load);
			postMessage({ warm: true });
		} else if (data.lend) {
			const { clang, system, rewriter, precompiled } = compiler;
			postMessage({ done: { clang, system, rewriter, precompiled } });
		} else if (data.take) {
			compiler = Object.assign(new Compiler(), data.take);
			postMessage({ done: true });
		} else if (data.build) build(data.build);
	} catch (e) {
		postMessage({ trouble: e instanceof WebAssembly.CompileError ? "browser" : String(e) });
	}
};
