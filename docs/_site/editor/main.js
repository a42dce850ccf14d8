// main.js: 「書き換える」か「ページの中で書く」が押されたら、その机を開く。esbuild が assets/run/editor.js にまとめる
import { Exercise } from "./exercise.js";
import { Listing } from "./listing.js";

const opened = new Set();
globalThis.bookEdit = async (open) => {
	if (opened.has(open)) return;
	opened.add(open);
	try {
		await (open.dataset.edit ? Listing : Exercise).open(open);
	} catch (e) {
		opened.delete(open);
		throw e;
	}
};
