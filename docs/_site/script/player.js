// player.js: 図を動かす。記録 (trace.js) を、読む、書く、待つ、の 1 コマずつ見せる
import { button, icon, make, PLAY } from "./dom.js";
import { draw, f1, lanesOf, layout, rect, WIDTH, word } from "./draw.js";
import { ask, range, say, sayOne, study } from "./frames.js";
import style from "./player.css" with { type: "text" };

document.head.append(make("style", { textContent: style }));
const still = matchMedia("(prefers-reduced-motion: reduce)");
const ICONS = {
	first: "M2 3h2v10H2zM9 3v10L4 8zM14 3v10L9 8z",
	back: "M9 3v10L2 8zM11 3h2v10h-2z",
	next: "M3 3h2v10H3zM7 3v10l7-5z",
	play: PLAY,
	pause: "M3 3h4v10H3zM9 3h4v10H9z",
	close: "M4 2.5 8 6.5l4-4L13.5 4l-4 4 4 4-1.5 1.5-4-4-4 4L2.5 12l4-4-4-4z",
};
const named = (button, name, html) => Object.assign(button, { ariaLabel: name, title: name, innerHTML: html });
const small = (onclick, name, html) => named(button("", onclick), name, html);

// 1 つの記録の絵と手間。何枚並べても、同じ時計のコマを見せる
function view(record, facts, tallest, id) {
	const { frames } = facts,
		place = record.lanes ? lanesOf(record) : layout(record, facts, tallest),
		root = make("div", {
			className: "player__view",
			innerHTML:
				`<b></b><svg class="player__stage" aria-hidden="true" viewBox="0 0 ${WIDTH} ${f1(place.height)}"></svg>` +
				'<p class="player__cost"></p>',
		}),
		[title, stage, cost] = root.children;
	title.textContent = record.name;
	const at = (now) => frames[Math.min(now, frames.length - 1)];
	function show(now, followed, timing) {
		const { html, arrows } = draw(record, facts, place, at(now), id);
		stage.innerHTML = html;
		cost.textContent = at(now).cost;
		for (const one of stage.querySelectorAll("[data-who]"))
			one.classList.toggle("player__other", followed >= 0 && +one.dataset.who !== followed);
		stage.querySelector(`[data-thread="${followed}"]`)?.classList.add("player__followed");
		if (!timing || now >= frames.length) return;
		for (const { ends, value, who } of arrows) {
			if (followed >= 0 && who !== followed) continue;
			stage.insertAdjacentHTML("beforeend", `<g>${rect(-16, -11, 32, 22, "chip", "ink")}${word(0, 5, value, 13)}</g>`);
			const chip = stage.lastElementChild,
				[from, to] = ends.map(([x, y]) => `translate(${x}px, ${y}px)`);
			const path = [{ transform: from }, { transform: to, opacity: 1, offset: 0.85 }, { transform: to, opacity: 0 }];
			chip.animate(path, timing).onfinish = () => chip.remove();
		}
		for (const value of stage.querySelectorAll("[data-fresh]"))
			value.animate([{ opacity: 0 }, { opacity: 0, offset: 0.8 }, { opacity: 1 }], timing);
	}
	const tell = (now, followed) => (followed >= 0 ? sayOne(record, at(now), followed) : say(record, facts, at(now)));
	return { record, facts, stage, root, at, show, tell, last: frames.length - 1 };
}

