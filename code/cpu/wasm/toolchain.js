// toolchain.js: WebAssembly の clang (npm の @yowasp/clang) を、Node.js の中で動かす。この計算機のコンパイラは使わない。
const fs = require("fs");
const path = require("path");
const { Wasi } = require("./wasi.js");

const ROOT = path.resolve(__dirname, "../../..");
const PACKAGE = path.join(ROOT, "tests/node_modules/@yowasp/clang");
const VERSION = () => JSON.parse(fs.readFileSync(path.join(PACKAGE, "package.json"))).version;

// tar の中身を、名前 → 中身 の Map にする
function untar(bytes) {
	const files = new Map(),
		text = (at, size) =>
			bytes
				.subarray(at, at + size)
				.toString()
				.replace(/\0.*$/s, "");
	for (let at = 0; at + 512 <= bytes.length && bytes[at];) {
		const name = [text(at + 345, 155), text(at, 100)].filter(Boolean).join("/"),
			size = parseInt(text(at + 124, 12), 8);
		if (/^[0\0]$/.test(String.fromCharCode(bytes[at + 156])))
			files.set(`usr/${name.replace(/^\.\//, "")}`, bytes.subarray(at + 512, at + 512 + size));
		at += 512 + Math.ceil(size / 512) * 512;
	}
	return files;
}

// code/ のファイル: 見出しと部品
function sources() {
	return fs
		.readdirSync(path.join(ROOT, "code"), { recursive: true })
		.filter((name) => /\.(h|cuh|cpp|cu)$/.test(name))
		.map((name) => `code/${name}`)
		.sort();
}

const TARGET =
	"--target=wasm32-wasip1 --sysroot=/usr -resource-dir /usr -nostdinc++ " +
	"-isystem /usr/include/wasm32-wasip1/c++/v1 -isystem /usr/include/c++/v1";
// 例外は使えない。待つ関数はコルーチンにする。ブロックを途中でやめるのに setjmp を使う
const FLAGS = `${TARGET} -std=c++20 -O2 -w -ffp-contract=off -fignore-exceptions -mllvm -wasm-enable-sjlj -Icode/cpu/include -Icode`;
const LIBRARIES =
	"-lc++ -lc++abi -lsetjmp -lc /usr/lib/wasm32-unknown-wasip1/libclang_rt.builtins.a -z stack-size=1048576 --strip-all";

class Toolchain {
	constructor(module) {
		this.module = module ?? new WebAssembly.Module(fs.readFileSync(path.join(PACKAGE, "gen/llvm.core.wasm")));
		this.system = untar(fs.readFileSync(path.join(PACKAGE, "gen/llvm-resources.tar")));
		for (const name of sources()) this.system.set(name, fs.readFileSync(path.join(ROOT, name)));
	}
	// files の上で clang を動かし、できたファイルの中身を返す
	run(args, files, made) {
		let log = "";
		const all = new Map([...this.system, ...Object.entries(files)]),
			code = new Wasi(args, all, (fd, bytes) => (log += new TextDecoder().decode(bytes))).start(this.module);
		if (code) throw new Error(`${args.at(-1)} をコンパイルできない:\n${log}`);
		return all.get(made);
	}
	compile(name, flags = "", files = {}) {
		return this.run(
			["clang++", ...FLAGS.split(" "), ...flags.split(" ").filter(Boolean), "-c", "-o", "made.o", name],
			files,
			"made.o",
		);
	}
	link(objects, flags = "") {
		const files = Object.fromEntries(objects.map((bytes, k) => [`${k}.o`, bytes]));
		const args = `wasm-ld -m wasm32 -L/usr/lib/wasm32-wasip1 /usr/lib/wasm32-wasip1/crt1-command.o ${Object.keys(files).join(" ")} ${LIBRARIES} ${flags} -o made.wasm`;
		return this.run(args.split(" ").filter(Boolean), files, "made.wasm");
	}
}
module.exports = { ROOT, VERSION, FLAGS, Toolchain, sources };
