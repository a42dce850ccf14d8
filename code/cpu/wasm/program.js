// program.js: ふつうの C++ のプログラムを WebAssembly にする。
//   node code/cpu/wasm/program.js フォルダ code/exercise/judge.cpp   →  フォルダ/judge.wasm
const fs = require("fs");
const path = require("path");
const { Toolchain, environment, hash, read, sources } = require("./toolchain.js");

const [out, name] = process.argv.slice(2);
const toolchain = new Toolchain(out),
	folders = [path.posix.dirname(name), "code/cpu/rewrite"], // 取り込むもののある所
	beside = sources.filter((file) => folders.includes(path.posix.dirname(file)) && file !== name),
	wasm = toolchain.cached(`${hash(environment, name, ...[name, ...beside].map(read))}.program.wasm`, () => {
		const { compiler } = toolchain,
			objects = [
				compiler.compile(name, "-std=c++17 -Oz"),
				toolchain.unit({ names: ["code/cpu/wasm/throw.cpp"], flags: "" }),
			];
		return compiler.link(objects);
	});
fs.writeFileSync(path.join(out, path.basename(name).replace(/\.cpp$/, ".wasm")), wasm);
