// exact_page.js: device/exact.cu を、ページの中と同じコンパイラと CPU デバイスで動かす
//   node tests/exact_page.js 型 ファイル
const fs = require("fs");
const zlib = require("zlib");
const { CLANG, Toolchain, hash } = require("../code/cpu/wasm/toolchain.js");
const { Compiler } = require("../code/cpu/wasm/compiler.js");
const { Wasi } = require("../code/cpu/wasm/wasi.js");

process.chdir(`${__dirname}/..`);
const folder = "build/wasm"; // build.js が置いたもの
const [type, arrays] = process.argv.slice(2);
const toolchain = new Toolchain(folder);
const text = fs.readFileSync("tests/device/exact.cu", "utf8").replace("../../code/", "../");
const pack = fs.readFileSync(`${folder}/pack.gz`);
const wasm = toolchain.cached(`${hash(text, pack)}.exact.wasm`, () => {
	const compiler = Compiler.fromPack(new WebAssembly.Module(fs.readFileSync(CLANG)), zlib.gunzipSync(pack));
	compiler.header = (flags) => toolchain.header(flags);
	return compiler.program("code/5.13/exact.cu", text, "run", compiler.parts("parts", "parts/run"));
});
const files = new Map([["arrays", fs.readFileSync(arrays)]]);
const wasi = new Wasi(["exact", type, "arrays"], files, (fd, bytes) => fs.writeSync(fd, bytes));
process.exitCode = wasi.start(new WebAssembly.Module(wasm));
