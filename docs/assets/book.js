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

// ▶: リストをページの中で動かす (assets/run/)。押すまで、何も読み込まない
{
	const folder = new URL("run/", document.currentScript.src);
	const run = (button, given) => {
		if (globalThis.bookRun) return bookRun(button, given);
		const script = document.createElement("script");
		script.src = new URL("run.js", folder);
		script.onload = () => bookRun(button, given);
		document.head.append(script);
	};
	addEventListener("click", (event) => event.target.matches("[data-run]") && run(event.target));
	addEventListener("DOMContentLoaded", () => {
		const given = new URLSearchParams(location.hash.slice(1)); // #run=5.2/reduction&n=1000
		const button = document.querySelector(`[data-run="${CSS.escape(given.get("run") ?? "")}"]`);
		if (button) (button.scrollIntoView(), run(button, given));
	});
}
