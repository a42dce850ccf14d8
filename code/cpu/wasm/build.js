// build.js: リストを WebAssembly にする。ページの中で動かすためのもの。
//   node code/cpu/wasm/build.js フォルダ 5.2/1-reduction …   →  フォルダ/5.2/1-reduction.wasm
// できたものは、元の中身から作った名前で フォルダ/cache に残す。だから、変わったものだけを作り直す。
const { execFileSync } = require("child_process");
const fs = require("fs");
const os = require("os");
const path = require("path");
const zlib = require("zlib");
const { Worker, isMainThread, threadId, workerData } = require("worker_threads");
const bundle = require("./bundle.js");
const { ROOT, Toolchain, environment, hash, read, runtime, section, sources } = require("./toolchain.js");

const [out, ...listings] = isMainThread ? process.argv.slice(2) : workerData.args;
const toolchain = new Toolchain(out, workerData?.clang);
const parts = (listing) => [...runtime, ...section(path.posix.dirname(`code/${listing}`))];

const isTool = (header) => sources.includes(header.replace(/\.cuh$/, ".cpp"));
const usable = sources.filter((name) => /^code\/([0-9][^/]*\/.*\.cuh|cpu\/rewrite\/.*)$/.test(name)),
	own = ["bundle.js", "compiler.js"].map((name) => fs.readFileSync(path.join(__dirname, name))),
	everything = hash(environment, ...own, ...usable.map(read));
const objectKey = (listing) => `${hash(everything, listing, read(`code/${listing}.cu`))}.o`;
const object = (listing) =>
	toolchain.cached(objectKey(listing), () => {
		const { compiler } = toolchain,
			file = `code/${listing}.cu`,
			source = read(file).toString(),
			races = /^\/\/ わざと誤り/m.test(source) ? ["--races"] : [],
			files = new Map(Object.entries(compiler.rewrite(file, source, ...races))),
			text = bundle(listing, files, isTool);
		return compiler.compile("listing.cpp", "-include-pch pre.pch", {
			"listing.cpp": Buffer.from(text),
			...compiler.precompile(""),
		});
	});
const LARGE = 60 * 1024; // gzip してもこれより大きければ、時間をかけて小さくする
const OPTIMIZE =
	"-Oz --enable-bulk-memory --enable-nontrapping-float-to-int --enable-sign-ext --enable-mutable-globals --enable-exception-handling --enable-multivalue --enable-reference-types";
function smaller(wasm) {
	if (zlib.gzipSync(wasm, { level: 9 }).length <= LARGE) return wasm;
	const file = path.join(out, `cache/${process.pid}.${threadId}.wasm`);
	fs.writeFileSync(file, wasm);
	const tool = path.join(ROOT, "tests/node_modules/binaryen/bin/wasm-opt");
	execFileSync(process.execPath, [tool, ...OPTIMIZE.split(" "), file, "-o", file]);
	const made = fs.readFileSync(file);
	fs.unlinkSync(file);
	return made;
}
const programKey = (listing) =>
	`${hash(OPTIMIZE, String(LARGE), objectKey(listing), ...parts(listing).map((u) => toolchain.unitKey(u)))}.wasm`;
const fresh = (listing) => fs.existsSync(path.join(out, "cache", programKey(listing)));

function build(listing) {
	const objects = () => [...parts(listing).map((u) => toolchain.unit(u)), object(listing)],
		wasm = toolchain.cached(programKey(listing), () => smaller(toolchain.compiler.link(objects()))),
		to = path.join(out, `${listing}.wasm`);
	fs.mkdirSync(path.dirname(to), { recursive: true });
	if (!fs.existsSync(to) || !wasm.equals(fs.readFileSync(to))) fs.writeFileSync(to, wasm);
}

// 作り直すものが多ければ、いくつかの Worker で分ける。コンパイラは 1 度だけ読み、皆で使う
function main() {
	const stale = listings.filter((listing) => !fresh(listing));
	if (stale.length === 0) return listings.forEach(build);
	toolchain.precompiled("");
	for (const listing of stale) parts(listing).forEach((u) => toolchain.unit(u));
	build(stale[0]);
	const shared = new Int32Array(new SharedArrayBuffer(4)),
		count = Math.min(os.availableParallelism(), stale.length - 1);
	let left = count;
	for (let k = 0; k < count; k++) {
		const worker = new Worker(__filename, {
			workerData: { args: [out, ...stale.slice(1)], clang: toolchain.compiler.clang, shared },
		});
		worker.on("error", (e) => {
			console.error(e.message);
			process.exit(1);
		});
		worker.on("exit", () => --left || listings.forEach(build));
	}
	if (count === 0) listings.forEach(build);
}
function work() {
	for (let k; (k = Atomics.add(workerData.shared, 0, 1)) < listings.length;) build(listings[k]);
}
if (isMainThread) main();
else work();
