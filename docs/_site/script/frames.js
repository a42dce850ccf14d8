// 動く図の記録を読む: コマに分け、そのときの値、窓口の列、手間を求め、文にする。値も行も、記録にあるものだけを使う
export const BANKS = 32;
const SECTOR = 8; // 1 セクタは 32 バイトで、float 8 個
export const range = (n) => [...Array(n).keys()];
export const key = (array, i) => `${array}/${i}`;
export const groups = (list, name) =>
	list.reduce((map, one) => map.set(name(one), [...(map.get(name(one)) || []), one]), new Map());

// ---------------------------------------------------------------- 記録
// [[配列, 番号, 値], …]
export const touched = (row, kind) => (kind === "read" ? row[1] : kind === "write" ? row[2] : []);

export function framesOf(record) {
	const frames = [{ kind: "start", step: -1 }];
	record.steps.forEach((one, step) => {
		for (const kind of ["read", "write"])
			if (one.rows.some((row) => touched(row, kind).length)) frames.push({ kind, step });
		if ("wait" in one) frames.push({ kind: "wait", step });
	});
	return frames;
}

// 初めて触れたのが読むときなら、その値から始まる
export function study(record) {
	const initial = new Map(),
		last = new Map(),
		inputs = new Set();
	record.steps.forEach((step, k) => {
		for (const kind of ["read", "write"])
			for (const row of step.rows)
				for (const [array, i, value] of touched(row, kind)) {
					const cell = key(array, i);
					if (kind === "read" && !last.has(cell)) (initial.set(cell, value), inputs.add(array));
					last.set(cell, k);
				}
		for (const [array, i] of step.others ?? []) last.set(key(array, i), k);
	});
	// シャッフル: 最後にレーン 0 の和になる値を、後ろからたどる。useful[段] は、その段で足した和が使われるレーン
	const useful = [];
	for (let k = record.steps.length, lanes = new Set([0]); k--;) {
		useful[k] = lanes;
		lanes = new Set(
			record.steps[k].rows.filter((row) => lanes.has(row[0])).flatMap((row) => row[1].map((cell) => cell[1])),
		);
	}
	return { initial, last, inputs, useful };
}

export function valuesAt(record, { initial }, frame) {
	const values = new Map(initial);
	record.steps.forEach((step, k) => {
		if (k > frame.step || (k === frame.step && frame.kind === "read")) return;
		for (const row of step.rows)
			for (const [array, i, value] of touched(row, "write")) values.set(key(array, i), value);
		// 待つ間に、ほかのブロックが書いた値
		if (k < frame.step || frame.kind === "wait")
			for (const [array, i, value] of step.others ?? []) values.set(key(array, i), value);
	});
	return values;
}

// 1 つのワープの 1 つの命令で、同じバンクに並ぶ番号。命令は、スレッドが触れた番号の小さい方から何番目か、で分ける
export function queueOf(record, { kind, step }) {
	const rows = step < 0 ? [] : record.steps[step].rows;
	const orders = (row) =>
		touched(row, kind).map(([array, i], slot) => ({ array, i, command: `${array} ${row[0] >> 5} ${slot}` }));
	const all = rows.flatMap(orders);
	let worst = new Map(),
		times = 0,
		passes = 0; // 共有メモリを通った回数の、命令とワープの全部での合計
	for (const same of groups(
		all.filter((t) => record.arrays[t.array][1]),
		(t) => t.command,
	).values()) {
		const banks = groups([...new Set(same.map((t) => t.i))], (i) => i % BANKS);
		const most = Math.max(...[...banks.values()].map((words) => words.length));
		passes += most;
		if (most > times) [worst, times] = [banks, most];
	}
	return { worst, times, passes };
}

// 読む順だけの記録で、ワープの 1 つの命令が触れるセクタの、コマの中での合計
const sectorsOf = ({ steps }, { step }) =>
	new Set(steps[step].rows.flatMap(([t, read]) => read.map(([, i], k) => `${t >> 5} ${k} ${Math.floor(i / SECTOR)}`)))
		.size;

