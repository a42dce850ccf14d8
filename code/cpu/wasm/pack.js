// pack.js: ページの中でコンパイルするのに要るファイルを、1 つにまとめる。
//   node code/cpu/wasm/pack.js フォルダ   →  フォルダ/clang.wasm.gz、フォルダ/pack.gz、フォルダ/judge.wasm (課題の判定)
// pack: [初めの長さ (4 バイト)] [名前と長さの JSON] [中身…]。pack.gz と clang.wasm.gz は、gzip したもの
const fs = require("fs");
const path = require("path");
const zlib = require("zlib");
const { CLANG, Toolchain, hash, read, runtime, section, sources, tools } = require("./toolchain.js");

const [out] = process.argv.slice(2);
const toolchain = new Toolchain(out);
// C++ と C の見出し (ほかの計算機の命令のものは要らない)、つなぐライブラリ、この本の見出し
const NEEDED = [
	/^usr\/include\/(c\+\+\/v1|wasm32-wasip1)\//,
	/^usr\/include\/(__)?(std|float|limits|iso646|tgmath|inttypes)[^/]*$/,
	/^usr\/lib\/wasm32-wasip1\/(crt1-command\.o|lib(c|c\+\+|c\+\+abi|setjmp)\.a)$/,
	/^usr\/lib\/wasm32-unknown-wasip1\/libclang_rt\.builtins\.a$/,
	/^code\/(([^/]*|([0-9][^/]*|reduce)\/.*)\.(h|cuh)|cpu\/include\/.*)$/,
];
function files() {
	const all = new Map([...toolchain.compiler.system].filter(([name]) => NEEDED.some((pattern) => pattern.test(name)))),
		put = (folder, units) => units.forEach((u, k) => all.set(`${folder}/${k}.o`, toolchain.unit(u)));
	put("parts", runtime);
	for (const [tool, units] of Object.entries(tools)) put(`parts/${tool}`, units);
	for (const folder of new Set(sources.map((name) => path.posix.dirname(name))))
		if (/^code\/[0-9]/.test(folder)) put(`parts/${folder}`, section(folder));
	all.set("rewrite.wasm", toolchain.rewriter());
	return all;
}
function pack(all) {
	const index = Buffer.from(JSON.stringify([...all].map(([name, content]) => [name, content.length]))),
		head = Buffer.alloc(4);
	head.writeUInt32LE(index.length);
	return Buffer.concat([head, index, ...all.values()]);
}
const units = [
		...runtime,
		...Object.values(tools).flat(),
		...sources.flatMap((name) => section(path.posix.dirname(name))),
	],
	key = hash(fs.readFileSync(__filename), ...units.map((u) => toolchain.unitKey(u)), ...sources.map(read));
const put = (name, content) => {
	const to = path.join(out, name);
	fs.mkdirSync(out, { recursive: true });
	if (!fs.existsSync(to) || !content.equals(fs.readFileSync(to))) fs.writeFileSync(to, content);
};
put(
	"pack.gz",
	toolchain.cached(`${key}.pack.gz`, () => zlib.gzipSync(pack(files()), { level: 9 })),
);
put(
	"clang.wasm.gz",
	toolchain.cached(`${hash(CLANG, String(fs.statSync(CLANG).size))}.clang.gz`, () =>
		zlib.gzipSync(fs.readFileSync(CLANG), { level: 9 }),
	),
);
const beside = sources.filter((name) => /^code\/(exercise|cpu\/rewrite)\//.test(name));
put("judge.wasm", toolchain.program(["code/exercise/judge.cpp"], beside));
