// count.js: make count の JSON を、コードの行の横に置く文と、表にする。数え方と列は make count の表のもの
import { button, make, table } from "./dom.js";

const OPS = { read: "読む", write: "書く", atomic: "アトミック" };
const HEADS = ["行", "命令", "配列", "要求", "レーン/要求", "欠けた要求", "セクタ/要求", "バンク競合", "最悪"];

const average = (sum, row) => (sum / row.requests).toFixed(2);
const shared = (row) => row.space === "shared";

// {行の番号: [{text, bad}]}。bad: セクタが、同じバイト数で最も少ない場合より多いか、バンク競合がある
export function notes(rows, path) {
	const found = {},
		kernels = new Set(rows.map((row) => row.kernel));
	for (const row of rows) {
		const [, file, line] = row.at.match(/^(.*):(\d+)$/) ?? [];
		if (file !== path) continue;
		const cost = shared(row) ? `競合 ${row.conflicts}` : `セクタ/要求 ${average(row.sectors, row)}`,
			own = kernels.size > 1 ? `${row.kernel}: ` : "";
		(found[line] ??= []).push({
			text: `${own}${OPS[row.op]} ${row.array} 要求 ${row.requests} ${cost}`,
			bad: row.conflicts > 0 || row.sectors > row.fewest_sectors,
		});
	}
	return found;
}

// カーネルごとの表。go(行): その行に移る
export function tables(rows, path, go) {
	const line = ({ at }) => {
		const [, file, number] = at.match(/^(.*):(\d+)$/) ?? [, "", at];
		return file === path && go(Number(number)) ? button(number, go(Number(number))) : at.replace(/^.*\//, "");
	};
	const cells = (row) => [
		line(row),
		OPS[row.op],
		row.array,
		row.requests,
		average(row.lanes, row),
		row.partial,
		...(shared(row) ? ["-", row.conflicts, row.worst] : [average(row.sectors, row), "-", "-"]),
	];
	return [...new Set(rows.map((row) => row.kernel))].map((kernel) => {
		const own = rows.filter((row) => row.kernel === kernel),
			title = `カーネル ${kernel} (起動 ${own[0].launches} 回): ワープの命令の数`,
			made = table(title, HEADS, own.map(cells));
		return make("div", { className: "count", tabIndex: 0, role: "region", ariaLabel: title }, made);
	});
}
