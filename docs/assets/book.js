// Material の部品を、キーボードと読み上げで使えるようにする。bundle が部品を作り終えてから動く
addEventListener("DOMContentLoaded", () => {
	// 目次を開く印は label で、Tab で届かない。ボタンに替える
	const label = document.querySelector(".md-header [for=__drawer]"),
		button = document.createElement("button");
	button.className = label.className;
	button.innerHTML = label.innerHTML;
	button.ariaLabel = "目次を開く";
	button.setAttribute("for", "__drawer"); // Material の CSS が、広い画面で隠すのに使う
	button.onclick = () => document.getElementById("__drawer").click();
	label.replaceWith(button);

	// 写すボタン 1 つだけの nav は、目印には数が多すぎる
	for (const nav of document.querySelectorAll(".md-code__nav")) nav.role = "none";
});

// n と p は次と前のページに移る (Material の働き)。動く図の中では、キーは図のもの
document.addEventListener("keydown", (event) => event.target.closest(".player") && event.stopPropagation());

// ▶ と 書き換える: リストをページの中で動かす (assets/run/)。押すまで、何も読み込まない
{
	const folder = new URL("run/", document.currentScript.src);
	const start = (what, button, given) => {
		if (globalThis.bookPage) return bookPage[what](button, given);
		const script = document.createElement("script");
		script.src = new URL("run.js", folder);
		script.onload = () => bookPage[what](button, given);
		document.head.append(script);
	};
	addEventListener("click", ({ target }) => {
		if (target.matches("[data-run]")) start("run", target);
		if (target.matches("[data-edit], [data-exercise]")) start("edit", target);
	});

	// 書きかけのものと、解いた課題の印。どちらも、このブラウザだけが覚えている
	const remembered = (key) => {
		try {
			return localStorage.getItem(`book ${key}`);
		} catch {}
	};
	const solved = () => JSON.parse(remembered("solved") ?? "[]");
	globalThis.bookSolved = () => {
		for (const link of document.querySelectorAll(".md-nav--primary .md-nav__link[href]")) {
			const { pathname, hash } = new URL(link.href),
				section = pathname.match(/([^/]*)\.html$/)?.[1],
				count = solved().filter((name) => name.split("/")[0] === section).length;
			if (!count || (hash && hash !== "#exercises")) continue;
			const mark = link.querySelector(".solved") ?? link.appendChild(document.createElement("span"));
			mark.className = "solved";
			mark.textContent = `✓${count}`;
			mark.title = `解いた課題 ${count} 個`;
		}
	};
	const cannot = () =>
		!globalThis.WebAssembly || !globalThis.DecompressionStream || !globalThis.Worker
			? "このブラウザではコンパイルできない: 新しい Chrome、Edge、Firefox、Safari で開くと、書き換えて動かせる。"
			: /Mobi|Android|iPad/.test(navigator.userAgent) || navigator.deviceMemory < 4
				? "書き換えて動かすには、パソコン (メモリ 4 GB 以上) で開く。"
				: "";
	addEventListener("DOMContentLoaded", () => {
		const told = new Set();
		bookSolved();
		for (const button of document.querySelectorAll("[data-edit], [data-exercise]")) {
			const { edit, exercise } = button.dataset;
			if (remembered(edit ? `edit ${edit}` : `exercise ${exercise}`)) button.textContent += " (書きかけ)";
			if (solved().includes(exercise)) button.textContent += " ✓";
			if (!cannot()) continue;
			const note = document.createElement("p"); // 1 ページに 1 つずつ言う
			note.className = "run__note";
			note.textContent = cannot();
			button.replaceWith(...(told.has(!edit) ? [] : [note]));
			told.add(!edit);
		}
		const given = new URLSearchParams(location.hash.slice(1)); // #run=5.2/reduction&n=1000
		const button = document.querySelector(`[data-run="${CSS.escape(given.get("run") ?? "")}"]`);
		if (button) (button.scrollIntoView(), start("run", button, given));
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
}
