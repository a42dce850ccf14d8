// store.js: このブラウザが覚えているもの: 書きかけのものと、解いた課題。localStorage の使えない所では、何も覚えない
import { make } from "./dom.js";

export function recall(key) {
	try {
		return JSON.parse(localStorage.getItem(`book ${key}`));
	} catch {}
}
export function keep(key, value) {
	try {
		if (value === undefined) localStorage.removeItem(`book ${key}`);
		else localStorage.setItem(`book ${key}`, JSON.stringify(value));
		return true;
	} catch {
		return false;
	}
}
// 覚えているもの全部: {名前: 値}
export function everything() {
	const own = Object.keys(localStorage).filter((key) => /^book (solved|questions|edit |exercise )/.test(key));
	return Object.fromEntries(own.map((key) => [key.slice(5), recall(key.slice(5))]));
}
// everything を書いたファイルの中身を、覚えているものに加える。ここにある書きかけは残す
// 残した書きかけの数。読めなければ undefined
export function merge(text) {
	try {
		const given = JSON.parse(text),
			{ solved = [], questions = {}, ...drafts } = given,
			now = recall("questions") ?? {},
			own = recall("solved") ?? [];
		if (given.constructor !== Object) return undefined;
		for (const [id, one] of Object.entries(questions)) if (!(now[id]?.at >= one.at)) now[id] = one;
		const taken = Object.entries(drafts).filter(
			([key, { constructor }]) => /^(edit|exercise) /.test(key) && constructor === Object,
		);
		const left = taken.filter(([key, texts]) => recall(key) && JSON.stringify(recall(key)) !== JSON.stringify(texts));
		keep("solved", [...new Set([...own, ...solved])]);
		keep("questions", now);
		for (const [key, texts] of taken) if (!recall(key)) keep(key, texts);
		return left.length;
	} catch {}
}
export const solved = () => recall("solved") ?? [];
// 解いた課題の数を、節の一覧に書く
export function markSolved() {
	for (const link of document.querySelectorAll(".md-nav--primary .md-nav__link[href]")) {
		const { pathname, hash } = new URL(link.href),
			section = pathname.match(/([^/]*)\.html$/)?.[1],
			count = solved().filter((name) => name.split("/")[0] === section).length;
		if (!count || (hash && hash !== "#exercises")) continue;
		link.querySelector(".solved")?.remove();
		link.append(make("span", { className: "solved", textContent: `✓${count}`, title: `解いた課題 ${count} 個` }));
	}
}
