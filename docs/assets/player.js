// 図を動かす。図の中の記録 (docs/_site/player.py が埋め込む) を、読む、書く、待つ、の 1 コマずつ描く。
// 値も、誰が触れたかも、行も、記録にあるものだけを使う
(() => {
	const BANKS = 32,
		LEFT = 56,
		WIDTH = 360;
	const still = matchMedia("(prefers-reduced-motion: reduce)");
	const range = (n) => [...Array(n).keys()];
	const key = (array, i) => `${array}/${i}`;
	const groups = (list, name) =>
		list.reduce((map, one) => map.set(name(one), [...(map.get(name(one)) || []), one]), new Map());

	// ---------------------------------------------------------------- 記録
	const touched = (row, kind) => (kind === "read" ? row[1] : kind === "write" ? row[2] : []); // [[配列, 番号, 値], …]

	function framesOf(record) {
		const frames = [{ kind: "start", step: -1 }];
		record.steps.forEach((one, step) => {
			for (const kind of ["read", "write"])
				if (one.rows.some((row) => touched(row, kind).length)) frames.push({ kind, step });
			if ("wait" in one) frames.push({ kind: "wait", step });
		});
		return frames;
	}

	// 初めて触れたのが読むときなら、その値から始まる
	function study(record) {
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

	function valuesAt(record, { initial }, frame) {
		const values = new Map(initial);
		record.steps.forEach((step, k) => {
			if (k > frame.step || (k === frame.step && frame.kind === "read")) return;
			for (const row of step.rows)
				for (const [array, i, value] of touched(row, "write")) values.set(key(array, i), value);
		});
		return values;
	}

	// 1 つのワープの 1 つの命令で、同じバンクに並ぶ番号。命令は、スレッドが触れた番号の小さい方から何番目か、で分ける
	function queueOf(record, { kind, step }) {
		const rows = step < 0 ? [] : record.steps[step].rows;
		const orders = (row) =>
			touched(row, kind).map(([array, i], slot) => ({ array, i, command: `${array} ${row[0] >> 5} ${slot}` }));
		const all = rows.flatMap(orders);
		let worst = new Map(),
			times = 0;
		for (const same of groups(
			all.filter((t) => record.arrays[t.array][1]),
			(t) => t.command,
		).values()) {
			const banks = groups([...new Set(same.map((t) => t.i))], (i) => i % BANKS);
			const most = Math.max(...[...banks.values()].map((words) => words.length));
			if (most > times) [worst, times] = [banks, most];
		}
		return { worst, times };
	}

	// ---------------------------------------------------------------- 言葉
	function who(threads) {
		const n = threads.length,
			from = threads[0],
			to = threads[n - 1],
			gap = threads[1] - from;
		const even = n > 2 && threads.every((t, k) => t === from + k * gap);
		if (even && gap === 1) return `スレッド${from}から${to}`;
		return n > 4 ? (even ? `${gap}おきのスレッド${from}から${to}` : `${n}スレッド`) : `スレッド${threads.join("、")}`;
	}

	function say(record, { useful }, { kind, step }) {
		const seen = record.threads < record.block ? `そのうちワープ0の${record.threads}レーンを見る。` : "";
		const held = record.lanes ? "どのレーンも、値を1個レジスタに持つ。" : "";
		if (kind === "start") return `始まり: 1ブロック${record.block}スレッド。${seen}${held}`;
		const one = record.steps[step],
			head = `段 ${step + 1} / ${record.steps.length} `,
			name = ([array]) => record.arrays[array][0];
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
		const subject = who(rows.map((row) => row[0])),
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
			if (adds)
				text += `${alone ? "" : `スレッド${thread}は `}${read.map((cell) => cell[2]).join(" + ")} = ${write[0][2]}。`;
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

	// ---------------------------------------------------------------- 絵
	const f1 = (x) => Math.round(x * 10) / 10;
	const rect = (x, y, w, h, fill, stroke, width = 1.5, more = "") =>
		`<rect x="${f1(x)}" y="${f1(y)}" width="${f1(w)}" height="${f1(h)}" rx="${h > 20 ? 3 : 1}" ` +
		`fill="${fill ? `var(--fig-${fill})` : "none"}" stroke="var(--fig-${stroke})" stroke-width="${width}" ${more}/>`;
	const word = (x, y, text, size = 14, fill = "ink", anchor = "middle", more = "") =>
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
		const boxes = range(record.threads).map((lane) => ({
			x: 4 + (lane % columns) * pitch,
			y: 44 + rowOf(lane) * 76,
			row: rowOf(lane),
		}));
		const words = [
			word(4, 13, record.arrays[0][0], 13, "ink", "start"),
			word(18, 13, "レジスタ。箱の1行目は、レーンの番号", 11, "muted", "start"),
		];
		return { pitch, w: pitch - 4, h: 48, words, boxes, height: boxes.at(-1).y + 50 };
	}

	// 上から順に、読むだけの配列、スレッド、共有メモリ、書かれる配列。
	// 16 個までは値を書き、それより多ければ 32 列の表にする
	function layout(record, { inputs }, tallest) {
		const longest = Math.max(record.threads, ...record.arrays.map((a) => a[2])),
			small = longest <= 16;
		const columns = small ? (longest <= 10 ? longest : 8) : BANKS,
			pitch = Math.min(39, (WIDTH - LEFT) / columns);
		const w = pitch - (small ? 4 : 1.2),
			h = small ? 30 : w,
			cells = new Map(),
			words = [],
			boxes = [];
		const middle = (c) => LEFT + c * pitch + w / 2,
			rows = (n) => Math.ceil(n / columns);
		let y = small ? 0 : 4,
			bank;
		const left = (at, text, size = 11, fill = "muted") => words.push(word(0, at, text, size, fill, "start"));
		function place(a, above) {
			const [name, shared, length] = record.arrays[a],
				numbered = small && length > 1,
				tall = h + (numbered ? 16 : small ? 0 : 1.2);
			if (shared && !small) {
				bank = (y += tallest * 5.5 + 16) - 16;
				left(y - 3, "バンク");
				for (const c of [0, 8, 16, 24, 31]) words.push(word(middle(c), y - 3, c, 11, "muted"));
			}
			if (numbered) left(above ? (y += 13) - 3 : y + h + 12, "番号");
			left(y + 13, name, 13, "ink");
			left(y + 27, shared ? "共有" : "グローバル");
			for (const i of range(length)) {
				const x = LEFT + (i % columns) * pitch,
					top = y + Math.floor(i / columns) * tall;
				cells.set(key(a, i), { x, y: top, i });
				if (numbered) words.push(word(x + w / 2, above ? top - 3 : top + h + 12, i, 11, "muted"));
				if (small && shared) words.push(word(x + w / 2, top + h + 26, i % BANKS, 11, "muted"));
			}
			y += Math.max(rows(length) * tall, 28);
			if (small && shared) left((y += 14) - 4, "バンク");
			y += above ? 0 : 14;
		}
		const order = range(record.arrays.length).sort((a, b) => record.arrays[b][1] - record.arrays[a][1]);
		const global = (a) => !record.arrays[a][1] && inputs.has(a);
		order.filter(global).forEach((a) => place(a, true));
		y += small ? 38 : 8;
		if (small) left(y + 22, "ワープ0", 13);
		const step = small ? 40 : h + 22;
		for (const t of range(record.threads))
			boxes.push({ x: LEFT + (t % columns) * pitch, y: y + (small ? 0 : 18) + Math.floor(t / columns) * step });
		y += rows(record.threads) * step;
		const line = y + 8;
		y += small ? 40 : 16;
		order.filter((a) => !global(a)).forEach((a) => place(a, false));
		return { small, pitch, w, h, cells, words, boxes, middle, line, bank, height: y - 8 };
	}

	function draw(record, facts, place, frame, id) {
		if (record.lanes) return drawLanes(record, facts, place, frame, id);
		const { small, w, h } = place,
			{ kind, step } = frame;
		const rows = step < 0 ? [] : record.steps[step].rows,
			values = valuesAt(record, facts, frame);
		const busy = new Map(),
			arrows = [],
			out = [...place.words];
		const line = (...more) => out.push(curve(...more));
		const fresh = (on) => (on ? 'data-fresh=""' : ""),
			size = w < 34 ? 13 : 14; // 値は、運ばれてから現れる
		const hit = { read: new Set(), write: new Set() };
		for (const row of rows)
			for (const part in hit) for (const [array, i] of touched(row, part)) hit[part].add(key(array, i));
		// 矢印。間に別の行の箱があれば、列と列の間を通る
		for (const row of rows)
			touched(row, kind).forEach(([array, i, value], slot, { length }) => {
				busy.set(row[0], row);
				if (!small) return;
				const cell = place.cells.get(key(array, i)),
					box = place.boxes[row[0]],
					above = cell.y < box.y,
					x = cell.x + w / 2;
				const from = [x, above ? cell.y + h + 1 : cell.y - 1];
				const to = [box.x + w / 2 + (slot - (length - 1) / 2) * 12, above ? box.y - 2 : box.y + 38];
				const between = [...place.cells.values()].some((o) => o.x === cell.x && (o.y - cell.y) * (o.y - box.y) < 0);
				const side = x + place.pitch * 0.62,
					bend = [from, [side, from[1]], [side, from[1] + (to[1] - from[1]) * 0.6], to];
				const points = between ? bend : [from, to];
				if (kind === "write") points.reverse();
				const [start, ...rest] = points.map((point) => point.map(f1).join(" "));
				line(`M${start}${between ? "C" : "L"}${rest.join(" ")}`, "ink", 1.5, `marker-end="url(#${id})"`);
				arrows.push({ ends: [points[0], points.at(-1)], value });
			});
		// 配列。もう誰も触れない値は灰色。一部のスレッドだけの記録では、分からない
		for (const [cell, { x, y, i }] of place.cells) {
			const value = values.get(cell),
				name = `${record.arrays[parseInt(cell)][0]}/${i}`,
				now = hit[kind]?.has(cell),
				written = hit.write.has(cell);
			const over =
				record.threads === record.block &&
				value !== undefined &&
				facts.last.get(cell) < step + (kind !== "read" && !written);
			const fill = now ? (written ? "front" : "back") : over ? "rest" : "";
			out.push(
				rect(
					x,
					y,
					w,
					h,
					fill,
					now ? "ink" : "line",
					small ? 1.5 : now ? 1 : 0.5,
					`data-cell="${name}" data-bank="${i % BANKS}"`,
				),
			);
			if (!small || value === undefined) continue;
			out.push(
				word(
					x + w / 2,
					y + 20,
					value,
					size,
					over ? "muted" : "ink",
					"middle",
					`data-value="${name}" ${fresh(now && kind === "write")}`,
				),
			);
		}
		// スレッド。書く値を持つ
		const lanes = groups([...busy.keys()], (t) => t >> 5);
		place.boxes.forEach(({ x, y }, t) => {
			const row = busy.get(t),
				on = row || kind === "wait",
				part = !small && lanes.get(t >> 5)?.length < BANKS;
			const fill = row ? (part ? "back" : "front") : "",
				more = `data-thread="${t}" ${row ? 'data-busy=""' : ""}`;
			out.push(rect(x, y, w, small ? 36 : h, fill, on ? "ink" : "line", small ? 1.5 : on ? 1 : 0.5, more));
			if (small) out.push(word(x + w / 2, y + (row ? 13 : 23), `T${t}`, row ? 11 : 14, row ? "ink" : "muted"));
			if (small && row?.[2].length)
				out.push(word(x + w / 2, y + 30, row[2][0][2], size, "ink", "middle", fresh(kind === "read")));
			if (!small && t % BANKS === 0) {
				const n = lanes.get(t >> 5)?.length || 0,
					state = busy.size ? `: ${n ? `${n}レーンが働く` : "休む"}` : "";
				out.push(word(LEFT, y - 5, `ワープ${t >> 5}${state}`, 12, "muted", "start"));
			}
		});
		if (kind === "wait") {
			const where = record.steps[step].wait < 0 ? "カーネルの切れ目" : "__syncthreads()";
			line(`M0 ${f1(place.line)}H${WIDTH}`, "warn", 3, 'data-wait=""');
			out.push(word(WIDTH, place.line + 17, `${where}: 全員を待つ`, 13, "warn", "end"));
		}
		// 窓口に並ぶ列
		if (!small && place.bank) {
			const { worst, times } = queueOf(record, frame),
				crowd = times > 1;
			const [fill, stroke] = crowd ? ["back", "warn"] : ["front", "ink"];
			for (const [bank, words] of worst)
				for (const k of range(words.length))
					out.push(
						rect(place.middle(bank) - 3.6, place.bank - k * 5.5, 7.2, 4.2, fill, stroke, 0.8, `data-queue="${bank}"`),
					);
			if (times)
				out.push(word(0, place.bank - 3, `${times}回`, 13, crowd ? "warn" : "ink", "start", `data-times="${times}"`));
		}
		return { html: tip(id) + out.join(""), arrows };
	}

	// くれるレーンの箱の上から、受け取るレーンの箱まで。同じ行なら上を回り、間に別の行があれば列と列の間を通る
	function handing(from, to, { pitch, w, h }) {
		const [x1, y1, x2] = [from.x + w / 2, from.y - 1, to.x + w / 2].map(f1),
			bend = (...points) => `C${points.map(f1).join(" ")}`;
		if (from.row === to.row)
			return {
				d: `M${x1} ${y1}${bend(x1, y1 - 23, x2, y1 - 23, x2, y1 - 1)}`,
				ends: [
					[x1, y1 - 13],
					[x2, y1 - 13],
				],
			};
		const y2 = to.y + h + 2,
			side = x1 + (from.row % 2 ? -pitch : pitch) / 2;
		const out = bend(x1, y1 - 15, side, y1 - 8, side, y1 - 23),
			back = bend(side, y2 + 8, x2, y2 + 15, x2, y2);
		const around = `${out}V${y2 + 23}${back}`;
		return {
			d: `M${x1} ${y1}${from.row - to.row > 1 ? around : `L${x2} ${y2}`}`,
			ends: [
				[x1, y1],
				[x2, y2],
			],
		};
	}

	// 緑は受け取って足すレーン、橙は値をくれるレーン。灰色のレーンも足すが、その和は使わない
	function drawLanes(record, facts, place, frame, id) {
		const { w, h, words, boxes } = place,
			{ kind, step } = frame,
			values = valuesAt(record, facts, frame);
		const rows = step < 0 ? [] : record.steps[step].rows,
			reads = kind === "read";
		const takers = new Map(
			rows
				.filter((row) => facts.useful[step].has(row[0]))
				.map(([lane, [, [, giver, given]]]) => [lane, { giver, given }]),
		);
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
			out.push(
				rect(
					x,
					y,
					w,
					h,
					fill,
					used ? "ink" : "line",
					1.5,
					`data-thread="${lane}" ${rows.length ? 'data-busy=""' : ""}`,
				),
			);
			out.push(word(middle, y + 12, lane, 11, used ? "ink" : "muted"));
			value(y + 27, values.get(key(0, lane)), `data-value="${record.arrays[0][0]}/${lane}"`, taker && !reads);
			if (!taker || !reads) return;
			const { giver, given } = taker,
				{ d, ends } = handing(boxes[giver], box, place);
			value(y + 42, `+${given}`, `data-given="${giver}>${lane}"`, true);
			out.push(curve(d, "ink", 1.5, `marker-end="url(#${id})"`));
			arrows.push({ ends, value: given });
		});
		return { html: tip(id) + out.join(""), arrows };
	}

	// ---------------------------------------------------------------- 操作
	const ICONS = {
		first: "M2 3h2v10H2zM9 3v10L4 8zM14 3v10L9 8z",
		back: "M9 3v10L2 8zM11 3h2v10h-2z",
		next: "M3 3h2v10H3zM7 3v10l7-5z",
		play: "M4 2v12l9-6z",
		pause: "M3 3h4v10H3zM9 3h4v10H9z",
	};
	const icon = (name) =>
		`<svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">` +
		`<path fill="currentColor" d="${ICONS[name]}"/></svg>`;
	const element = (tag, more, ...children) => {
		const made = Object.assign(document.createElement(tag), more);
		made.append(...children);
		return made;
	};
	const named = (button, name, html) => Object.assign(button, { ariaLabel: name, title: name, innerHTML: html });
	const button = (onclick, name, html) => named(element("button", { type: "button", onclick }), name, html);

	function player(records, id, close) {
		let record,
			facts,
			place,
			frames,
			now = 0,
			timer,
			speed = 1;
		const tallest = Math.max(...records.flatMap((one) => framesOf(one).map((frame) => queueOf(one, frame).times)));
		const stage = document.createElementNS("http://www.w3.org/2000/svg", "svg");
		const text = element("p", { className: "player__text" }),
			code = element("div", { className: "player__code" });
		const first = button(() => go(0), "始めに戻る (Home)", icon("first")),
			back = button(() => go(now - 1), "1コマ戻る (←)", icon("back"));
		const next = button(() => go(now + 1), "1コマ進む (→)", icon("next")),
			play = button(() => toggle());
		const bar = element("input", {
			type: "range",
			min: 0,
			className: "player__bar",
			ariaLabel: "コマ",
			oninput: () => go(+bar.value),
		});
		const rate = button(
			() => {
				speed = { 1: 2, 2: 0.5, 0.5: 1 }[speed];
				named(rate, `速さ ${speed}倍`, `${speed}×`);
				if (timer) start();
			},
			"速さ 1倍",
			"1×",
		);
		const leave = button(() => (stop(), close()), "図に戻す", "図に戻す");
		const controls = element("div", { className: "player__controls" }, first, back, play, next, bar, rate, leave);
		const choice = element("div", { className: "player__choice", hidden: records.length < 2 });
		const root = element(
			"div",
			{ className: "player", role: "group", tabIndex: -1 },
			element("div", {}, choice, stage, text, controls),
			code,
		);

		function show(moving) {
			const frame = frames[now],
				{ html, arrows } = draw(record, facts, place, frame, id);
			stage.innerHTML = html;
			text.textContent = say(record, facts, frame);
			Object.assign(bar, { value: now, ariaValueText: `${now + 1} / ${frames.length}` });
			first.disabled = back.disabled = now === 0;
			next.disabled = now === frames.length - 1;
			// キーが効かなくならないように
			if (root.contains(document.activeElement) && document.activeElement.disabled) root.focus({ preventScroll: true });
			const step = record.steps[frame.step],
				lines = !step ? [] : frame.kind === "wait" ? [step.wait] : step.lines;
			for (const line of code.children) line.classList.toggle("player__line--now", lines.includes(+line.dataset.line));
			if (!moving || still.matches) return;
			const timing = { duration: 800 / speed, easing: "ease-in-out" };
			for (const { ends, value } of arrows) {
				stage.insertAdjacentHTML(
					"beforeend",
					`<g>${rect(-16, -11, 32, 22, "chip", "ink")}${word(0, 5, value, 13)}</g>`,
				);
				const chip = stage.lastElementChild,
					[from, to] = ends.map(([x, y]) => `translate(${x}px, ${y}px)`);
				const path = [{ transform: from }, { transform: to, opacity: 1, offset: 0.85 }, { transform: to, opacity: 0 }];
				chip.animate(path, timing).onfinish = () => chip.remove();
			}
			for (const value of stage.querySelectorAll("[data-fresh]"))
				value.animate([{ opacity: 0 }, { opacity: 0, offset: 0.8 }, { opacity: 1 }], timing);
		}
		function go(to, playing) {
			if (!playing) stop();
			const moving = to === now + 1;
			now = Math.max(0, Math.min(frames.length - 1, to));
			show(moving);
		}
		function start() {
			if (still.matches) return;
			clearInterval(timer);
			if (now === frames.length - 1) go(0, true);
			timer = setInterval(() => (go(now + 1, true), now === frames.length - 1 && stop()), 2000 / speed);
			text.ariaLive = "off"; // 再生の間は、読み上げが追いつかない
			named(play, "止める (スペース)", icon("pause"));
		}
		function stop() {
			timer = clearInterval(timer);
			text.ariaLive = "polite";
			named(play, "再生 (スペース)", icon("play"));
		}
		function choose(chosen) {
			record = chosen;
			[facts, frames] = [study(record), framesOf(record)];
			place = record.lanes ? lanesOf(record) : layout(record, facts, tallest);
			now = Math.min(now, (bar.max = frames.length - 1));
			stage.setAttribute("viewBox", `0 0 ${WIDTH} ${f1(place.height)}`);
			root.ariaLabel = `動く図: ${record.name}、N = ${record.n}`;
			[...choice.children].forEach((one, k) => {
				one.ariaPressed = records[k] === record;
			});
			code.replaceChildren();
			record.code.forEach((line, k) => {
				if (line) code.append(element("code", { className: "player__line", textContent: line }));
				if (line) code.lastChild.dataset.line = k;
			});
			show();
		}
		const alike = records.every((one) => one.name === records[0].name);
		for (const one of records) {
			const label = alike ? `N = ${one.n}` : one.name;
			choice.append(element("button", { type: "button", textContent: label, onclick: () => (stop(), choose(one)) }));
		}
		for (const [name, value] of [
			["class", "player__stage"],
			["aria-hidden", "true"],
		])
			stage.setAttribute(name, value);
		const toggle = () => (timer ? stop() : start());
		const keys = {
			ArrowLeft: () => go(now - 1),
			ArrowRight: () => go(now + 1),
			Home: () => go(0),
			End: () => go(frames.length - 1),
			" ": toggle,
		};
		root.addEventListener("keydown", (event) => {
			const pressed = event.key === " " && event.target.matches("button"); // ボタンの上の空白は、そのボタンを押す
			if (!keys[event.key] || pressed || event.altKey || event.ctrlKey || event.metaKey) return;
			event.preventDefault();
			event.stopPropagation(); // サイトの他の所も、矢印を聞いている
			keys[event.key]();
		});
		const motion = () => {
			if ((play.hidden = rate.hidden = still.matches)) stop();
		};
		still.addEventListener("change", motion);
		stop();
		motion();
		choose(records[0]);
		return { root, start, focus: () => (still.matches ? next : play).focus({ preventScroll: true }) };
	}

	document.querySelectorAll("figure:has(> .player-data)").forEach((figure, k) => {
		let made;
		const open = element("button", {
			type: "button",
			className: "player__open",
			innerHTML: `${icon("play")} 動かす`,
			onclick: () => {
				const records = figure.querySelector(".player-data").textContent;
				made ||= player(JSON.parse(records), `player-${k}`, () => (figure.classList.remove("playing"), open.focus()));
				open.after(made.root);
				figure.classList.add("playing");
				made.focus();
				made.start();
			},
		});
		figure.querySelector("svg").after(open);
	});
})();
