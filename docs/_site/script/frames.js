// 動く図の記録を読む: コマに分け、そのときの値、窓口の列、手間を求め、文にする。値も行も、記録にあるものだけを使う
export const BANKS = 32;
const SECTOR = 8; // 1 セクタは 32 バイトで、float 8 個
export const range = (n) => [...Array(n).keys()];
export const key = ({ array, i }) => `${array}/${i}`;
export const groups = (list, name) =>
	list.reduce((map, one) => map.set(name(one), [...(map.get(name(one)) || []), one]), new Map());

// ---------------------------------------------------------------- 記録
// 記録の行は {thread, read, write} で、触れた所は {array, i, value}。それから分かること:
// inputs: 初めに読む配列、last: 所に最後に触れる段、useful[段]: その段で足した和が使われるレーン、
// frames: コマ {kind, step, rows: 触れる行, values: 描く値, before: 書く前の値, queue, sectors, cost: ここまでの手間}
export function study(record) {
	const values = new Map(),
		last = new Map(),
		inputs = new Set();
	// 初めて触れたのが読むときなら、その値から始まる
	record.steps.forEach(({ rows, others = [] }, k) => {
		for (const kind of ["read", "write"])
			for (const cell of rows.flatMap((row) => row[kind])) {
				if (kind === "read" && !last.has(key(cell))) (values.set(key(cell), cell.value), inputs.add(cell.array));
				last.set(key(cell), k);
			}
		for (const cell of others) last.set(key(cell), k);
	});
	// シャッフル: 最後にレーン 0 の和になる値を、後ろからたどる
	const useful = [];
	for (let k = record.steps.length, lanes = new Set([0]); k--;) {
		useful[k] = lanes;
		const takers = record.steps[k].rows.filter((row) => lanes.has(row.thread));
		lanes = new Set(takers.flatMap((row) => row.read.map(({ i }) => i)));
	}
	return { inputs, last, useful, frames: framesOf(record, values) };
}

function framesOf(record, values) {
	const frames = [],
		unit = record.unit === "ブロック" ? "ブロック" : "ワープ",
		shared = new Set(record.arrays.filter((a) => a.shared).map(({ name }) => name)),
		spent = { warps: 0, passes: 0, sectors: 0 };
	const put = (cells) => {
		for (const cell of cells) values.set(key(cell), cell.value);
	};
	const shot = (kind, step, rows = [], before = undefined) => {
		const queue = queueOf(kind, rows, shared),
			sectors = kind === "read" ? sectorsOf(rows) : 0;
		// 命令はワープごとに 1 つと数える
		spent.warps += unit === "ブロック" ? rows.length : new Set(rows.map(({ thread }) => thread >> 5)).size;
		spent.passes += queue.passes;
		spent.sectors += sectors;
		const cost =
			`ここまで: ${frames.length}コマ、働いた${unit}はのべ${spent.warps}` +
			(record.walk ? `、触れたセクタはのべ${spent.sectors}` : shared.size ? `、共有メモリは${spent.passes}回` : "");
		frames.push({ kind, step, rows, values: new Map(values), before, queue, sectors, cost });
	};
	shot("start", -1);
	record.steps.forEach((one, step) => {
		for (const kind of ["read", "write"]) {
			const rows = one.rows.filter((row) => row[kind].length),
				before = new Map(values);
			if (kind === "write") put(rows.flatMap((row) => row.write));
			if (rows.length) shot(kind, step, rows, before);
		}
		put(one.others ?? []); // 待つ間に、ほかのブロックが書いた値
		if ("wait" in one) shot("wait", step);
	});
	return frames;
}

// 1 つのワープの 1 つの命令で、同じバンクに並ぶ番号。命令は、スレッドが触れた番号の小さい方から何番目か、で分ける
function queueOf(kind, rows, shared) {
	const all = rows.flatMap(({ thread, [kind]: cells }) =>
			cells.map(({ array, i }, slot) => ({ array, i, command: `${array} ${thread >> 5} ${slot}` })),
		),
		seen = all.filter(({ array }) => shared.has(array));
	let worst = new Map(),
		times = 0,
		passes = 0; // 共有メモリを通った回数の、命令とワープの全部での合計
	for (const same of groups(seen, ({ command }) => command).values()) {
		const banks = groups([...new Set(same.map(({ i }) => i))], (i) => i % BANKS);
		const most = Math.max(...[...banks.values()].map((words) => words.length));
		passes += most;
		if (most > times) [worst, times] = [banks, most];
	}
	return { worst, times, passes };
}

// 読む順だけの記録で、ワープの 1 つの命令が触れるセクタの、コマの中での合計
const sectorsOf = (rows) =>
	new Set(rows.flatMap(({ thread, read }) => read.map(({ i }, k) => `${thread >> 5} ${k} ${Math.floor(i / SECTOR)}`)))
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

