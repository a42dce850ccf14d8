// verdict.js: 書き換えたリストの判定。make check と同じ条件で、誤りと、CPU との不一致を探す
import { findings } from "./report.js";

const LENGTHS = ["--n 9", "--n 992", "--n 4099"]; // 条件を言わないリスト
// その長さと、--options の言う選び方の 1 つずつ。どの選び方も、どれかの長さで試す
const spread = (options) =>
	[...options.matchAll(/^(--\w+) (.+\|.+)$/gm)].flatMap(([, name, choices]) =>
		choices.split("|").map((choice, k) => `${LENGTHS[k % LENGTHS.length]} ${name} ${choice}`),
	);

// make に書く形: N=16 BLOCK=8
export const spelled = (words) => words.join(" ").replace(/--(\w+) /g, (_, name) => `${name.toUpperCase()}=`);

const blame = (edited) => `書き換える前は合う: 誤りは、書き換えた ${[...new Set(edited)].join("～")} 行目にある`;

// 動かしたもの {code, out, err} の悪い所 (report.js の形)。よければ undefined。edited: 書き換えた行 (source.js)
export function faults({ code, out, err }, path, edited) {
	const found = findings(err, path),
		differ = /❌/.test(out);
	const within = (line) => edited[0] <= line && line <= edited[1];
	if (found.length) {
		if (edited && !found.some(({ line, notes }) => [{ line }, ...notes].some(({ line }) => within(line)))) {
			found[0].text += `\n${blame(edited)}`;
			found[0].notes.push({ line: edited[0], text: blame(edited) });
		}
		return found;
	}
	if (code === 0 && !differ) return undefined;
	const said = err.replace(/^検査: .*/m, "").trim(), // 読者のプログラムの言うこと
		[kind, text] = differ
			? ["不一致", `${said}\n${out.split("\n時間")[0]}\nこの条件で、1 行ずつたどる`]
			: ["止まった", said];
	const line = (differ && edited?.[0]) || 0, // 止まったのは、選んだ N のためかもしれない
		known = [text.trim() || `終了コード ${code}`, line && blame(edited)].filter(Boolean);
	return [{ kind, line, text: known.join("\n"), notes: [] }];
}
export const told = ([{ kind, line }], at) => `❌ ${kind}${line ? `: ${line} 行目` : ""} (${at})`;

// リストの言う条件 (--cases) の全部か、few なら終わりの1つで動かす。
// hear(指定): 動かしたもの。given: ほかの指定 [名前, 値]。say(条件)
// 通れば {count, first, last}。通らなければ {at: 条件, found: 悪い所}
export async function checked({ hear, given, path, edited, say, few }) {
	const { out } = await hear(["--cases"]),
		known = out.split("\n").filter((line) => /^--(?!n \d{7})/.test(line)), // 長いものは、▶ の N が試す
		all = known.length ? known : [...LENGTHS, ...spread((await hear(["--options"])).out)],
		cases = few ? all.slice(-1) : all,
		names = cases.map((line) => spelled([line.split("\t")[0]])); // タブの右は、読者に見せない
	for (const [k, line] of cases.entries()) {
		const words = line.split(/\s+/);
		say(names[k]);
		const found = faults(
			await hear([...given.filter(([name]) => !words.includes(name)).flat(), ...words]),
			path,
			edited,
		);
		if (found) return { at: names[k], found };
	}
	return { count: cases.length, first: names[0], last: names.at(-1) };
}
