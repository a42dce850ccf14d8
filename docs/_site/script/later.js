// later.js: 押されてから読み込むもの。ファイルのまま開いたページでは fetch できないので、どれも script で読む
import { make } from "./dom.js";

const here = new URL(".", document.currentScript.src),
	loaded = new Map();
export const local = location.protocol === "file:";
export const address = (name) => new URL(name, here).href;
const missing = (name) => new Error(`${name} が読み込めない`);

// known にあるものか、work() で求めたもの。求められなければ、次にもう 1 度求める
export function once(known, key, work) {
	const failed = (e) => (known.delete(key), Promise.reject(e));
	if (!known.has(key)) known.set(key, work().catch(failed));
	return known.get(key);
}
const loading = (name) =>
	new Promise((onload, no) => {
		const onerror = () => no(missing(name));
		document.head.append(make("script", { src: address(name), onload, onerror }));
	});
export const script = (name) => once(loaded, name, () => loading(name));

// run/ のファイルの中身。ファイルのまま開いたページでは、文字にしたものが bookFiles に入る
globalThis.bookFiles ??= {};
export async function bytes(name) {
	if (local) {
		await script(`run/${name}.js`);
		return Uint8Array.from(atob(bookFiles[name]), (c) => c.charCodeAt(0));
	}
	const got = await fetch(address(`run/${name}`));
	if (!got.ok) throw missing(name);
	return new Uint8Array(await got.arrayBuffer());
}
export const text = async (name) => new TextDecoder().decode(await bytes(name));
