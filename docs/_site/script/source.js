// source.js: 1 つの .cu。ページに載っている領域 (--8<-- [start:kernel] から [end:kernel] まで) を取り替える
const MARK = /--8<-- \[(start|end):([^\]]*)\]/;

export class Source {
	constructor(path, text) {
		this.path = path;
		this.lines = text.replace(/\n$/, "").split("\n");
		this.parts = [["", []]]; // [領域の名前 (外なら空), 行の列]
		let inside = "";
		for (const line of this.lines) {
			const [, mark, name] = line.match(MARK) ?? [];
			if (mark === "end" && name === inside) this.parts.push([(inside = ""), []]);
			this.parts.at(-1)[1].push(line);
			if (mark === "start" && !inside) this.parts.push([(inside = name), []]);
		}
		this.original = {}; // 領域の名前 → 中身。中の印 (答え) は除く
		for (const [name, lines] of this.parts)
			if (name) this.original[name] = lines.filter((line) => !MARK.test(line)).join("\n");
	}
	// コンパイラは、リストの名前で作る
	get listing() {
		return this.path.replace(/^work/, "code");
	}
	// texts: 領域の名前 → 書き換えたもの。{text: 全体, first: 領域の名前 → 初めの行の番号}
	joined(texts) {
		const out = [],
			first = {};
		for (const [name, lines] of this.parts) {
			first[name] = out.length + 1;
			out.push(...(texts[name]?.split("\n") ?? lines));
		}
		return { text: out.join("\n") + "\n", first };
	}
	// 書き換えた行 [初め, 終わり]。もとが正しければ、誤りはこの中にある。わざと誤ったリストでは、言えない
	edited(texts) {
		const original = Object.fromEntries(Object.keys(texts).map((region) => [region, this.original[region]])),
			[before, after] = [original, texts].map((t) => this.joined(t).text.split("\n"));
		if (before.some((line) => line.startsWith("// わざと誤り"))) return undefined;
		const first = after.findIndex((line, k) => line !== before[k]);
		if (first < 0) return undefined;
		let last = 0; // 終わりから数えて、同じ行の数
		while (after.length - last > first + 1 && after.at(-1 - last) === before.at(-1 - last)) last++;
		return [first + 1, after.length - last];
	}
	// 節のヘッダを取り込むなら、make run FILE= に要る INCLUDE=
	get folder() {
		const own = this.lines.some((line) => /^#include "(?!book\.cuh")/.test(line));
		return own ? this.path.replace(/\/[^/]*$/, "") : "";
	}
}
