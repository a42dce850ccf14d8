// build.js: リストを WebAssembly にする。ページの中で動かすためのもの。
//   node code/cpu/wasm/build.js フォルダ 5.2/1-reduction …   →  フォルダ/5.2/1-reduction.wasm
//   5.2/1-reduction.gpu は、ブラウザの GPU で動かすもの (webgpu/)
// リストがなければ、ページの中でコンパイルするのに要るもの: フォルダ/clang.wasm.gz、pack.gz、judge.wasm (課題の判定)
// できたものは、元の中身から作った名前で フォルダ/cache に残す。だから、変わったものだけを作り直す。
const fs = require("fs");
const os = require("os");
const path = require("path");
const zlib = require("zlib");
const { Worker, isMainThread, workerData } = require("worker_threads");
const bundle = require("./bundle.js");
const { folderOf, isWrong } = require("./compiler.js");
const {
	CLANG,
	PLAIN,
	Toolchain,
	environment,
	hash,
	read,
	runtime,
	section,
	sources,
	tools,
} = require("./toolchain.js");

const [out, ...listings] = isMainThread ? process.argv.slice(2) : workerData.args;
const toolchain = new Toolchain(out, workerData?.clang);
const listingOf = (name) => name.replace(/\.gpu$/, ""),
	isGpu = (name) => name.endsWith(".gpu"),
	parts = (name) => [...runtime, ...section(folderOf(`code/${listingOf(name)}.cu`)), ...(isGpu(name) ? tools.gpu : [])];

const isTool = (header) => sources.includes(header.replace(/\.cuh$/, ".cpp"));
// リストが取り込むファイルの名前。取り込まないヘッダを直しても、リストは作り直さない
function included(name, section, seen = new Set()) {
	seen.add(name);
	const text = read(name).toString();
	for (const [, header] of text.matchAll(/^\s*#\s*include "(.+)"/gm)) {
		const places = [path.posix.dirname(name), section, "code"].map((folder) => path.posix.join(folder, header)),
			found = places.find((place) => sources.includes(place));
		if (found && !seen.has(found)) included(found, section, seen);
	}
	return [...seen];
}
const beside = (...names) => names.map((name) => fs.readFileSync(path.join(__dirname, name))),
	own = beside("build.js", "bundle.js", "compiler.js", "waits.js"),
	ownGpu = beside("../webgpu/compile.js"),
	rewriter = sources.filter((name) => name.startsWith("code/cpu/rewrite/")),
	everyListing = hash(environment, ...own, ...rewriter.map(read));
function objectKey(name) {
	const file = `code/${listingOf(name)}.cu`,
		parts = included(file, folderOf(file)).flatMap((name) => [name, String(isTool(name)), read(name)]);
	return `${hash(everyListing, ...parts, ...(isGpu(name) ? ownGpu : []))}.o`;
}
const wrongIn = (listing) => isWrong(read(`code/${listing}.cu`).toString());
function bundled(listing) {
	const file = `code/${listing}.cu`;
	return bundle(listing, toolchain.compiler.rewrite(file, read(file).toString()), isTool);
}
const units = (name) => parts(name).map((u) => toolchain.unit(u)),
	forGpu = (name) => toolchain.compiler.forGpu(bundled(listingOf(name)), units(name), PLAIN);
const object = (listing) =>
		toolchain.cached(objectKey(listing), () => toolchain.compiler.object(bundled(listing), wrongIn(listing), PLAIN)),
	program = (listing) => toolchain.compiler.link([...units(listing), object(listing)]);
const programKey = (listing) => `${hash(objectKey(listing), ...parts(listing).map((u) => toolchain.unitKey(u)))}.wasm`;
const fresh = (listing) => fs.existsSync(path.join(out, "cache", programKey(listing)));

function put(name, content) {
	const to = path.join(out, name);
	fs.mkdirSync(path.dirname(to), { recursive: true });
	if (!fs.existsSync(to) || !content.equals(fs.readFileSync(to))) fs.writeFileSync(to, content);
}
const build = (listing) =>
	put(
		`${listing}.wasm`,
		toolchain.cached(programKey(listing), () => (isGpu(listing) ? forGpu : program)(listing)),
	);

// ---------------------------------------------------------------- ページの中のコンパイラ
// C++ と C の見出し (ほかの計算機の命令のものは要らない)、つなぐライブラリ、この本の見出し
const NEEDED = [
	/^usr\/include\/(c\+\+\/v1|wasm32-wasip1)\//,
	/^usr\/include\/(__)?(std|float|limits|iso646|tgmath|inttypes)[^/]*$/,
	/^usr\/lib\/wasm32-wasip1\/(crt1-command\.o|lib(c|c\+\+|c\+\+abi|setjmp)\.a)$/,
	/^usr\/lib\/wasm32-unknown-wasip1\/libclang_rt\.builtins\.a$/,
	/^code\/(([^/]*|([0-9][^/]*|reduce)\/.*)\.(h|cuh)|cpu\/include\/.*)$/,
];
// フォルダ → 部品
const folders = () => {
	const sections = new Set(sources.map((name) => path.posix.dirname(name)).filter((name) => /^code\/[0-9]/.test(name))),
		named = [...Object.entries(tools), ...[...sections].map((folder) => [folder, section(folder)])];
	return [["parts", runtime], ...named.map(([name, units]) => [`parts/${name}`, units])];
};
// [初めの長さ (4 バイト)] [名前と長さの JSON] [中身…]
function pack() {
	const all = new Map([...toolchain.compiler.system].filter(([name]) => NEEDED.some((pattern) => pattern.test(name))));
	for (const [folder, units] of folders()) units.forEach((u, k) => all.set(`${folder}/${k}.o`, toolchain.unit(u)));
	all.set("rewrite.wasm", toolchain.rewriter());
	const index = Buffer.from(JSON.stringify([...all].map(([name, content]) => [name, content.length]))),
		head = Buffer.alloc(4);
	head.writeUInt32LE(index.length);
	return Buffer.concat([head, index, ...all.values()]);
}
function packed() {
	const units = folders().flatMap(([, units]) => units),
		zipped = (name, key, content) =>
			put(
				name,
				toolchain.cached(`${key}.gz`, () => zlib.gzipSync(content(), { level: 9 })),
			);
	zipped("pack.gz", hash(...own, ...units.map((u) => toolchain.unitKey(u)), ...sources.map(read)), pack);
	zipped("clang.wasm.gz", hash(CLANG, String(fs.statSync(CLANG).size)), () => fs.readFileSync(CLANG));
	const beside = sources.filter((name) => /^code\/(exercise|cpu\/rewrite)\//.test(name));
	put("judge.wasm", toolchain.program(["code/exercise/judge.cpp"], beside));
}

// 作り直すものは、いくつかの Worker で分ける。コンパイラは 1 度だけ読み、皆で使う
function main() {
	const stale = listings.filter((listing) => !fresh(listing)),
		count = Math.min(os.availableParallelism(), stale.length),
		finish = () => listings.forEach(build);
	if (!count) return finish();
	toolchain.compiler.precompile(PLAIN);
	for (const listing of stale) parts(listing).forEach((u) => toolchain.unit(u));
	let left = count;
	for (let k = 0; k < count; k++) {
		const args = [out, ...stale.filter((_, j) => j % count === k)],
			worker = new Worker(__filename, { workerData: { args, clang: toolchain.compiler.clang } });
		worker.on("error", (e) => {
			console.error(e.message);
			process.exit(1);
		});
		worker.on("exit", () => --left || finish());
	}
}
if (!isMainThread) listings.forEach(build);
else if (listings.length) main();
else packed();
