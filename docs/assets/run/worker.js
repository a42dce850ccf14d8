// worker.js: リストを動かす Worker の中身。前に errors.js と wasi.js (Wasi) が置かれる。
// 受け取る: {wasm} プログラム、{args} 指定。
// 送る: {fd, text} 出力、{json} 書いた JSON (count と trace)、{code} 終了コード、{trouble} 動かせなかった理由
let program;
onmessage = ({ data }) => {
	try {
		program = data.wasm ? new WebAssembly.Module(data.wasm) : program;
		if (!data.args) return;
		const decoders = [],
			files = new Map();
		const code = new Wasi(["listing", ...data.args], files, (fd, bytes) => {
			decoders[fd] ??= new TextDecoder();
			postMessage({ fd, text: decoders[fd].decode(bytes, { stream: true }) });
		}).start(program);
		if (files.has("listing.json")) postMessage({ json: new TextDecoder().decode(files.get("listing.json")) });
		postMessage({ code });
	} catch (e) {
		postMessage({ trouble: e instanceof WebAssembly.CompileError ? "browser" : String(e) });
	}
};
