// report.js: 検査の報告と、コンパイラの誤りを読む。どちらも {kind, line, text, notes} の列にする
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

// コンパイラの言うこと (rewrite/explain.cpp の 1 文。code/my.cu:12: 文)。行のないものは、前の続き。
// 欄のファイルでない所の誤りには、行を付けない。課題のコンパイルも、リストの名前でする
export function explained(said, path, kind = "コンパイルできない") {
	const found = [];
	for (const sentence of said.trim().split("\n")) {
		const [, file, at, text] = sentence.match(/^(?:\.\/)?([^\s:]+):(\d+): (.*)$/) ?? [],
			own = file === path.replace(/^work/, "code");
		if (text || !found.length) found.push({ kind, line: own ? Number(at) : 0, text: own ? text : sentence, notes: [] });
		else found.at(-1).text += `\n${sentence}`;
	}
	return found;
}
