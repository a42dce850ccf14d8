// dom.js: 画面の部品を作る
export function make(tag, properties, ...children) {
	const e = Object.assign(document.createElement(tag), properties);
	e.append(...children);
	return e;
}
export const button = (textContent, onclick) => make("button", { type: "button", textContent, onclick });
// 表。行の初めは、その行の見出しである
export const table = (title, heads, rows) => {
	const line = ([first, ...cells]) =>
		make("tr", {}, make("th", { scope: "row" }, first), ...cells.map((cell) => make("td", {}, cell)));
	const head = make("tr", {}, ...heads.map((text) => make("th", { scope: "col" }, text))),
		parts = [make("caption", {}, title), make("thead", {}, head), make("tbody", {}, ...rows.map(line))];
	return make("table", { className: "count__table" }, ...parts); // テーマの表の形にしない
};
// text を、name というファイルとして渡す
export function save(name, text) {
	const url = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
	make("a", { href: url, download: name }).click();
	setTimeout(() => URL.revokeObjectURL(url), 10000);
}
// e の載っているタブを開いて、そこまで動く
export function reveal(e) {
	const tab = e.closest(".tabbed-block");
	if (tab) tab.parentElement.previousElementSibling.children[[...tab.parentElement.children].indexOf(tab)].click();
	e.scrollIntoView({ block: "center" });
}
export const icon = (path) =>
	`<svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true"><path fill="currentColor" d="${path}"/></svg>`;
export const PLAY = "M4 2v12l9-6z";
