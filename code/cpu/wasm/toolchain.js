// toolchain.js: コンパイラ (npm の @yowasp/clang) と、リストによらない部品。
// できたものは、元の中身から作った名前で残す。
const crypto = require("crypto");
const fs = require("fs");
const path = require("path");
const v8 = require("v8");
const { threadId } = require("worker_threads");
const { Compiler, FLAGS } = require("./compiler.js");

// コンパイラは大きく、1 度ずつしか通らない所が多い。V8 がそれを確かめ、数え、最適化する手間の方が、ずっと大きい
const V8 = ["--no-wasm-dynamic-tiering", "--no-wasm-tier-up", "--no-wasm-inlining", "--wasm-lazy-validation"];
V8.forEach((flag) => v8.setFlagsFromString(flag));

const ROOT = path.resolve(__dirname, "../../..");
const PACKAGE = path.join(ROOT, "tests/node_modules/@yowasp/clang");
const CLANG = path.join(PACKAGE, "gen/llvm.core.wasm");
const read = (name) => fs.readFileSync(path.join(ROOT, name));
const hash = (...parts) =>
	parts.reduce((h, part) => h.update(part).update("\0"), crypto.createHash("sha256")).digest("hex");

// tar の中身を、名前 → 中身 の Map にする
function untar(bytes) {
	const files = new Map(),
		text = (at, size) => bytes.toString("latin1", at, at + size).replace(/\0.*/s, "");
	for (let at = 0; bytes[at];) {
		const size = parseInt(text(at + 124, 12), 8),
			isFile = text(at + 156, 1) === "0";
		if (isFile) files.set(`usr/${text(at, 100)}`, bytes.subarray(at + 512, at + 512 + size));
		at += 512 + Math.ceil(size / 512) * 512;
	}
	return files;
}

// code/ のファイル: 見出しと部品
const sources = fs
	.readdirSync(path.join(ROOT, "code"), { recursive: true })
	.filter((name) => /(\.(h|cuh|cpp|cu)|cuda\/\w+)$/.test(name))
	.map((name) => `code/${name}`)
	.sort();
const inFolder = (folder) => sources.filter((name) => path.posix.dirname(name) === folder && name.endsWith(".cpp"));
const headers = sources.filter((name) => /^code\/(([^/]*|cpu\/.*)\.(h|cuh)|cpu\/include\/cuda\/\w+)$/.test(name)),
	environment = hash(
		JSON.parse(fs.readFileSync(path.join(PACKAGE, "package.json"))).version,
		FLAGS,
		...headers.map(read),
	);

const together = (names) => Buffer.from(names.map((name) => `#include "${name}"\n`).join(""));
class Toolchain {
	// out: できたものを残すフォルダ。clang: 読み込んだコンパイラ
	constructor(out, clang) {
		this.out = out;
		this.clang = clang;
	}
	get compiler() {
		if (!this.made) {
			this.clang ??= new WebAssembly.Module(fs.readFileSync(CLANG));
			const system = untar(fs.readFileSync(path.join(PACKAGE, "gen/llvm-resources.tar")));
			for (const name of sources) system.set(name, read(name));
			this.made = new Compiler(this.clang, system);
			this.made.header = (flags) => this.header(flags);
			this.made.rewriter = new WebAssembly.Module(this.rewriter());
		}
		return this.made;
	}
	// 名前が key のものがなければ、make で作る
	cached(key, make) {
		const file = path.join(this.out, "cache", key);
		if (!fs.existsSync(file)) {
			const temporary = `${file}.${process.pid}.${threadId}`;
			fs.mkdirSync(path.dirname(file), { recursive: true });
			fs.writeFileSync(temporary, make());
			fs.renameSync(temporary, file);
		}
		return fs.readFileSync(file);
	}
	header(flags) {
		return this.cached(`${hash(environment, flags)}.pch`, () => Compiler.prototype.header.call(this.compiler, flags));
	}

	// ---------------------------------------------------------------- 部品
	// まとめて 1 度にコンパイルする。同じ見出しを何度も読まないので、ずっと速い
	unitKey({ names, flags }) {
		return `${hash(environment, flags, ...names, ...names.map(read))}.o`;
	}
	unit(u) {
		return this.cached(this.unitKey(u), () =>
			this.compiler.compile("unit.cpp", `-include-pch pre.pch ${u.flags}`, {
				"unit.cpp": together(u.names),
				...this.compiler.precompile(u.flags),
			}),
		);
	}
	// ふつうの C++ のプログラム。own: names と、取り込むもの
	program(names, own = names) {
		return this.cached(`${hash(environment, ...own.map(read))}.wasm`, () => {
			const { compiler } = this,
				unit = { "unit.cpp": together([...names, "code/cpu/wasm/throw.cpp"]) },
				object = compiler.compile("unit.cpp", "-std=c++17 -Oz -D_WASI_EMULATED_GETPID", unit);
			return compiler.link([object], "-lwasi-emulated-getpid");
		});
	}
	// <<<>>> などを書き換える道具も、WebAssembly で動かす
	rewriter() {
		return this.program(inFolder("code/cpu/rewrite"));
	}
}

const PLAIN = "-fno-rtti"; // 型は、実行時に調べない
const HOST = "-Oz -fno-rtti"; // リストを動かす側は、速さより小ささ
const TOOL = "-DCPU_TOOL";
// どのリストにもつなぐ部品と、節の部品。wasm/ にあるものは、同じ名前のものの代わりになる
const HOT = /\/(schedule|warp|fiber|grid|stack|pool)\.cpp$/, // 待つたびに通る所
	own = inFolder("code/cpu/wasm"),
	known = new Set(own.map((name) => path.basename(name))),
	rooms = ["report", "device", "memory", "exec", "stream"].flatMap((room) => inFolder(`code/cpu/${room}`)),
	device = [...rooms.filter((name) => !known.has(path.basename(name))), ...own];
const runtime = [
	{ names: device.filter((name) => HOT.test(name)), flags: PLAIN },
	{ names: device.filter((name) => !HOT.test(name)), flags: HOST },
	{ names: inFolder("code"), flags: HOST },
];
const section = (folder) => inFolder(folder).map((name) => ({ names: [name], flags: HOST }));
const common = ["undefined", "region"].map((name) => `code/cpu/tools/${name}.cpp`),
	tool = (...names) => [names, common].map((part) => ({ names: part, flags: TOOL }));
const tools = {
	run: [],
	sanitize: tool(...inFolder("code/cpu/tools/sanitize")),
	count: tool("code/cpu/tools/count.cpp"),
	trace: tool("code/cpu/tools/trace.cpp"),
	gpu: [{ names: ["code/cpu/webgpu/device.cpp"], flags: HOST }],
};
module.exports = {
	PLAIN,
	CLANG,
	Toolchain,
	environment,
	hash,
	read,
	runtime,
	section,
	sources,
	tools,
};