// close(): 閉じるボタンを押した。closing は、そのボタンの名前
export function player(records, id, close, closing = "図に戻す") {
	let shown,
		asked,
		now = 0,
		followed = -1,
		timer,
		speed = 1;
	const facts = records.map(study),
		tallest = Math.max(...facts.flatMap(({ frames }) => frames.map(({ queue }) => queue.times))),
		views = records.map((record, k) => view(record, facts[k], tallest, `${id}-${k}`));
	const stages = make("div", { className: "player__stages" }),
		text = make("p", { className: "player__text" }),
		code = make("div", { className: "player__code", tabIndex: 0, ariaLabel: "コード" });
	code.setAttribute("role", "group");
	const first = small(() => go(0), "始めに戻る (Home)", icon(ICONS.first)),
		back = small(() => go(now - 1), "1コマ戻る (←)", icon(ICONS.back)),
		next = small(() => step(), "1コマ進む (→)", icon(ICONS.next)),
		play = button("", () => toggle());
	const bar = make("input", {
		type: "range",
		min: 0,
		className: "player__bar",
		ariaLabel: "コマ",
		oninput: () => go(+bar.value),
	});
	const rate = small(
		() => {
			speed = { 1: 2, 2: 0.5, 0.5: 1 }[speed];
			named(rate, `速さ ${speed}倍`, `${speed}×`);
			if (timer) start();
		},
		"速さ 1倍",
		"1×",
	);
	const who = make("select", { ariaLabel: "追うスレッド", onchange: () => follow(+who.value) });
	const quiz = button("予想する", () => question(!asked));
	const leave = small(() => (stop(), close()), `${closing} (Esc)`, icon(ICONS.close));
	const controls = make("div", { className: "player__controls" }, first, back, play, next, bar, rate, leave);
	const choice = make("div", { className: "player__choice" });
	const tools = make("div", { className: "player__choice player__tools" }, who, quiz);
	const root = make(
		"div",
		{ className: "player", role: "group", tabIndex: -1 },
		make("div", {}, choice, stages, text, controls, tools),
		code,
	);

	function show(moving) {
		const timing = moving && !still.matches && { duration: 800 / speed, easing: "ease-in-out" };
		for (const one of shown) one.show(now, followed, timing);
		text.replaceChildren(
			...(shown.length > 1
				? shown.map((one) => make("span", {}, make("b", { textContent: one.record.name }), one.tell(now, followed)))
				: [shown[0].tell(now, followed)]),
		);
		const last = +bar.max;
		Object.assign(bar, { value: now, ariaValueText: `${now + 1} / ${last + 1}` });
		first.disabled = back.disabled = now === 0;
		next.disabled = now === last;
		// キーが効かなくならないように
		if (root.contains(document.activeElement) && document.activeElement.disabled) root.focus({ preventScroll: true });
		const [{ record, at }] = shown,
			frame = at(now),
			one = record.steps[frame.step];
		const lines = !one ? [] : frame.kind === "wait" ? [one.wait] : one.lines;
		for (const line of code.children) line.classList.toggle("player__line--now", lines.includes(+line.dataset.line));
		const lit = code.querySelector(".player__line--now");
		if (lit) code.scrollTop = lit.offsetTop - (code.clientHeight - lit.offsetHeight) / 2;
	}
	function go(to, playing) {
		if (!playing) stop();
		const moving = to === now + 1;
		now = Math.max(0, Math.min(+bar.max, to));
		show(moving);
	}
	// 1 コマ進む。予想するなら、進む前に問う
	function step() {
		const wanted = asked && now < +bar.max && ask(shown[0].record, shown[0].facts, shown[0].at(now + 1));
		if (!wanted || text.querySelector("button")) return go(now + 1);
		stop();
		text.replaceChildren(`次はどうなるか。${wanted.question}`);
		for (const n of wanted.choices)
			text.append(
				button(n, () => {
					go(now + 1);
					text.prepend(make("b", {}, n === wanted.answer ? "当たり。" : `違う。${wanted.answer}である。`));
					root.focus({ preventScroll: true });
				}),
			);
	}
	function question(on) {
		quiz.ariaPressed = asked = on;
		show();
	}
	function follow(thread) {
		who.value = followed = thread;
		show();
	}
	function start() {
		if (still.matches) return;
		clearInterval(timer);
		if (now === +bar.max) go(0, true);
		timer = setInterval(() => (go(now + 1, true), now === +bar.max && stop()), 2000 / speed);
		text.ariaLive = "off"; // 再生の間は、読み上げが追いつかない
		named(play, "止める (スペース)", icon(ICONS.pause));
	}
	function stop() {
		timer = clearInterval(timer);
		text.ariaLive = "polite";
		named(play, "再生 (スペース)", icon(ICONS.play));
	}
	function choose(chosen, pressed) {
		shown = chosen;
		const { record } = shown[0],
			threads = Math.max(...shown.map((one) => one.record.threads));
		now = Math.min(now, (bar.max = Math.max(...shown.map((one) => one.last))));
		root.ariaLabel = `動く図: ${shown.map((one) => one.record.name).join("と")}、N = ${record.n}`;
		root.classList.toggle("player--pair", shown.length > 1);
		for (const one of choice.children) one.ariaPressed = one === pressed;
		stages.replaceChildren(...shown.map((one) => one.root));
		const option = (value, textContent) => make("option", { value, textContent });
		who.replaceChildren(option(-1, "全員を見る"), ...range(threads).map((t) => option(t, `${record.unit}${t}を追う`)));
		who.value = followed = followed < threads ? followed : -1;
		quiz.hidden = shown.length > 1;
		if (quiz.hidden) quiz.ariaPressed = asked = false;
		code.replaceChildren();
		record.code.forEach((line, k) => {
			if (line) code.append(make("code", { className: "player__line", textContent: line }));
			if (line) code.lastChild.dataset.line = k;
		});
		show();
	}
	const alike = records.every((one) => one.name === records[0].name);
	const offer = (label, chosen) => {
		const one = button(label, () => (stop(), choose(chosen, one)));
		choice.append(one);
	};
	for (const one of views) offer(alike ? `N = ${one.record.n}` : one.record.name, [one]);
	if (!alike && records.every((one) => one.n === records[0].n)) offer("並べる", views);
	choice.hidden = records.length < 2;
	stages.addEventListener("click", (event) => {
		const box = event.target.closest("[data-thread]");
		if (box) follow(+box.dataset.thread === followed ? -1 : +box.dataset.thread);
	});
	const toggle = () => (timer ? stop() : start());
	const keys = {
		ArrowLeft: () => go(now - 1),
		ArrowRight: step,
		Home: () => go(0),
		End: () => go(+bar.max),
		Escape: () => leave.click(),
		" ": toggle,
	};
	root.addEventListener("keydown", (event) => {
		// ボタンの上の空白は、そのボタンを押す。選ぶ欄の上では、Esc のほかは欄のもの
		const own = event.key === " " ? event.target.matches("button, select") : event.target.matches("select");
		if (!keys[event.key] || (own && event.key !== "Escape") || event.altKey || event.ctrlKey || event.metaKey) return;
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
	quiz.ariaPressed = asked = false;
	choose([views[0]], choice.firstChild);
	// ページに置いてから呼ぶ
	function begin() {
		root.scrollIntoView({ block: "nearest" });
		(still.matches ? next : play).focus({ preventScroll: true });
		start();
	}
	return { root, begin };
}
