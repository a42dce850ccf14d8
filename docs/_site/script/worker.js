// worker.js: プログラムを動かす Worker の中身。
// 受け取る: {programs: {名前: WebAssembly}, files: {名前: 中身}}、{args: 指定} で、初めのプログラムを動かす
// 送る: {fd, text} 出力、{json} 書いた JSON (count と trace)、{condition} judge がいま試すこと、{done} 終了コード、
//       {trouble} 動かせなかった理由
// judge (code/exercise/judge.cpp) は、ほかのプログラムを動かすように頼む。
import { Wasi } from "../../../code/cpu/wasm/wasi.js";

const ENOUGH = 1 << 20; // judge の頼んだプログラムの言うことは、ここまで覚える
const programs = new Map();
let given;

function execute([name, ...args]) {
	if (name === "mine") postMessage({ condition: args.slice(0, 4).join(" ") });
	const said = [];
	let size = 0;
	const hear = (fd, bytes) => {
		if ((size += bytes.length) < ENOUGH) said.push(bytes);
	};
	return { code: new Wasi([name, ...args], new Map(), hear).start(programs.get(name)), said };
}
function main(args) {
	const files = new Map(Object.entries(given)),
		decoders = [],
		[[name, program]] = programs;
	const wasi = new Wasi([name, ...args], files, (fd, bytes) => {
		decoders[fd] ??= new TextDecoder();
		postMessage({ fd, text: decoders[fd].decode(bytes, { stream: true }) });
	});
	const asked = (words, length) => {
		const { code, said } = execute(new TextDecoder().decode(wasi.bytes(words, length).slice()).split("\0"));
		wasi.root.put("said", new Uint8Array(said.flatMap((bytes) => [...bytes])));
		return code;
	};
	const done = wasi.start(program, { judge: { execute: asked } });
	if (files.has("listing.json")) postMessage({ json: new TextDecoder().decode(files.get("listing.json")) });
	postMessage({ done });
}
onmessage = ({ data }) => {
	try {
		given = data.files ?? given ?? {};
		for (const [name, wasm] of Object.entries(data.programs ?? {})) programs.set(name, new WebAssembly.Module(wasm));
		if (data.args) main(data.args);
	} catch (e) {
		postMessage({ trouble: e instanceof WebAssembly.CompileError ? "browser" : String(e) });
	}
};
