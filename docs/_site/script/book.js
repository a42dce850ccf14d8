// book.js: どのページも読み込む。動かす、書き換える、図を動かすものは、初めて押されたときに press.js を読み込む
import { icon, make, PLAY } from "./dom.js";
import { script } from "./later.js";
import "./search.js";
import { questions } from "./question.js";
import { markSolved, recall, solved } from "./store.js";

// Material の部品を、キーボードと読み上げで使えるようにする。bundle が部品を作り終えてから動く
addEventListener("DOMContentLoaded", () => {
	// 目次を開く印は label で、Tab で届かない。ボタンに替える
	const label = document.querySelector(".md-header [for=__drawer]"),
		{ className, innerHTML } = label,
		onclick = () => document.getElementById("__drawer").click(),
		button = make("button", { className, innerHTML, ariaLabel: "目次を開く", onclick });
	button.setAttribute("for", "__drawer"); // Material の CSS が、広い画面で隠すのに使う
	label.replaceWith(button);
});

// 写すボタン 1 つだけの nav は、目印には数が多すぎる。コードが見える所まで来ると、Material が足す
new MutationObserver((changes) => {
	for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes]))
		if (node.className === "md-code__nav") node.role = "none";
}).observe(document.body, { childList: true, subtree: true });

// 開いたときには、見える所の塊だけが並んでいる (book.css)。残りは、手が空いてから、少しずつ並べる。
// 上の塊の高さが見積もりと違うと、リンクの指す見出しは、ずれる。読者が何もしていなければ、並べ終えてから、もう1度着く
addEventListener("load", () => {
	const rest = [...document.querySelectorAll(".md-content__inner > *")],
		next = () => {
			const begun = performance.now();
			while (rest.length && performance.now() - begun < 5) {
				const e = rest.shift();
				if (getComputedStyle(e).contentVisibility !== "auto") continue;
				e.style.contentVisibility = "visible";
				void e.offsetHeight; // ここで並べる。全部を続けて並べると、その間、押しても動かない
			}
			if (rest.length) setTimeout(next);
			else if (target) land();
		},
		// 上へ動いたときに Material の出す「ページトップへ戻る」は、見出しを隠す。下へ動いて終わる
		land = () => {
			target.scrollIntoView();
			scrollBy(0, -1);
			requestAnimationFrame(() => target?.scrollIntoView());
		};
	let target = document.querySelector(":target");
	for (const kind of ["wheel", "pointerdown", "keydown"]) addEventListener(kind, () => (target = null), { once: true });
	if (CSS.supports("overflow-anchor", "auto")) requestIdleCallback(next);
});

// ---------------------------------------------------------------- 押すもの
const press = async (what, ...given) => {
	await script("press.js");
	return bookPress[what](...given);
};
addEventListener("click", ({ target }) => {
	if (target.matches("[data-run]")) press("run", target);
	if (target.matches("[data-both]")) press("both", target);
	if (target.matches("[data-gpu]")) press("own", target).then((run) => script("gpu.js").then(() => bookGpu.press(run)));
	if (target.matches("[data-edit], [data-exercise]")) press("edit", target);
	const open = target.closest(".player__open");
	if (open) press("play", open);
});
for (const svg of document.querySelectorAll("figure[data-play] > svg"))
	svg.after(make("button", { type: "button", className: "player__open", innerHTML: `${icon(PLAY)} 動かす` }));

const cannot = () =>
	!globalThis.WebAssembly || !globalThis.DecompressionStream || !globalThis.Worker
		? "このブラウザではコンパイルできない: 新しい Chrome、Edge、Firefox、Safari で開くと、書き換えて動かせる。"
		: navigator.deviceMemory < 4
			? "書き換えて動かすには、メモリが 4 GB 以上の機械で開く。"
			: "";
const given = new URLSearchParams(location.hash.slice(1)), // #run=5.2/reduction&n=1000
	linked = document.querySelector(`[data-run="${CSS.escape(given.get("run") ?? "")}"]`);
// Material が部品を作る前に済ませる。DOMContentLoaded まで待つと、2 つが 1 つの長い仕事になり、その間、押しても動かない
markSolved();
questions((open, lines) => press("fill", open, lines));
addEventListener("DOMContentLoaded", () => {
	const told = new Set();
	for (const button of document.querySelectorAll("[data-edit], [data-exercise]")) {
		const { edit, exercise } = button.dataset;
		if (solved().includes(exercise)) button.textContent += " ✓";
		if (!cannot()) {
			if (recall(edit ? `edit ${edit}` : `exercise ${exercise}`)) press("edit", button, true); // 書きかけ
			continue;
		}
		const note = make("p", { className: "run__note", textContent: cannot() }); // 1 ページに 1 つずつ言う
		button.parentElement.querySelector(`[data-gpu="${exercise}"]`)?.remove(); // 書けないものは、動かせない
		button.replaceWith(...(told.has(!edit) ? [] : [note]));
		told.add(!edit);
	}
	if (linked) (linked.scrollIntoView(), press("run", linked, given));
});

// 幅に入らない表は、キーボードでも横に動かせるようにする
const sized = new ResizeObserver((all) => {
	for (const { target: e } of all)
		if (e.scrollWidth > e.clientWidth) e.tabIndex = 0;
		else e.removeAttribute("tabindex");
});
addEventListener("load", () => {
	for (const e of document.querySelectorAll(".md-typeset__scrollwrap")) sized.observe(e);
});
