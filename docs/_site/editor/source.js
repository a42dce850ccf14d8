// source.js: 1 つの .cu。ページに載っている領域 (--8<-- [start:kernel] から [end:kernel] まで) を取り替える
const MARK = /--8<-- \[(start|end):([^\]]*)\]/;

export class Source {
	constructor(path, text) {
		this.path = path;
		this.lines = text.replace(/\n$/, "").split("\n");
		this.original = {}; // 領域の名前 → 中身。中の印は除く
		const opened = [];
		for (const line of this.lines) {
			const mark = line.match(MARK);
			if (mark?.[1] === "start") (opened.push(mark[2]), (this.original[mark[2]] = []));
			else if (mark) opened.splice(opened.indexOf(mark[2]), 1);
			else for (const name of opened) this.original[name].push(line);
		}
		for (const name in this.original) this.original[name] = this.original[name].join("\n");
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
	// 節のヘッダを取り込むなら、make run FILE= に要る INCLUDE=
	get folder() {
		const own = this.lines.some((line) => /^#include "(?!book\.cuh")/.test(line));
		return own ? this.path.replace(/\/[^/]*$/, "") : "";
	}
}
