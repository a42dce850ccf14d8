// show.js: リストの初めの起動のカーネルを、WGSL で見せる。
//   node code/cpu/webgpu/show.js 5.3/3-sequential.gpu.wasm 指定…
const fs = require("fs");
const { Replay } = require("./replay.js");

// GPU には何も頼まず、起動を見せて終わる
class Show extends Replay {
	next() {}
	launch(at) {
		fs.writeSync(1, this.translated(this.read(at)).kernel.code);
		process.exit();
	}
}
const [file, ...args] = process.argv.slice(2),
	device = { lost: new Promise(() => {}), pushErrorScope() {} };
new Show({ device, name: "" }, fs.readFileSync(file)).run(["listing", ...args], {}, () => {});
