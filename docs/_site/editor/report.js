// report.js: 検査の報告と、コンパイラの誤りを読む。どちらも {kind, line, column, text, notes} の列にする
const KINDS = [
	["競合", /競合/],
	["行き詰まり", /デッドロック|来ない|待って|終わらないループ/],
	["未初期化", /まだ誰も書いていない|値を入れていない/],
	["配列の外", /配列の外|終わりを.*越える|触れた|解放した領域|デバイスのメモリでない/],
];

// 報告は「検査: 」か「CPU デバイス: 」で始まり、字下げした行が続く。場所は code/5.3/3-sequential.cu:34 の形
export function findings(said, path) {
	const found = [];
	for (const line of said.split("\n")) {
		const head = line.match(/^(?:検査|CPU デバイス): (.*)/)?.[1];
		if (head && !/^誤りは(見つからなかった|ほかにもある)|^誤りを \d+ 個見つけた/.test(head)) found.push([head]);
		else if (/^ /.test(line) && found.length) found.at(-1).push(line.trim());
	}
	return found.map(([head, ...rest]) => {
		const notes = rest.flatMap((text) => {
			const at = text.split(`${path}:`)[1]?.match(/^\d+/)?.[0];
			return at && !/で起動\)/.test(text) ? [{ line: Number(at), text: text.replace(`${path}:${at}: `, "") }] : [];
		});
		const started = rest.join("\n").split(`${path}:`)[1]?.match(/^\d+/)?.[0];
		return {
			kind: KINDS.find(([, words]) => words.test(head))?.[0] ?? "誤り",
			line: notes[0]?.line ?? Number(started ?? 0),
			text: [head, ...rest].join("\n"),
			notes,
		};
	});
}

// clang の言うことのうち、よくあるもの
const SENTENCES = [
	[/^use of undeclared identifier '(.+?)'/, "$1 という名前はない: 綴りと、宣言した所の { } の範囲を確かめる"],
	[/^unknown type name '(.+?)'/, "$1 という型はない: 綴りを確かめる"],
	[/^expected ';'/, "文の終わりの ; がない"],
	[/^expected '(.)'/, "$1 がない: 括弧の対応を確かめる"],
	[/^expected expression/, "ここには式が要る: 前の記号が余っているか、値を書き忘れている"],
	[/^extraneous closing brace|^expected unqualified-id/, "{ と } の数が合わない: 閉じる括弧が余っていないか"],
	[/^redefinition of '(.+?)'/, "$1 は、もう決めてある: 別の名前にする"],
	[/^no matching function for call to '(.+?)'/, "$1 を、この引数では呼べない: 引数の数と型を確かめる"],
	[/^cannot assign to .*const/, "const の値は書き換えられない"],
	[/^expression is not assignable/, "= の左には、変数か、配列の要素を書く"],
	[/^subscripted value is not/, "[ ] は、配列かポインタに付ける"],
	[/^invalid operands to binary expression/, "この 2 つの型では計算できない"],
];
// 欄のファイルでない所の誤りには、行を付けない。課題のコンパイルも、リストの名前でする
export function explained(errors, path) {
	return errors.map(({ file, line, column, text }) => {
		const [pattern, sentence] = SENTENCES.find(([pattern]) => pattern.test(text)) ?? [],
			told = sentence ? text.replace(new RegExp(`${pattern.source}.*`, "s"), sentence) : text,
			own = file === path.replace(/^work/, "code");
		return {
			kind: "コンパイルできない",
			line: own ? line : 0,
			text: (own || !file ? "" : `${file}:${line}: `) + (sentence ? `${told}\n(${text})` : text),
			notes: own ? [{ line, column, text: told }] : [],
		};
	});
}
