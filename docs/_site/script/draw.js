// 動く図の 1 コマを、SVG に描く
import { BANKS, groups, key, range } from "./frames.js";

export const WIDTH = 360;
const LEFT = 68;

// ---------------------------------------------------------------- 絵
export const f1 = (x) => Math.round(x * 10) / 10;
export const rect = (x, y, w, h, fill, stroke, width = 1.5, more = "") =>
	`<rect x="${f1(x)}" y="${f1(y)}" width="${f1(w)}" height="${f1(h)}" rx="${h > 20 ? 3 : 1}" ` +
	`fill="${fill ? `var(--fig-${fill})` : "none"}" stroke="var(--fig-${stroke})" stroke-width="${width}" ${more}/>`;
export const word = (x, y, text, size = 14, fill = "ink", anchor = "middle", more = "") =>
	`<text x="${f1(x)}" y="${f1(y)}" font-size="${size}" fill="var(--fig-${fill})" ` +
	`text-anchor="${anchor}" ${more}>${text}</text>`;

const curve = (d, stroke, width, more = "") =>
	`<path d="${d}" fill="none" stroke="var(--fig-${stroke})" stroke-width="${width}" ${more}/>`;
const tip = (id) =>
	`<defs><marker id="${id}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" ` +
	`markerUnits="userSpaceOnUse" orient="auto">` +
	'<path d="M0 0L8 4L0 8z" fill="var(--fig-ink)"/></marker></defs>';

// レーンの箱が、そのままレジスタになる。行と行の間を、矢印が通る
function lanesOf(record) {
	const columns = 8,
		pitch = (WIDTH - 8) / columns,
		rowOf = (lane) => Math.floor(lane / columns);
	const box = (lane) => ({ x: 4 + (lane % columns) * pitch, y: 44 + rowOf(lane) * 76, row: rowOf(lane) }),
		boxes = range(record.threads).map(box),
		note = word(18, 13, "レジスタ。箱の1行目は、レーンの番号", 13, "muted", "start"),
		words = [word(4, 13, record.arrays[0].name, 13, "ink", "start"), note];
	return { pitch, w: pitch - 4, h: 48, words, boxes, height: boxes.at(-1).y + 50 };
}

// 上から順に、読むだけの配列、スレッド、共有メモリ、書かれる配列。
// 16 個までは値を書き、それより多ければ 32 列の表にする
export function layout(record, { inputs, frames }) {
	if (record.lanes) return lanesOf(record);
	const tallest = Math.max(...frames.map(({ queue }) => queue.times)),
		longest = Math.max(record.threads, ...record.arrays.map(({ length }) => length)),
		small = longest <= 16;
	const columns = small ? (longest <= 10 ? longest : 8) : BANKS,
		pitch = Math.min(columns < 6 ? 60 : 39, (WIDTH - LEFT) / columns);
	const w = pitch - (small ? 4 : 1.2),
		h = small ? 30 : w,
		cells = new Map(),
		words = [],
		boxes = [];
	const middle = (c) => LEFT + c * pitch + w / 2,
		rows = (n) => Math.ceil(n / columns);
	let y = small ? 0 : 4,
		bank;
	const left = (at, text, size = 13, fill = "muted") => words.push(word(0, at, text, size, fill, "start"));
	function place({ name, shared, length }, above) {
		const numbered = small && length > 1,
			tall = h + (numbered ? 16 : small ? 0 : 1.2);
		if (shared && !small) {
			bank = (y += tallest * 5.5 + 16) - 16;
			left(y - 3, "バンク");
			for (const c of [0, 8, 16, 24, 31]) words.push(word(middle(c), y - 3, c, 13, "muted"));
		}
		if (numbered) left(above ? (y += 13) - 3 : y + h + 12, "番号");
		left(y + 13, name, 13, "ink");
		left(y + 27, shared ? "共有" : "グローバル");
		for (const i of range(length)) {
			const x = LEFT + (i % columns) * pitch,
				top = y + Math.floor(i / columns) * tall;
			cells.set(key({ array: name, i }), { x, y: top, i });
			if (numbered) words.push(word(x + w / 2, above ? top - 3 : top + h + 12, i, 13, "muted"));
			if (small && shared) words.push(word(x + w / 2, top + h + 26, i % BANKS, 13, "muted"));
		}
		y += Math.max(rows(length) * tall, 28);
		if (small && shared) left((y += 14) - 4, "バンク");
		y += above ? 0 : 14;
	}
	const order = [...record.arrays].sort((a, b) => b.shared - a.shared);
	const global = ({ name, shared }) => !shared && inputs.has(name);
	order.filter(global).forEach((a) => place(a, true));
	y += small ? 38 : 8;
	if (small) left(y + 22, record.unit === "ブロック" ? record.unit : "ワープ0", 13);
	const step = small ? 40 : h + 22;
	for (const t of range(record.threads))
		boxes.push({ x: LEFT + (t % columns) * pitch, y: y + (small ? 0 : 18) + Math.floor(t / columns) * step });
	y += rows(record.threads) * step;
	const line = y + 8;
	y += small ? 40 : 16;
	order.filter((a) => !global(a)).forEach((a) => place(a, false));
	return { small, pitch, w, h, cells, words, boxes, middle, line, bank, height: y - 8 };
}

