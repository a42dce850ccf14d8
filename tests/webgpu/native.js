// native.js: kernels.cu を、ブラウザの外の WebGPU で動かす。ワープの幅が 32 の GPU で、CUDA の答えと比べるため
//   node tests/webgpu/native.js kernels.wasm > 出力
// WebGPU は、docs/measured/record_webgpu.js と同じもの (環境変数 WEBGPU)。断ったものは、「名前 断る: 文」と書く
const fs = require("fs");
const { open } = require("../../code/cpu/webgpu/gpu.js");
const { Replay } = require("../../code/cpu/webgpu/replay.js");
const { told } = require("../../code/cpu/webgpu/refuse.js");

async function main(file) {
	const { create, globals } = await import(process.env.WEBGPU ?? "webgpu");
	Object.assign(globalThis, globals);
	Object.defineProperty(globalThis, "navigator", { value: { gpu: create([]) } });
	const device = await open(),
		source = fs.readFileSync(`${__dirname}/kernels.cu`, "utf-8"),
		replay = new Replay(device, fs.readFileSync(file));
	for (const [, name] of source.matchAll(/^(?:EACH|WARP|ADD)\((\w+)/gm)) {
		let out = "";
		try {
			await replay.run(["listing", name], {}, (fd, bytes) => (out += new TextDecoder().decode(bytes)));
		} catch (e) {
			out = `${name} 断る: ${e.kind ? told(e, replay.program).text : e.stack}\n`;
		}
		process.stdout.write(out);
	}
	process.exit(); // Dawn は、デバイスを返さないと終わらない
}
main(process.argv[2]);
