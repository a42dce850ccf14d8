// ladder.js: 読む人の GPU の階段。リストのままのものの速さを覚え、本文の装置と並べる。
// 保存したファイルは、docs/measured のフォルダに times.jsonl として置ける
import { button, make, save, table } from "./dom.js";
import { bytes } from "./later.js";
import { keep, recall } from "./store.js";

const MANY = 1 << 24; // 本文の装置と比べる個数
let place; // 見せている所。ページに 1 つ

// 覚えて、run の下に見せる。ほかの GPU のものは忘れる
export async function climb(run, row) {
	const same = (other) => other.listing === row.listing && other.n === row.n,
		kept = recall("ladder") ?? [],
		rows = [...kept.filter((other) => other.device === row.device && !same(other)), row];
	const remembered = keep("ladder", rows),
		{ device, ms } = JSON.parse(new TextDecoder().decode(await bytes("ladder.json"))),
		known = Object.keys(ms),
		order = ({ listing }) => known.indexOf(listing);
	rows.sort((a, b) => order(a) - order(b) || a.n - b.n);
	const gbs = ({ n, kernel_ms }) => `${((4 * n) / kernel_ms / 1e6).toFixed(1)} GB/s`,
		theirs = ({ listing, n }) => (n === MANY && ms[listing] ? `${ms[listing].toFixed(4)} ms` : "—"),
		line = (row) => [row.listing, row.n, `${row.kernel_ms.toFixed(4)} ms`, gbs(row), theirs(row)],
		heads = ["リスト", "N", row.device, "GB/s", `${device} (CUDA)`],
		lines = rows.map((row) => `${JSON.stringify(row)}\n`).join("");
	place?.remove();
	place = make("div", { className: "count" }, table("自分の GPU の階段", heads, rows.map(line)));
	place.append(
		button("階段を保存する", () => save("times.jsonl", lines)),
		button("階段を消す", () => (keep("ladder"), place.remove())),
		remembered ? "" : " このブラウザは階段を覚えられない",
	);
	run.form.append(place);
}