export function draw(record, facts, place, frame, id) {
	if (record.lanes) return drawLanes(record, facts, place, frame, id);
	const { small, w, h } = place,
		{ kind, step, rows, values } = frame,
		one = record.steps[step];
	const busy = new Map(rows.map((row) => [row.thread, row])),
		arrows = [],
		toucher = new Map(), // 大きな絵には矢印がないので、追う人の箱だけを濃く残す
		out = [...place.words];
	const line = (...more) => out.push(curve(...more));
	const fresh = (on) => (on ? 'data-fresh=""' : ""),
		size = w < 34 ? 13 : 14; // 値は、運ばれてから現れる
	const outline = (x, y, h, fill, on, more) =>
		out.push(rect(x, y, w, h, fill, on ? "ink" : "line", small ? 1.5 : on ? 1 : 0.5, more));
	const label = (x, y, text, size, ink, more) => out.push(word(x + w / 2, y, text, size, ink, "middle", more));
	const hit = (part) => new Set((one?.rows ?? []).flatMap((row) => row[part].map(key))),
		written = hit("write"),
		now = kind === "read" ? hit("read") : kind === "write" ? written : new Set();
	// 矢印。間に別の行の箱があれば、列と列の間を通る
	for (const { thread, [kind]: touched } of rows)
		touched.forEach(({ value, ...at }, slot, { length }) => {
			if (!small) return toucher.set(key(at), thread);
			const cell = place.cells.get(key(at)),
				box = place.boxes[thread],
				above = cell.y < box.y,
				x = cell.x + w / 2;
			const from = [x, above ? cell.y + h + 1 : cell.y - 1];
			const to = [box.x + w / 2 + (slot - (length - 1) / 2) * 12, above ? box.y - 2 : box.y + 38];
			const between = [...place.cells.values()].some((o) => o.x === cell.x && (o.y - cell.y) * (o.y - box.y) < 0);
			const side = x + place.pitch * 0.62,
				bend = [from, [side, from[1]], [side, from[1] + (to[1] - from[1]) * 0.6], to];
			const points = between ? bend : [from, to];
			if (kind === "write") points.reverse();
			const [start, ...rest] = points.map((point) => point.map(f1).join(" ")),
				d = `M${start}${between ? "C" : "L"}${rest.join(" ")}`;
			line(d, "ink", 1.5, `data-who="${thread}" marker-end="url(#${id})"`);
			arrows.push({ ends: [points[0], points.at(-1)], value, who: thread });
		});
	// 配列。もう誰も触れない値は灰色。一部のスレッドだけの記録では、分からない
	for (const [name, { x, y, i }] of place.cells) {
		const value = values.get(name),
			after = facts.last.get(name) < step + (kind !== "read" && !written.has(name)),
			over = record.threads === record.block && value !== undefined && after;
		const fill = now.has(name) ? (written.has(name) ? "front" : "back") : over ? "rest" : "";
		const who = toucher.has(name) ? ` data-who="${toucher.get(name)}"` : "",
			shown = `data-value="${name}" ${fresh(now.has(name) && kind === "write")}`;
		outline(x, y, h, fill, now.has(name), `data-cell="${name}" data-bank="${i % BANKS}"${who}`);
		if (small && value !== undefined) label(x, y + 20, value, size, over ? "muted" : "ink", shown);
	}
	// スレッド。書く値を持つ
	const lanes = groups([...busy.keys()], (t) => t >> 5);
	place.boxes.forEach(({ x, y }, t) => {
		const row = busy.get(t),
			on = row || kind === "wait",
			part = !small && lanes.get(t >> 5)?.length < BANKS;
		const fill = row ? (part ? "back" : "front") : "",
			more = `data-thread="${t}" ${row ? 'data-busy=""' : ""}`;
		outline(x, y, small ? 36 : h, fill, on, more);
		const name = `${record.unit === "ブロック" ? "B" : "T"}${t}`;
		if (small) label(x, y + (row ? 13 : 23), name, row ? 13 : 14, row ? "ink" : "muted");
		if (small && row?.write.length) label(x, y + 30, row.write[0].value, size, "ink", fresh(kind === "read"));
		if (!small && t % BANKS === 0) {
			const n = lanes.get(t >> 5)?.length || 0,
				state = busy.size ? `: ${n ? `${n}レーンが働く` : "休む"}` : "";
			out.push(word(LEFT, y - 5, `ワープ${t >> 5}${state}`, 13, "muted", "start"));
		}
	});
	if (kind === "wait") {
		const where = one.wait < 0 ? "カーネルの切れ目" : "__syncthreads()",
			label = one.fence ? "__threadfence(): 順番を作る" : `${where}: 全員を待つ`;
		line(`M0 ${f1(place.line)}H${WIDTH}`, "warn", 3, 'data-wait=""');
		out.push(word(WIDTH, place.line + 17, label, 13, "warn", "end"));
	}
	// 窓口に並ぶ列
	if (!small && place.bank) {
		const { worst, times } = frame.queue,
			crowd = times > 1;
		const [fill, stroke] = crowd ? ["back", "warn"] : ["front", "ink"];
		for (const [bank, words] of worst)
			for (const k of range(words.length)) {
				const [x, y] = [place.middle(bank) - 3.6, place.bank - k * 5.5];
				out.push(rect(x, y, 7.2, 4.2, fill, stroke, 0.8, `data-queue="${bank}"`));
			}
		if (times)
			out.push(word(0, place.bank - 3, `${times}回`, 13, crowd ? "warn" : "ink", "start", `data-times="${times}"`));
	}
	return { html: tip(id) + out.join(""), arrows };
}

