// build.js: リストを WebAssembly にする。ページの中で動かすためのもの。
//   node code/cpu/wasm/build.js フォルダ 5.2/1-reduction …   →  フォルダ/5.2/1-reduction.wasm
// できたものは、元の中身から作った名前で フォルダ/cache に残す。だから、変わったものだけを作り直す。
const crypto = require("crypto");
const fs = require("fs");
const os = require("os");
const path = require("path");
const { Worker, isMainThread, parentPort, workerData } = require("worker_threads");
const { ROOT, VERSION, FLAGS, Toolchain, sources } = require("./toolchain.js");
const { Wasi } = require("./wasi.js");

const BLOCKS = [32, 64, 128, 256, 512, 1024]; // ページで選べるブロックの大きさ。どのリストの制約にも合う

const [out, ...listings] = isMainThread ? process.argv.slice(2) : workerData.args;
const read = (name) => fs.readFileSync(path.join(ROOT, name));
const hash = (...parts) => parts.reduce((h, part) => h.update(part).update("\0"), crypto.createHash("sha256")).digest("hex");

let toolchain;
const clang = () => (toolchain ??= new Toolchain(workerData?.module));

// 名前が key のものがなければ、make で作る
function cached(key, make) {
	const file = path.join(out, "cache", key);
	if (!fs.existsSync(file)) {
		fs.mkdirSync(path.dirname(file), { recursive: true });
		fs.writeFileSync(`${file}.${process.pid}`, make());
		fs.renameSync(`${file}.${process.pid}`, file);
	}
	return fs.readFileSync(file);
}

const all = sources(),
	headers = all.filter((name) => /^code\/([^/]*|cpu\/.*)\.(h|cuh)$/.test(name)),
	environment = hash(VERSION(), FLAGS, ...headers.map(read));

// まとめて 1 度にコンパイルする。同じ見出しを何度も読まないので、ずっと速い
function unit(names, flags = "-include cuda_runtime.h") {
	return cached(`${hash(environment, flags, ...names.map(read))}.o`, () =>
		clang().compile("unit.cpp", flags, { "unit.cpp": Buffer.from(names.map((name) => `#include "${name}"\n`).join("")) }),
	);
}
const inFolder = (folder) => all.filter((name) => path.posix.dirname(name) === folder && name.endsWith(".cpp"));

// CPU デバイスの部品。wasm/ にあるものは、同じ名前のものの代わりになる
function runtime() {
	const own = inFolder("code/cpu/wasm"),
		replaced = new Set([...own.map((name) => path.basename(name)), "watch.cpp", "where.cpp"]);
	return unit([...inFolder("code/cpu").filter((name) => !replaced.has(path.basename(name))), ...own]);
}
const host = () => unit(inFolder("code"));
const sectionHost = (section) => inFolder(`code/${section}`).map((name) => unit([name]));

// <<<>>> などを書き換える道具も、WebAssembly で動かす。できたファイルが入った Map を返す
let rewriter;
function rewrite(listing) {
	const parts = inFolder("code/cpu/rewrite");
	rewriter ??= new WebAssembly.Module(
		cached(`${hash(environment, ...parts.map(read))}.wasm`, () =>
			clang().link([unit(parts, "-std=c++17 -D_WASI_EMULATED_GETPID"), unit(["code/cpu/wasm/throw.cpp"])], "-lwasi-emulated-getpid"),
		),
	);
	const text = ["", "", ""],
		files = new Map(all.map((name) => [name, read(name)])),
		races = /^\/\/ わざと誤り/m.test(files.get(`code/${listing}.cu`)) ? ["--races"] : [],
		args = ["rewrite", "--coroutines", ...races, "--headers", "headers", "-I", `code/${path.posix.dirname(listing)}`, `code/${listing}.cu`],
		code = new Wasi(args, files, (fd, bytes) => (text[fd] += Buffer.from(bytes).toString("latin1"))).start(rewriter);
	if (code) throw new Error(Buffer.from(text[2], "latin1").toString());
	return files.set("listing.cpp", Buffer.from(text[1], "latin1"));
}

