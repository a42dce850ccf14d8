// bundle.js: 書き換えたリストから、コンパイルする 1 つのファイルを作る。
// ページで選べるブロックの大きさ。どのリストの制約にも合い、どのリストの初めの値もある。多いほど、作るのに時間がかかる
const BLOCKS = [32, 256, 512, 1024];

// 書き換えたヘッダを、取り込む所に広げる。行の番号は、元のファイルのもの
function expand(files, name, seen) {
	let number = 0,
		file = "";
	return Buffer.from(files.get(name))
		.toString()
		.split("\n")
		.flatMap((line) => {
			const mark = line.match(/^#line (\d+) "(.*)"$/),
				inner = line.match(/^#include "(?:headers\/)?([0-9a-f]+\.h)"/), // ヘッダの中のものは、隣の名前
				header = inner && `headers/${inner[1]}`;
			number = mark ? Number(mark[1]) - 1 : number + 1;
			file = mark ? mark[2] : file;
			if (line === "#pragma once" || seen.has(header)) return [""];
			if (!header) return [line];
			seen.add(header);
			return [...expand(files, header, seen), `#line ${number + 1} "${file}"`];
		});
}

// 1 つのリストを、ブロックの大きさごとに名前空間に入れて並べる。外に出すのは、見出しと、中身が .cpp にある節の道具
function bundle(listing, lines, isTool) {
	const own = `code/${listing}.cu`;
	let file = own;
	const outside = [],
		inside = [];
	for (const line of lines) {
		file = line.match(/^#line \d+ "(.*)"$/)?.[1] ?? file;
		const tool = file !== own && isTool(file);
		if (tool || line.startsWith("#include")) (outside.push(line), inside.push(line.startsWith("#line") ? line : ""));
		else inside.push(line);
	}
	// BLOCK を使わないリストは、1 つだけ並べる
	const blocks = inside.some((line) => /\bBLOCK\b/.test(line)) ? BLOCKS : ["kDefaultBlock"],
		copy = (block) => `#undef BLOCK\n#define BLOCK ${block}\nnamespace block_${block} {\n${inside.join("\n")}\n}\n`;
	return `#pragma push_macro("BLOCK")
#undef BLOCK
${outside.join("\n")}
#ifndef BLOCK
#pragma pop_macro("BLOCK")
#endif
constexpr int kDefaultBlock = BLOCK;
${blocks.map(copy).join("")}
int main(int argc, char** argv) {
    if (argc == 2 && !strcmp(argv[1], "--options")) {
        printf("--block %d", kDefaultBlock);
        for (const int block : {${blocks.join(", ")}}) printf("|%d", block);
        puts("");
    }
    const bool chosen = argc > 2 && !strcmp(argv[1], "--block");
    const int block = chosen ? atoi(argv[2]) : kDefaultBlock;
    argv[2 * chosen] = argv[0], argc -= 2 * chosen, argv += 2 * chosen;
    switch (block) {
${blocks.map((block) => `        case ${block}: return block_${block}::main(argc, argv);`).join("\n")}
    }
    return fprintf(stderr, "BLOCK=%d は使えない\\n", block), 2;
}
`;
}

// files: rewrite が書いたもの。isTool(ヘッダ): 中身が .cpp にある節の道具か
module.exports = (listing, files, isTool) => bundle(listing, expand(files, "listing.cpp", new Set()), isTool);
