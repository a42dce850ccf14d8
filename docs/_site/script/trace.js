// trace.js: make trace の JSON から、動く図 (player.js) の記録を、ブロックごとに作る。
// 本の図の記録 (images/traces/*.json) は、make trace の形に戻してから、同じようにする。
import { groups, key } from "./frames.js";

const END = -1, // 行の代わり: カーネルの終わりが、全員を待つ所になる
	LANES = 32;
const up = (name) => (a, b) => name(a) - name(b);
const numbers = (set) => [...new Set(set)].sort(up(Number));
const grouped = (list, name) => [...groups(list, name)].sort(up(([k]) => k));
const rounded = (value) => (typeof value === "number" ? Math.round(value * 100) / 100 : value);
const legible = (cell) => ({ ...cell, value: rounded(cell.value) });
// 1 つの出来事が触れた所。float4 は 4 つに分ける
const cells = ({ array, index, value }) =>
	(Array.isArray(value) ? value : [value]).map((one, k) => ({ array, i: index + k, value: one }));
const writes = ({ op }) => op === "write" || op === "atomic";

export class Trace {
	// made: {launches, arrays, events}。lines: 行 (code/5.3/3-sequential.cu:14) → 見せるコードの何行目か。
	// split: 段がもう分かれている
	constructor(made, lines, split = false) {
		Object.assign(this, made, { lines, split });
		this.blocks = numbers(this.events.map((e) => e.block));
		this.races = new Set(); // 同じ段でほかのスレッドが書いた値を読む行
		this.unseen = false; // シャッフルで渡した値が、図に出ない
		this.partial = false; // シャッフルの図は、メモリに書く前まで
	}
	// 値の分からない所に触れたか
	get unknown() {
		const e = this.events.find((e) => (e.op === "read" || writes(e)) && e.value === null);
		return e && `${e.array}[${e.index}]`;
	}
	// 見せるコードの何行目か
	linesOf({ at, lines }) {
		return lines ?? (this.lines.has(at) ? [this.lines.get(at)] : []);
	}
	record(block, about) {
		const own = this.events.filter((e) => e.block === block),
			size = Math.max(...own.map(({ launch }) => this.launches[launch].block.reduce((a, b) => a * b))),
			lanes = this.lanes(own, size, about.code);
		this.partial ||= !!lanes;
		if (!lanes) this.unseen ||= own.some((e) => e.op === "shuffle");
		return { block: size, threads: size, sums: false, ...(lanes ?? this.memory(block)), ...about };
	}

	// ------------------------------------------------------------ メモリの読み書き
	memory(block) {
		const steps = [],
			shared = new Set(this.arrays.filter(({ space }) => space === "shared").map(({ name }) => name));
		let rows = new Map(),
			theirs = [], // ほかのブロックが書いたもの。共有メモリは、ブロックごとに別のものである
			launch;
		// バリアまでの行を、段に分ける。ワープの中で待った数も、段になる
		const close = (wait) => {
			const warps = grouped([...rows.values()], (row) => row.thread >> 5).map(([, warp]) => warp);
			for (const warp of warps) {
				const first = Math.min(...warp.map((row) => row.step));
				for (const row of warp) row.stage = row.step - first;
			}
			for (const [, stage] of grouped(warps.flat(), (row) => row.stage))
				for (const step of this.split ? [{ rows: stage, atomic: stage[0].atomic }] : this.ordered(stage))
					steps.push({ launch, others: [], ...step });
			if (rows.size && wait !== undefined) steps.at(-1).wait = wait;
			rows = new Map();
		};
		for (const e of this.events) {
			if (e.block !== block) {
				if (writes(e) && !shared.has(e.array)) theirs.push(...cells(e));
				continue;
			}
			if (e.launch !== launch) (close(END), (launch = e.launch));
			if (e.op === "barrier") close(this.lines.get(e.at) ?? END);
			if (e.op === "end") (close(e.wait), (steps.at(-1).fence = e.fence));
			if (e.op !== "read" && !writes(e)) continue;
			if (!rows.size) {
				if (steps.length) steps.at(-1).others = theirs;
				theirs = [];
			}
			const turn = `${e.step} ${e.thread}`,
				fresh = { thread: e.thread, step: e.step, read: new Map(), write: new Map(), lines: [] };
			if (!rows.has(turn)) rows.set(turn, fresh);
			const row = rows.get(turn);
			row.atomic ||= e.op === "atomic";
			row.lines.push(...this.linesOf(e));
			// 読んだのは初めの値、書いたのは終わりの値
			for (const cell of cells(e)) {
				const place = key(cell);
				if (writes(e)) row.write.set(place, cell);
				else if (!row.write.has(place) && !row.read.has(place)) row.read.set(place, cell);
			}
		}
		close();
		return this.shown(steps);
	}
	// 1 つの段の行を、順に見せる組に分ける。1 つの組では、全員が読んでから書く。
	// その間に書かれた値を読むものと、アトミック演算は、後の組にする
	ordered(rows) {
		const parts = [],
			turns = [],
			wrote = new Map(),
			read = new Map();
		const latest = (cells, known, after) =>
			Math.max(0, ...[...cells.keys()].filter((cell) => known.has(cell)).map((cell) => known.get(cell) + after));
		for (const row of rows) {
			let k = latest(row.read, wrote, 1);
			if (k) row.lines.forEach((line) => this.races.add(line));
			if (!row.atomic) k = Math.max(k, latest(row.write, wrote, 0), latest(row.write, read, 0));
			for (const cell of row.read.keys()) read.set(cell, Math.max(read.get(cell) ?? 0, k));
			if (row.atomic) turns.push({ ...row, read: new Map() });
			else for (const cell of row.write.keys()) wrote.set(cell, k);
			if (!row.atomic || row.read.size) (parts[k] ??= []).push(row.atomic ? { ...row, write: new Map() } : row);
		}
		return [...parts.filter(Boolean).map((rows) => ({ rows })), ...turns.map((row) => ({ rows: [row], atomic: true }))];
	}
	// 触れない配列は見せない
	shown(steps) {
		const touched = steps.flatMap(({ rows }) => rows.flatMap((row) => [...row.read.values(), ...row.write.values()])),
			used = new Set(touched.map(({ array }) => array)),
			seen = this.arrays.filter(({ name }) => used.has(name)),
			named = groups(seen, ({ name }) => name),
			names = [...named.keys()];
		const placed = (map) =>
			[...map.values()].map(legible).sort((a, b) => names.indexOf(a.array) - names.indexOf(b.array) || a.i - b.i);
		return {
			unit: "スレッド",
			arrays: [...named].map(([name, same]) => ({
				name,
				shared: same[0].space === "shared",
				length: Math.max(...same.map(({ length }) => length)),
			})),
			steps: steps.map((step) => ({
				...step,
				lines: numbers(step.rows.flatMap((row) => row.lines)),
				rows: step.rows
					.sort(up((row) => row.thread))
					.map(({ thread, read, write }) => ({ thread, read: placed(read), write: placed(write) })),
				others: step.others.filter(({ array }) => used.has(array)).map(legible),
			})),
		};
	}

