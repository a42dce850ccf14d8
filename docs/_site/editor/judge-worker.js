// judge-worker.js: 判定する Worker。前に wasi.js (Wasi) が置かれる。judge (code/exercise/judge.cpp) が頼むたびに、
// 読者のものか元のものを動かす。
// 受け取る: {judge, mine, original} プログラム、{path, text} 読者のファイル、{args} judge への指定
// 送る: {condition} いま試すこと、{text} judge の言うこと、{code} 終了コード、{trouble} 動かせなかった理由
const ENOUGH = 1 << 20; // プログラムの言うことは、ここまで覚える
let given, programs;
const compiled = (wasm) => wasm && new WebAssembly.Module(wasm);

function execute([name, ...args]) {
	if (name === "mine") postMessage({ condition: args.slice(0, 4).join(" ") });
	const said = [];
	let size = 0;
	const hear = (fd, bytes) => {
		if ((size += bytes.length) < ENOUGH) said.push(bytes);
	};
	try {
		return { code: new Wasi([name, ...args], new Map(), hear).start(programs[name]), said };
	} catch (e) {
		if (!(e instanceof WebAssembly.RuntimeError)) throw e;
		return { code: -1, said };
	}
}

onmessage = ({ data }) => {
	try {
		if (!data.args) {
			given = data;
			programs = { judge: compiled(data.judge), mine: compiled(data.mine), original: compiled(data.original) };
			return;
		}
		const files = new Map(given.path ? [[given.path, new TextEncoder().encode(given.text)]] : []),
			decoder = new TextDecoder(),
			judge = new Wasi(["judge", ...data.args], files, (fd, bytes) =>
				postMessage({ text: decoder.decode(bytes, { stream: true }) }),
			);
		const code = judge.start(programs.judge, {
			judge: {
				execute(words, length) {
					const { code, said } = execute(new TextDecoder().decode(judge.bytes(words, length).slice()).split("\0"));
					files.set("said", new Uint8Array(said.flatMap((bytes) => [...bytes])));
					return code;
				},
			},
		});
		postMessage({ code });
	} catch (e) {
		postMessage({ trouble: String(e) });
	}
};
