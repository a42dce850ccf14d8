// source.js: 1 つの .cu。ページに載っている領域 (--8<-- [start:kernel] から [end:kernel] まで) を取り替える
const MARK = /--8<-- \[(start|end):([^\]]*)\]/;

export class Source {
	constructor(path, text) {
		this.path = path;
		this.lines = text.replace(/\n$/, "").split("\n");
		this.original = {}; // 領域の名前 → 中身。中の印 (答え) は除く
		let inside;
		for (const line of this.lines) {
			const mark = line.match(MARK);
			if (!mark && inside) this.original[inside].push(line);
			if (mark?.[1] === "start" && !inside) this.original[(inside = mark[2])] = [];
			if (mark?.[1] === "end" && mark[2] === inside) inside = undefined;
		}
		for (const name in this.original) this.original[name] = this.original[name].join("\n");
	}
	// コンパイラは、リストの名前で作る
	get listing() {
		return this.path.replace(/^work/, "code");
	}
	// texts: 領域の名前 → 書き換えたもの。{text: 全体, first: 領域の名前 → 初めの行の番号}
	joined(texts) {
		const out = [],
			first = {};
		let inside;
		for (const line of this.lines) {
			const mark = line.match(MARK);
			if (inside && !(mark?.[1] === "end" && mark[2] === inside)) continue;
			inside = undefined;
			out.push(line);
			if (mark?.[1] === "start" && mark[2] in texts) {
				inside = mark[2];
				first[inside] = out.length + 1;
				out.push(...texts[inside].split("\n"));
			}
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