	// ------------------------------------------------------------ シャッフル
	// 1 つのワープの中で、受け取った値を足していくものなら、レーンのレジスタの記録。ほかは undefined
	lanes(own, size, code) {
		if (size > LANES) return;
		const v = code.flatMap((line) => line.match(/(\w+) (?:\+= |= \1 \+ )__shfl_/)?.[1] ?? [])[0] ?? "v",
			first = own.filter((e) => e.launch === own[0].launch),
			steps = [];
		let values = Array(size).fill(0);
		for (const [, events] of grouped(first, (e) => e.step)) {
			if (events.some(writes)) break;
			for (const e of events.filter((e) => e.op === "read")) {
				if (steps.length) return;
				for (const { value } of cells(e)) values[e.thread] += value;
			}
			const given = events.filter((e) => e.op === "shuffle").sort(up((e) => e.thread)),
				after = [...values],
				rows = [];
			for (const { thread, index, value } of given) {
				if (value === null || Math.abs(values[index] - value) > 1e-4 * Math.max(1, Math.abs(value))) return;
				after[thread] += values[index];
				const cell = (i, held) => legible({ array: v, i, value: held[i] });
				rows.push({ thread, read: [cell(thread, values), cell(index, values)], write: [cell(thread, after)] });
			}
			const lines = numbers(given.flatMap((e) => this.linesOf(e)));
			if (rows.length) steps.push({ launch: 0, lines, rows });
			values = after;
		}
		if (steps.length) return { unit: "レーン", lanes: true, arrays: [{ name: v, shared: false, length: size }], steps };
	}
}

// 本の図の記録の 1 行は、1 つのスレッドが 1 つの段で触れた所 (images/trace.py)
export function recorded({ rows, barriers, atomics = [], fences = [], block, threads, arrays, ...about }) {
	const events = [],
		of = (list, [launch, , step]) => list.find(([l, , s]) => l === launch && s === step);
	rows.forEach((row, k) => {
		const [launch, , step, thread, read, write, lines] = row,
			shuffles = lines.filter((line) => about.code[line].includes("__shfl_"));
		const put = (op, array, [index, value], lines) =>
			events.push({ op, launch, block: 0, step, thread, array, index, value, lines });
		for (const [array, cells] of Object.entries(read))
			for (const cell of cells)
				if (array === "lane") put("shuffle", array, cell, shuffles);
				else put("read", array, cell, lines);
		for (const [array, cells] of Object.entries(write))
			for (const cell of cells) put(of(atomics, row) ? "atomic" : "write", array, cell, lines);
		const next = rows[k + 1] ?? row;
		if (next !== row && next[0] === launch && next[2] === step) return;
		const fence = of(fences, row),
			wait = (of(barriers, row) ?? fence)?.[3] ?? (next[0] === launch ? undefined : END);
		events.push({ op: "end", launch, block: 0, step, wait, fence: !!fence });
	});
	const launches = rows.map(() => ({ block: [block] })),
		named = arrays.map(([name, space, length]) => ({ name, space, length })),
		unit = fences.length ? { unit: "ブロック" } : {};
	return new Trace({ launches, arrays: named, events }, new Map(), true).record(0, { threads, ...unit, ...about });
}
