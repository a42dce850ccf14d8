// errors.js: エラーの名前と文の表 (wasm/error-text.cpp)。見出し cpu/error.h から作る。
// ページの Worker では、まとめるとき (docs/_site/runnable.py) に、見出しの中身が ERROR_HEADER になる
const header =
		typeof ERROR_HEADER === "string"
			? ERROR_HEADER
			: require("fs").readFileSync(require("path").join(__dirname, "../include/cpu/error.h"), "utf8"),
	rows = header.replace(/"\s*\\\n\s*"/g, "").matchAll(/X\((\w+), (\d+), "(.*)"\)/g),
	words = [...rows].flatMap(([, name, number, text]) => [number, name, text]);
module.exports = new TextEncoder().encode(words.map((word) => `${word}\0`).join("") + "\0");