// ---------------------------------------------------------------- 言葉
function who(threads, unit) {
	const n = threads.length,
		from = threads[0],
		to = threads[n - 1],
		gap = threads[1] - from;
	const even = n > 2 && threads.every((t, k) => t === from + k * gap);
	if (even && gap === 1) return `${unit}${from}から${to}`;
	return n > 4 ? (even ? `${gap}おきの${unit}${from}から${to}` : `${n}${unit}`) : `${unit}${threads.join("、")}`;
}

export function say(record, facts, { kind, step }) {
	const { useful } = facts,
		{ unit } = record;
	const seen = record.threads < record.block ? `そのうちワープ0の${record.threads}レーンを見る。` : "";
	const held = record.lanes
		? "どのレーンも、値を1個レジスタに持つ。"
		: record.walk
			? "段は、スレッドごとに数えた、何番目の読み出しかである。届くまでの時間は、記録にない。"
			: "";
	if (kind === "start")
		return (
			`始まり: ${unit === "ブロック" ? `${record.block}${unit}` : `1ブロック${record.block}スレッド`}。` +
			`${seen}${held}`
		);
	const one = record.steps[step],
		head = `段 ${step + 1} / ${record.steps.length} `,
		name = ([array]) => record.arrays[array][0];
	if (kind === "wait" && one.fence)
		return `${head}フェンス: ここまでに書いた値が、他の${unit}から見えるようになる。誰かを待つわけではない。`;
	if (kind === "wait")
		return (
			head +
			(one.wait < 0
				? "待つ: カーネルが終わる。次の起動は、全員が書き終わってから始まる。"
				: `待つ: ブロックの${record.block}スレッドがそろうまで、誰も先に進まない。`)
		);
	const rows = one.rows.filter((row) => touched(row, kind).length),
		[thread, read, write] = rows[0],
		alone = rows.length === 1;
	const subject = who(
			rows.map((row) => row[0]),
			unit,
		),
		sum = read.reduce((a, cell) => a + cell[2], 0);
	const adds = read.length > 1 && write.length === 1 && write[0][2] === sum;
	const total = record.sums && step === record.steps.length - 1 ? "これが合計である。" : "";
	let text;
	if (record.lanes) {
		const [[, , own], [, giver, given]] = read,
			n = useful[step].size;
		const from = `${giver - thread}だけ後ろのレーン${giver}から ${given} を`;
		if (kind === "read")
			return `${head}受け取る: レーン${thread}は、${from}受け取る。他のレーンも、同じ命令で受け取る。`;
		return (
			`${head}足す: レーン${thread}は ${own} + ${given} = ${write[0][2]}。` +
			(total
				? `${total}残りの行でもこの値は変わらないので、図はここで終わる。`
				: `どのレーンも足すが、使うのは緑の${n}レーンの和だけである。`)
		);
	}
	if (kind === "read") {
		const from = [...new Set(read.map(name))].join("と"),
			each = alone ? "" : "ずつ";
		text = `読む: ${subject}が、${from}から${read.length}個${each}読${adds ? "み、足す" : "む"}。`;
		if (record.walk) text += `ワープの1つの命令が触れるのは、${sectorsOf(record, { step })}セクタである。`;
		if (adds)
			text += `${alone ? "" : `${unit}${thread}は `}${read.map((cell) => cell[2]).join(" + ")} = ${write[0][2]}。`;
	} else if (one.atomic) {
		const before = valuesAt(record, facts, { kind: "read", step });
		const [array, i, value] = write.find((cell) => before.has(key(cell[0], cell[1]))) || write[0];
		text =
			`アトミック演算: ${subject}が、${record.arrays[array][0]}の ` +
			`${before.get(key(array, i)) ?? 0} を ${value} にする。` +
			`読んで書くまでの間に、誰も入れない。${total}`;
	} else if (!alone && rows.every((row) => row[2].length === 1 && key(...row[2][0]) === key(...write[0]))) {
		text =
			`書く: ${subject}が、同じ ${name(write[0])} に書く。` +
			`残るのは1個の ${rows.at(-1)[2][0][2]} だけで、ほかの${rows.length - 1}個は消える。${total}`;
	} else {
		text = `書く: ${subject}が、${name(write[0])}に${alone ? ` ${write[0][2]} を` : ""}書く。${total}`;
	}
	const { worst, times } = queueOf(record, { kind, step });
	const most = [...worst.values()].every((words) => words.length === times) ? "" : "最大";
	if (times && record.arrays.some(([, shared, length]) => shared && length > BANKS))
		text +=
			times === 1
				? "どのバンクにも1個までなので、1回で済む。"
				: `${worst.size}個のバンクに${most}${times}個ずつ並び、${times}回に分かれる。`;
	return head + text;
}
// 追っている 1 つのスレッドが、このコマですること
export function sayOne(record, facts, { kind, step }, thread) {
	const { unit } = record,
		own = `${unit}${thread}`;
	if (kind === "start") return `始まり: ${own}を追う。`;
	const one = record.steps[step],
		head = `段 ${step + 1} / ${record.steps.length} `,
		row = one.rows.find((row) => row[0] === thread);
	if (kind === "wait") return head + (one.fence ? `フェンス: ${own}は待たない。` : `待つ: ${own}も待つ。`);
	const cells = row ? touched(row, kind) : [];
	if (!cells.length) return `${head}${own}は、${record.steps[step].rows.includes(row) ? "このコマでは" : ""}休む。`;
	const place = ([array, i]) =>
		record.arrays[array][2] > 1 ? `${record.arrays[array][0]}[${i}]` : record.arrays[array][0];
	if (record.lanes && kind === "read")
		return `${head}受け取る: ${own}は、レーン${cells[1][1]}から ${cells[1][2]} を受け取る。`;
	if (kind === "read")
		return `${head}読む: ${own}は、${cells.map((cell) => `${place(cell)}の ${cell[2]}`).join(" と")} を読む。`;
	const made = cells.map((cell) => `${record.lanes ? "v" : place(cell)}を ${cell[2]}`);
	return `${head}${record.lanes ? "足す" : "書く"}: ${own}は、${made.join("、")} にする。`;
}

