// errors.js: エラーの名前と文の表 (wasm/error-text.cpp)。見出し cpu/error.h から作る。後に wasi.js が置かれる。
// ページの Worker では、見出しの中身が errorHeader にある
{
	const node = typeof module === "object",
		header = node
			? require("fs").readFileSync(require("path").join(__dirname, "../include/cpu/error.h"), "utf8")
			: globalThis.errorHeader,
		rows = header.replace(/"\s*\\\n\s*"/g, "").matchAll(/X\((\w+), (\d+), "(.*)"\)/g),
		words = [...rows].flatMap(([, name, number, text]) => [number, name, text]),
		errorTable = new TextEncoder().encode(words.map((word) => `${word}\0`).join("") + "\0");
	if (node) module.exports = errorTable;
	else Object.assign(globalThis, { errorTable });
}
