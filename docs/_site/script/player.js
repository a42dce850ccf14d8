// player.js: 図を動かす。記録 (trace.js) を、読む、書く、待つ、の 1 コマずつ見せる
import { button, icon, make, PLAY } from "./dom.js";
import { draw, f1, layout, rect, WIDTH, word } from "./draw.js";
import { range, say, sayOne, study } from "./frames.js";
import style from "./player.css" with { type: "text" }; // 色は図と同じ。紙の上では、動かない図のまま

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

// close(): 閉じるボタンを押した。closing は、そのボタンの名前
export function player(records, id, close, closing = "図に戻す") {
	let shown, // {record, facts: frames.js の分かること, place: 絵の置き方}
		now = 0,
		followed = -1,
		timer,
		speed = 1;
	const picture = make("div", { innerHTML: '<svg class="player__stage" aria-hidden="true"></svg>' }),
		stage = picture.firstChild,
		cost = make("p", { className: "player__cost" }),
		text = make("p", { className: "player__text" }),
		code = make("div", { className: "player__code", tabIndex: 0, ariaLabel: "コード" });
	code.setAttribute("role", "group");
	const first = small(() => go(0), "始めに戻る (Home)", icon(ICONS.first)),
		back = small(() => go(now - 1), "1コマ戻る (←)", icon(ICONS.back)),
		next = small(() => go(now + 1), "1コマ進む (→)", icon(ICONS.next)),
		play = button("", () => toggle());
	const oninput = () => go(+bar.value),
		bar = make("input", { type: "range", min: 0, className: "player__bar", ariaLabel: "コマ", oninput });
	const rate = small(() => faster(), "速さ 1倍", "1×");
	const who = make("select", { ariaLabel: "追うスレッド", onchange: () => follow(+who.value) });
	const leave = small(() => (stop(), close()), `${closing} (Esc)`, icon(ICONS.close));
	const controls = make("div", { className: "player__controls" }, first, back, play, next, bar, rate, leave);
	const choice = make("div", { className: "player__choice" });
	const seen = make("div", {}, choice, picture, cost, text, controls, who),
		root = make("div", { className: "player", role: "group", tabIndex: -1 }, seen, code);

	function show(moving) {
		const { record, facts, place } = shown,
			frame = facts.frames[now],
			one = record.steps[frame.step],
			{ html, arrows } = draw(record, facts, place, frame, id);
		stage.innerHTML = html;
		cost.textContent = frame.cost;
		text.textContent = followed >= 0 ? sayOne(record, frame, followed) : say(record, facts, frame);
		for (const one of stage.querySelectorAll("[data-who]"))
			one.classList.toggle("player__other", followed >= 0 && +one.dataset.who !== followed);
		stage.querySelector(`[data-thread="${followed}"]`)?.classList.add("player__followed");
		if (moving && !still.matches) animate(arrows);
		Object.assign(bar, { value: now, ariaValueText: `${now + 1} / ${facts.frames.length}` });
		const held = root.contains(document.activeElement);
		first.disabled = back.disabled = now === 0;
		next.disabled = now === +bar.max;
		// キーが効かなくならないように。押せなくしたボタンは、すぐに焦点を失うことも、後で失うこともある
		const { activeElement } = document;
		if (held && (activeElement.disabled || !root.contains(activeElement))) root.focus({ preventScroll: true });
		const lines = !one ? [] : frame.kind === "wait" ? [one.wait] : one.lines;
		for (const line of code.children) line.classList.toggle("player__line--now", lines.includes(+line.dataset.line));
		const lit = code.querySelector(".player__line--now");
		if (lit) code.scrollTop = lit.offsetTop - (code.clientHeight - lit.offsetHeight) / 2;
	}
	// 値を、矢印に沿って運ぶ
	function animate(arrows) {
		const timing = { duration: 800 / speed, easing: "ease-in-out" };
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
	function go(to, playing) {
		if (!playing) stop();
		const moving = to === now + 1;
		now = Math.max(0, Math.min(+bar.max, to));
		show(moving);
	}
	function faster() {
		speed = { 1: 2, 2: 0.5, 0.5: 1 }[speed];
		named(rate, `速さ ${speed}倍`, `${speed}×`);
		if (timer) start();
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
	function choose(record, pressed) {
		const facts = study(record),
			{ threads, unit } = record;
		shown = { record, facts, place: layout(record, facts) };
		now = Math.min(now, (bar.max = facts.frames.length - 1));
		root.ariaLabel = `動く図: ${record.name}、N = ${record.n}`;
		stage.setAttribute("viewBox", `0 0 ${WIDTH} ${f1(shown.place.height)}`);
		for (const one of choice.children) one.ariaPressed = one === pressed;
		const option = (value, textContent) => make("option", { value, textContent });
		who.replaceChildren(option(-1, "全員を見る"), ...range(threads).map((t) => option(t, `${unit}${t}を追う`)));
		who.value = followed = followed < threads ? followed : -1;
		code.replaceChildren();
		record.code.forEach((line, k) => {
			if (line) code.append(make("code", { className: "player__line", textContent: line }));
			if (line) code.lastChild.dataset.line = k;
		});
		show();
	}
	const alike = records.every((one) => one.name === records[0].name);
	for (const record of records) {
		const one = button(alike ? `N = ${record.n}` : record.name, () => (stop(), choose(record, one)));
		choice.append(one);
	}
	choice.hidden = records.length < 2;
	stage.addEventListener("click", (event) => {
		const box = event.target.closest("[data-thread]");
		if (box) follow(+box.dataset.thread === followed ? -1 : +box.dataset.thread);
	});
	const toggle = () => (timer ? stop() : start());
	const keys = {
		ArrowLeft: () => go(now - 1),
		ArrowRight: () => go(now + 1),
		Home: () => go(0),
		End: () => go(+bar.max),
		Escape: () => leave.click(),
		" ": toggle,
	};
	root.addEventListener("keydown", (event) => {
		event.stopPropagation(); // サイトも、キーを聞いている: n と p は次と前のページに移る
		// ボタンの上の空白は、そのボタンを押す。選ぶ欄の上では、Esc のほかは欄のもの
		const own = event.key === " " ? event.target.matches("button, select") : event.target.matches("select");
		if (!keys[event.key] || (own && event.key !== "Escape") || event.altKey || event.ctrlKey || event.metaKey) return;
		event.preventDefault();
		keys[event.key]();
	});
	stop();
	play.hidden = rate.hidden = still.matches;
	choose(records[0], choice.firstChild);
	// ページに置いてから呼ぶ
	function begin() {
		root.scrollIntoView({ block: "nearest" });
		(still.matches ? next : play).focus({ preventScroll: true });
		start();
	}
	return { root, begin };
}
