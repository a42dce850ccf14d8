// bundle.js: 書き換えたリストから、ブロックの大きさを選べるプログラムを作る。
// ページで選べるブロックの大きさ。どのリストの制約にも合い、どのリストの初めの値もある。多いほど、作るのに時間がかかる
const BLOCKS = [32, 256, 512, 1024];

// リストと節のヘッダを、ブロックの大きさごとに名前空間に入れて並べる。外に出すのは、見出しと、中身が .cpp にある道具。
// files: rewrite が書いたもの {名前: 中身}。isTool(ヘッダ): 中身が .cpp にある節の道具か
module.exports = (listing, files, isTool) => {
	const made = {},
		outside = new Set(),
		once = []; // 1 つの名前空間に 1 度だけ取り込む
	let blocks = ["kDefaultBlock"]; // BLOCK を使わないリストは、1 つだけ並べる
	for (const [name, content] of Object.entries(files)) {
		const text = Buffer.from(content).toString(),
			[, file] = text.match(/^#line 1 "(.*)"/),
			guard = `ONCE_${once.length}`;
		if (file !== `code/${listing}.cu` && isTool(file)) {
			outside.add(`#include "${name}"`);
			made[name] = content;
			continue;
		}
		once.push(`#undef ${guard}\n`);
		const inner = text
			.replace("#pragma once", "")
			.replace(/^#include (?!"(headers\/)?[0-9a-f]+\.h").*/gm, (line) => (outside.add(line), ""));
		made[name] = Buffer.from(`#ifndef ${guard}\n#define ${guard}\n${inner}\n#endif\n`);
		if (/\bBLOCK\b/.test(inner)) blocks = BLOCKS;
	}
	const copy = (block) =>
			`#undef BLOCK\n#define BLOCK ${block}\n${once.join("")}namespace block_${block} {\n#include "inside.h"\n}\n`,
		main = `#pragma push_macro("BLOCK")
#undef BLOCK
${[...outside].join("\n")}
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
	return { ...made, "inside.h": made["listing.cpp"], "listing.cpp": Buffer.from(main) };
};
