// press.js: 初めて押されたときに読み込む入口。動かす、書き換える、図を動かす
import { Exercise } from "./exercise.js";
import { once, script, text } from "./later.js";
import { Listing } from "./listing.js";
import { player } from "./player.js";
import { find } from "./run.js";
import { Source } from "./source.js";
import { recorded } from "./trace.js";

const opening = new Map(), // 書き換えるボタン → 開き終わる Promise
	players = new Map(); // 動く図のボタン → Promise<動く図>

// リストをページの中で動かす。書きかけを開いている間なら、それを待つ。given: リンクの言う初めの値
async function run(open, given) {
	await opening.get(open.parentElement.querySelector("[data-edit]"))?.catch(() => {});
	return find(open).go(given);
}
// 「自分のGPUで」の動かすもの。課題なら、書く欄を開く
async function own(open) {
	const beside = (kind) => open.parentElement.querySelector(`[data-${kind}="${open.dataset.gpu}"]`);
	if (!beside("run")) await edit(beside("exercise"));
	return find(beside("run"));
}
// 並べて見せる 2 つを、順に動かす
async function both(open) {
	for (const one of open.parentElement.querySelectorAll("[data-run]")) await run(one);
}

// 書き換える欄。押されたボタンに合うものを開く。quiet: 押されずに、書きかけを開く
function edit(open, quiet) {
	return once(opening, open, async () => {
		await script("editor.js");
		const { edit, exercise } = open.dataset,
			title = open.closest(".highlight").querySelector(".filename"),
			path = (title.querySelector("a") ?? title).textContent,
			source = new Source(path, await text(edit ? `${edit}.cu` : `${exercise}.todo.cu`));
		return edit ? new Listing(open, edit, source, quiet) : new Exercise(open, exercise, source, quiet);
	});
}

// 並べた行を、課題の欄に入れて確かめる
const fill = async (open, lines) => (await edit(open)).fill(lines);

async function played(open, id) {
	const names = open.parentElement.dataset.play.split(" "),
		records = await Promise.all(names.map(async (name) => recorded(JSON.parse(await text(`traces/${name}.json`))))),
		made = player(records, id, () => (made.root.remove(), open.focus()));
	return made;
}
async function play(open) {
	const made = await once(players, open, () => played(open, `player-${players.size}`));
	open.after(made.root);
	made.begin();
}

globalThis.bookPress = { run, own, both, edit, fill, play };
