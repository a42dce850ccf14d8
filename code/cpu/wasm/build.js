// build.js: リストを WebAssembly にする。ページの中で動かすためのもの。
//   node code/cpu/wasm/build.js フォルダ 5.2/1-reduction …   →  フォルダ/5.2/1-reduction.wasm
// できたものは、元の中身から作った名前で フォルダ/cache に残す。だから、変わったものだけを作り直す。
const { execFileSync } = require("child_process");
const crypto = require("crypto");
const fs = require("fs");
const os = require("os");
const path = require("path");
const zlib = require("zlib");
const { Worker, isMainThread, threadId, workerData } = require("worker_threads");
const bundle = require("./bundle.js");
const { ROOT, VERSION, FLAGS, Toolchain, sources } = require("./toolchain.js");
const { Wasi } = require("./wasi.js");

const [out, ...listings] = isMainThread ? process.argv.slice(2) : workerData.args;
const read = (name) => fs.readFileSync(path.join(ROOT, name));
const hash = (...parts) =>
	parts.reduce((h, part) => h.update(part).update("\0"), crypto.createHash("sha256")).digest("hex");

let toolchain;
const clang = () => (toolchain ??= new Toolchain(workerData?.module));

// 名前が key のものがなければ、make で作る
function cached(key, make) {
	const file = path.join(out, "cache", key);
	if (!fs.existsSync(file)) {
		fs.mkdirSync(path.dirname(file), { recursive: true });
		fs.writeFileSync(`${file}.${process.pid}.${threadId}`, make());
		fs.renameSync(`${file}.${process.pid}.${threadId}`, file);
	}
	return fs.readFileSync(file);
}

const all = sources(),
	headers = all.filter((name) => /^code\/([^/]*|cpu\/.*)\.(h|cuh)$/.test(name)),
	environment = hash(VERSION(), FLAGS, ...headers.map(read));

// ---------------------------------------------------------------- 部品
// まとめて 1 度にコンパイルする。同じ見出しを何度も読まないので、ずっと速い
const unitKey = ({ names, flags }) => `${hash(environment, flags, ...names, ...names.map(read))}.o`;
const unit = (u) =>
	cached(unitKey(u), () =>
		clang().compile("unit.cpp", u.flags, {
			"unit.cpp": Buffer.from(u.names.map((name) => `#include "${name}"\n`).join("")),
		}),
	);
const inFolder = (folder) => all.filter((name) => path.posix.dirname(name) === folder && name.endsWith(".cpp"));
const HOST = "-include cuda_runtime.h -Oz -fno-rtti"; // リストを動かす側は、速さより小ささ

function parts(listing) {
	const own = inFolder("code/cpu/wasm"),
		replaced = new Set(own.map((name) => path.basename(name))), // wasm/ にあるものは、同じ名前のものの代わりになる
		runtime = [...inFolder("code/cpu").filter((name) => !replaced.has(path.basename(name))), ...own],
		section = inFolder(path.posix.dirname(`code/${listing}`));
	return [
		{ names: runtime, flags: "-include cuda_runtime.h -Os" },
		{ names: inFolder("code"), flags: HOST },
		...section.map((name) => ({ names: [name], flags: HOST })),
	];
}

// <<<>>> などを書き換える道具も、WebAssembly で動かす。できたファイルが入った Map を返す
let rewriter;
function rewrite(listing) {
	const own = inFolder("code/cpu/rewrite");
	rewriter ??= new WebAssembly.Module(
		cached(`${hash(environment, ...own.map(read))}.wasm`, () =>
			clang().link(
				[
					{ names: own, flags: "-std=c++17 -D_WASI_EMULATED_GETPID" },
					{ names: ["code/cpu/wasm/throw.cpp"], flags: "" },
				].map(unit),
				"-lwasi-emulated-getpid",
			),
		),
	);
	const text = ["", "", ""],
		files = new Map(all.map((name) => [name, read(name)])),
		races = /^\/\/ わざと誤り/m.test(files.get(`code/${listing}.cu`)) ? ["--races"] : [],
		args = [
			"rewrite",
			"--coroutines",
			...races,
			"--headers",
			"headers",
			"-I",
			`code/${path.posix.dirname(listing)}`,
			`code/${listing}.cu`,
		],
		code = new Wasi(args, files, (fd, bytes) => (text[fd] += Buffer.from(bytes).toString("latin1"))).start(rewriter);
	if (code) throw new Error(Buffer.from(text[2], "latin1").toString());
	return files.set("listing.cpp", Buffer.from(text[1], "latin1"));
}

const PRE = ["cuda_runtime.h", "book.cuh", "cooperative_groups.h", "cooperative_groups/reduce.h"]
	.map((name) => `#include <${name}>\n`)
	.join("");
const precompiled = () =>
	cached(`${hash(environment, PRE)}.pch`, () =>
		clang().compile("pre.h", "-x c++-header", { "pre.h": Buffer.from(PRE) }),
	);

// ---------------------------------------------------------------- リスト
const isTool = (header) => all.includes(header.replace(/\.cuh$/, ".cpp"));
const usable = all.filter((name) => /^code\/([0-9][^/]*\/.*\.cuh|cpu\/rewrite\/.*)$/.test(name)),
	everything = hash(environment, fs.readFileSync(path.join(__dirname, "bundle.js")), ...usable.map(read));
const objectKey = (listing) => `${hash(everything, listing, read(`code/${listing}.cu`))}.o`;
const object = (listing) =>
	cached(objectKey(listing), () => {
		const text = bundle(listing, rewrite(listing), isTool),
			files = { "listing.cpp": Buffer.from(text), "pre.h": Buffer.from(PRE), "pre.pch": precompiled() };
		return clang().compile("listing.cpp", "-include-pch pre.pch", files);
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
	`${hash(OPTIMIZE, String(LARGE), objectKey(listing), ...parts(listing).map(unitKey))}.wasm`;
const fresh = (listing) => fs.existsSync(path.join(out, "cache", programKey(listing)));

function build(listing) {
	const wasm = cached(programKey(listing), () => smaller(clang().link([...parts(listing).map(unit), object(listing)]))),
		to = path.join(out, `${listing}.wasm`);
	fs.mkdirSync(path.dirname(to), { recursive: true });
	if (!fs.existsSync(to) || !wasm.equals(fs.readFileSync(to))) fs.writeFileSync(to, wasm);
}

// 作り直すものが多ければ、いくつかの Worker で分ける。コンパイラは 1 度だけ読み、皆で使う
function main() {
	const stale = listings.filter((listing) => !fresh(listing));
	if (stale.length === 0) return listings.forEach(build);
	precompiled();
	for (const listing of stale) parts(listing).forEach(unit);
	build(stale[0]);
	const shared = new Int32Array(new SharedArrayBuffer(4)),
		count = Math.min(os.availableParallelism(), stale.length - 1);
	let left = count;
	for (let k = 0; k < count; k++) {
		const worker = new Worker(__filename, {
			workerData: { args: [out, ...stale.slice(1)], module: clang().module, shared },
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