export function say(record, { useful }, { kind, step, rows, before, queue, sectors }) {
	const { unit, block } = record;
	if (kind === "start") {
		const seen = record.threads < block ? `そのうちワープ0の${record.threads}レーンを見る。` : "",
			shape = unit === "ブロック" ? `${block}${unit}` : `1ブロック${block}スレッド`;
		const held = record.lanes
			? "どのレーンも、値を1個レジスタに持つ。"
			: record.walk
				? "段は、スレッドごとに数えた、何番目の読み出しかである。届くまでの時間は、記録にない。"
				: "";
		return `始まり: ${shape}。${seen}${held}`;
	}
	const one = record.steps[step],
		head = `段 ${step + 1} / ${record.steps.length} `;
	if (kind === "wait" && one.fence)
		return `${head}フェンス: ここまでに書いた値が、他の${unit}から見えるようになる。誰かを待つわけではない。`;
	if (kind === "wait" && one.wait < 0)
		return `${head}待つ: カーネルが終わる。次の起動は、全員が書き終わってから始まる。`;
	if (kind === "wait") return `${head}待つ: ブロックの${block}スレッドがそろうまで、誰も先に進まない。`;
	const [{ thread, read, write }] = rows,
		alone = rows.length === 1,
		total = record.sums && step === record.steps.length - 1 ? "これが合計である。" : "";
	if (record.lanes) {
		const [own, given] = read,
			from = `${given.i - thread}だけ後ろのレーン${given.i}から ${given.value} を`;
		if (kind === "read")
			return `${head}受け取る: レーン${thread}は、${from}受け取る。他のレーンも、同じ命令で受け取る。`;
		const more = total
			? `${total}残りの行でもこの値は変わらないので、図はここで終わる。`
			: `どのレーンも足すが、使うのは緑の${useful[step].size}レーンの和だけである。`;
		return `${head}足す: レーン${thread}は ${own.value} + ${given.value} = ${write[0].value}。${more}`;
	}
	const threads = rows.map((row) => row.thread),
		subject = who(threads, unit),
		sum = read.reduce((a, { value }) => a + value, 0),
		adds = read.length > 1 && write.length === 1 && write[0].value === sum;
	let text;
	if (kind === "read") {
		const from = [...new Set(read.map(({ array }) => array))].join("と"),
			each = alone ? "" : "ずつ";
		text = `読む: ${subject}が、${from}から${read.length}個${each}読${adds ? "み、足す" : "む"}。`;
		if (record.walk) text += `ワープの1つの命令が触れるのは、${sectors}セクタである。`;
		if (adds)
			text += `${alone ? "" : `${unit}${thread}は `}${read.map(({ value }) => value).join(" + ")} = ${write[0].value}。`;
	} else if (one.atomic) {
		const cell = write.find((cell) => before.has(key(cell))) || write[0],
			changed = `${cell.array}の ${before.get(key(cell)) ?? 0} を ${cell.value} にする`;
		text = `アトミック演算: ${subject}が、${changed}。読んで書くまでの間に、誰も入れない。${total}`;
	} else if (!alone && rows.every((row) => row.write.length === 1 && key(row.write[0]) === key(write[0]))) {
		text =
			`書く: ${subject}が、同じ ${write[0].array} に書く。` +
			`残るのは1個の ${rows.at(-1).write[0].value} だけで、ほかの${rows.length - 1}個は消える。${total}`;
	} else {
		text = `書く: ${subject}が、${write[0].array}に${alone ? ` ${write[0].value} を` : ""}書く。${total}`;
	}
	const { worst, times } = queue,
		most = [...worst.values()].every((words) => words.length === times) ? "" : "最大";
	if (times && record.arrays.some(({ shared, length }) => shared && length > BANKS))
		text +=
			times === 1
				? "どのバンクにも1個までなので、1回で済む。"
				: `${worst.size}個のバンクに${most}${times}個ずつ並び、${times}回に分かれる。`;
	return head + text;
}
// 追っている 1 つのスレッドが、このコマですること
export function sayOne(record, { kind, step, rows }, thread) {
	const own = `${record.unit}${thread}`;
	if (kind === "start") return `始まり: ${own}を追う。`;
	const one = record.steps[step],
		head = `段 ${step + 1} / ${record.steps.length} `;
	if (kind === "wait") return head + (one.fence ? `フェンス: ${own}は待たない。` : `待つ: ${own}も待つ。`);
	const cells = rows.find((row) => row.thread === thread)?.[kind];
	if (!cells) return `${head}${own}は、${one.rows.some((row) => row.thread === thread) ? "このコマでは" : ""}休む。`;
	const place = ({ array, i }) =>
		record.arrays.find(({ name }) => name === array).length > 1 ? `${array}[${i}]` : array;
	if (record.lanes && kind === "read")
		return `${head}受け取る: ${own}は、レーン${cells[1].i}から ${cells[1].value} を受け取る。`;
	if (kind === "read")
		return `${head}読む: ${own}は、${cells.map((cell) => `${place(cell)}の ${cell.value}`).join(" と")} を読む。`;
	const made = cells.map((cell) => `${record.lanes ? "v" : place(cell)}を ${cell.value}`);
	return `${head}${record.lanes ? "足す" : "書く"}: ${own}は、${made.join("、")} にする。`;
}
