// gpu-worker.js: プログラムを、読む人の GPU で動かす Worker の中身。
// 受け取る: {programs: {listing: WebAssembly}}、{args: 指定, clocked: 時間も測るなら、入力のバイト数}
// 送る: {fd, text} 出力、{time: 測った時間 (clock.js)}、{refused: {text, line}} 断る文と行、{done} 終了コード、
//       {trouble} 動かせなかった理由
import { open } from "../../../code/cpu/webgpu/gpu.js";
import { Replay } from "../../../code/cpu/webgpu/replay.js";

let replay, wasm;
onmessage = async ({ data }) => {
	try {
		wasm = data.programs?.listing ?? wasm;
		if (!data.args) return;
		replay ??= new Replay(await open(), wasm);
		const decoders = [0, 1, 2].map(() => new TextDecoder()),
			hear = (fd, bytes) => postMessage({ fd, text: decoders[fd].decode(bytes, { stream: true }) }),
			done = await replay.run(["listing", ...data.args], {}, hear, data.clocked);
		if (replay.time) postMessage({ time: replay.time });
		postMessage({ done });
	} catch (e) {
		if (!e.kind) return postMessage({ trouble: e instanceof WebAssembly.CompileError ? "browser" : String(e) });
		postMessage({ refused: { text: e.message, line: e.line } });
		postMessage({ done: 3 });
	}
};