// 書き換えたヘッダを、取り込む所に広げる。行の番号は、元のファイルのもの
function expand(files, name, seen) {
	let number = 0,
		file = "";
	return files
		.get(name)
		.toString()
		.split("\n")
		.flatMap((line) => {
			const mark = line.match(/^#line (\d+) "(.*)"$/),
				header = line.match(/^#include "(headers\/.*)"/)?.[1];
			number = mark ? Number(mark[1]) - 1 : number + 1;
			file = mark ? mark[2] : file;
			if (line === "#pragma once" || seen.has(header)) return [""];
			if (!header) return [line];
			seen.add(header);
			return [...expand(files, header, seen), `#line ${number + 1} "${file}"`];
		});
}

// 1 つのリストを、ブロックの大きさごとに名前空間に入れて並べる。外に出すのは、見出しと、中身が .cpp にある節の道具
function bundle(listing, lines) {
	const own = `code/${listing}.cu`;
	let file = own;
	const outside = [],
		inside = [];
	for (const line of lines) {
		file = line.match(/^#line \d+ "(.*)"$/)?.[1] ?? file;
		const tool = file !== own && all.includes(file.replace(/\.cuh$/, ".cpp"));
		if (tool || line.startsWith("#include")) outside.push(line), inside.push(line.startsWith("#line") ? line : "");
		else inside.push(line);
	}
	const copy = (block) => `#undef BLOCK\n#define BLOCK ${block}\nnamespace block_${block} {\n${inside.join("\n")}\n}\n`;
	return `#pragma push_macro("BLOCK")
#undef BLOCK
${outside.join("\n")}
#ifndef BLOCK
#pragma pop_macro("BLOCK")
#endif
constexpr int kDefaultBlock = BLOCK;
${BLOCKS.map(copy).join("")}
int main(int argc, char** argv) {
    if (argc == 2 && !strcmp(argv[1], "--options")) {
        printf("--block %d", kDefaultBlock);
        for (const int block : {${BLOCKS.join(", ")}}) printf("|%d", block);
        puts("");
    }
    const bool chosen = argc > 2 && !strcmp(argv[1], "--block");
    const int block = chosen ? atoi(argv[2]) : kDefaultBlock;
    argv[2 * chosen] = argv[0], argc -= 2 * chosen, argv += 2 * chosen;
    switch (block) {
${BLOCKS.map((block) => `        case ${block}: return block_${block}::main(argc, argv);`).join("\n")}
    }
    return fprintf(stderr, "BLOCK=%d は使えない\\n", block), 2;
}
`;
}

function build(listing) {
	const text = bundle(listing, expand(rewrite(listing), "listing.cpp", new Set())),
		section = path.posix.dirname(listing),
		parts = [runtime(), host(), ...sectionHost(section)];
	const wasm = cached(`${hash(environment, text, ...parts)}.wasm`, () => {
		const pre = '#include "cuda_runtime.h"\n#include "book.cuh"\n#include <cooperative_groups.h>\n#include <cooperative_groups/reduce.h>\n';
		const pch = cached(`${hash(environment, pre)}.pch`, () => clang().compile("pre.h", "-x c++-header", { "pre.h": Buffer.from(pre) }));
		const object = clang().compile("listing.cpp", "-include-pch pre.pch", { "listing.cpp": Buffer.from(text), "pre.h": Buffer.from(pre), "pre.pch": pch });
		return clang().link([...parts, object]);
	});
	const to = path.join(out, `${listing}.wasm`);
	fs.mkdirSync(path.dirname(to), { recursive: true });
	if (!fs.existsSync(to) || hash(fs.readFileSync(to)) !== hash(wasm)) fs.writeFileSync(to, wasm);
}

for (const listing of listings) {
	const t = performance.now();
	build(listing);
	if (process.env.SHOW) console.log(listing, Math.round(performance.now() - t), process.cpuUsage().user / 1e6);
}