// くれるレーンの箱の上から、受け取るレーンの箱まで。同じ行なら上を回り、間に別の行があれば列と列の間を通る
function handing(from, to, { pitch, w, h }) {
	const [x1, y1, x2] = [from.x + w / 2, from.y - 1, to.x + w / 2].map(f1),
		bend = (...points) => `C${points.map(f1).join(" ")}`,
		path = (line, ...ends) => ({ d: `M${x1} ${y1}${line}`, ends });
	if (from.row === to.row) return path(bend(x1, y1 - 23, x2, y1 - 23, x2, y1 - 1), [x1, y1 - 13], [x2, y1 - 13]);
	const y2 = to.y + h + 2,
		side = x1 + (from.row % 2 ? -pitch : pitch) / 2;
	const out = bend(x1, y1 - 15, side, y1 - 8, side, y1 - 23),
		back = bend(side, y2 + 8, x2, y2 + 15, x2, y2);
	return path(from.row - to.row > 1 ? `${out}V${y2 + 23}${back}` : `L${x2} ${y2}`, [x1, y1], [x2, y2]);
}

// 緑は受け取って足すレーン、橙は値をくれるレーン。灰色のレーンも足すが、その和は使わない
function drawLanes(record, facts, place, frame, id) {
	const { w, h, words, boxes } = place,
		{ kind, step, rows, values } = frame,
		[{ name }] = record.arrays,
		reads = kind === "read";
	const useful = rows.filter(({ thread }) => facts.useful[step].has(thread)),
		takers = new Map(useful.map(({ thread, read: [, { i, value }] }) => [thread, { giver: i, given: value }]));
	const givers = new Set(reads ? [...takers.values()].map((one) => one.giver) : []);
	const arrows = [],
		out = [...words];
	boxes.forEach((box, lane) => {
		const { x, y } = box,
			middle = x + w / 2,
			taker = takers.get(lane),
			used = taker || givers.has(lane);
		const fill = taker ? "front" : used ? "back" : rows.length ? "rest" : "",
			ink = used || !rows.length ? "ink" : "muted";
		const value = (y, text, more, fresh) =>
			out.push(word(middle, y, text, 13, ink, "middle", `${more} ${fresh ? 'data-fresh=""' : ""}`));
		const more = `data-thread="${lane}" ${rows.length ? 'data-busy=""' : ""}`;
		out.push(rect(x, y, w, h, fill, used ? "ink" : "line", 1.5, more));
		out.push(word(middle, y + 12, lane, 13, used ? "ink" : "muted"));
		value(y + 27, values.get(`${name}/${lane}`), `data-value="${name}/${lane}"`, taker && !reads);
		if (!taker || !reads) return;
		const { giver, given } = taker,
			{ d, ends } = handing(boxes[giver], box, place);
		value(y + 42, `+${given}`, `data-given="${giver}>${lane}"`, true);
		out.push(curve(d, "ink", 1.5, `data-who="${lane}" marker-end="url(#${id})"`));
		arrows.push({ ends, value: given, who: lane });
	});
	return { html: tip(id) + out.join(""), arrows };
}
