// show.js: リストの初めの起動のカーネルを、WGSL で見せる。
//   node code/cpu/webgpu/show.js 5.3/3-sequential.gpu.wasm 指定…
const fs = require("fs");
const { Replay } = require("./replay.js");

const [file, ...args] = process.argv.slice(2);
globalThis.GPUBufferUsage = {};
// 何もしない GPU。シェーダを頼まれたら、それを見せて終わる
const nothing = new Proxy(function () {}, { get: () => nothing, apply: () => nothing });
const device = new Proxy(
	{
		limits: new Proxy({}, { get: () => Infinity }),
		lost: new Promise(() => {}),
		createShaderModule({ code }) {
			fs.writeSync(1, code);
			process.exit();
		},
	},
	{ get: (own, name) => own[name] ?? nothing },
);
new Replay({ device, width: 32, name: "" }, fs.readFileSync(file)).run(["listing", ...args], {}, () => {});