// 始まりからこのコマまでの手間。命令はワープごとに 1 つと数える
export function costOf(record, frames, now) {
	let warps = 0,
		passes = 0,
		sectors = 0;
	for (const frame of frames.slice(1, now + 1)) {
		const rows = record.steps[frame.step].rows.filter((row) => touched(row, frame.kind).length);
		warps += record.unit === "ブロック" ? rows.length : new Set(rows.map((row) => row[0] >> 5)).size;
		passes += queueOf(record, frame).passes;
		if (record.walk) sectors += sectorsOf(record, frame);
	}
	const shared = record.arrays.some(([, shared]) => shared);
	const worked = record.unit === "ブロック" ? "ブロック" : "ワープ",
		spent = `ここまで: ${Math.min(now, frames.length - 1)}コマ、働いた${worked}はのべ${warps}`;
	if (record.walk) return `${spent}、触れたセクタはのべ${sectors}`;
	return shared ? `${spent}、共有メモリは${passes}回` : spent;
}

// 次のコマを予想する問い
export function ask(record, { useful }, { kind, step }) {
	const one = record.steps[step],
		all = record.threads;
	const answer =
		kind === "wait"
			? 0
			: record.walk
				? sectorsOf(record, { step })
				: record.lanes
					? useful[step].size
					: one.rows.filter((row) => touched(row, kind).length).length;
	const near = [answer, 0, 1, all / 2, all, answer * 2, answer >> 1].filter((n) => Number.isInteger(n) && n <= all);
	return {
		question: record.walk
			? "ワープの1つの命令が触れるのは、何セクタか。"
			: record.lanes
				? "使われる和を持つのは、何レーンか。"
				: `読み書きする${record.unit}は、いくつか。`,
		answer,
		choices: [...new Set(near)].slice(0, 4).sort((a, b) => a - b),
	};
}
