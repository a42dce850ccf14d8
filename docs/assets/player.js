// 記録のある図に「動かす」を置く。動かす部品は、初めて押されたときに読み込む: 押さない読者は、待たない
(() => {
	const here = document.currentScript.src;
	let parts;
	const load = (name) =>
		new Promise((onload, onerror) => {
			const script = document.createElement("script");
			const src = here.replace("player.js", `player-${name}.js`);
			document.head.append(Object.assign(script, { src, onload, onerror, async: false })); // 並べた順に動かす
		});

	globalThis.playerParts = () => (parts ||= Promise.all(["record", "draw", "run"].map(load)));
	document.querySelectorAll("figure:has(> .player-data)").forEach((figure, k) => {
		let made;
		const open = document.createElement("button");
		Object.assign(open, { type: "button", className: "player__open" }).innerHTML =
			'<svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">' +
			'<path fill="currentColor" d="M4 2v12l9-6z"/></svg> 動かす';
		open.onclick = async () => {
			await playerParts();
			const records = () => JSON.parse(figure.querySelector(".player-data").textContent).map(playerRecord.unpack);
			const close = () => (figure.classList.remove("playing"), open.focus());
			made ||= playerRun(records(), `player-${k}`, close);
			open.after(made.root);
			figure.classList.add("playing");
			made.root.scrollIntoView({ block: "nearest" });
			made.focus();
			made.start();
		};
		figure.querySelector("svg").after(open);
	});
})();
