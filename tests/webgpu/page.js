// page.js: テストが開くページの中身。run(URL, 指定): 動かした {code, out, err} か、断った {told, at}。
// fault: 起こす故障。lost は、動かしている間に GPU を失う。small は、メモリが小さい
const { open } = require("../../code/cpu/webgpu/gpu.js");
const { Replay } = require("../../code/cpu/webgpu/replay.js");
const { told } = require("../../code/cpu/webgpu/refuse.js");

let gpu;
const programs = new Map();
globalThis.ready = async () => {
	try {
		return (gpu = await open()).width;
	} catch (e) {
		return e.kind ? told(e).text : String(e);
	}
};
globalThis.run = async (url, args, { fault }) => {
	const own = fault ? await open() : gpu,
		limits = { maxStorageBufferBindingSize: 1000, maxBufferSize: 1000 };
	if (fault === "small") Object.defineProperty(own.device, "limits", { value: limits });
	if (!programs.has(url)) programs.set(url, new Replay(own, new Uint8Array(await (await fetch(url)).arrayBuffer())));
	const said = ["", "", ""],
		hear = (fd, bytes) => (said[fd] += new TextDecoder().decode(bytes)),
		replay = programs.get(url);
	try {
		const running = replay.run(["listing", ...args], {}, hear);
		if (fault === "lost") own.device.destroy();
		const code = await running;
		return { code, out: said[1], err: said[2] };
	} catch (e) {
		if (!e.kind) return { told: String(e.stack) };
		const { text, at } = told(e, replay.program);
		return { told: text, at, kind: e.kind };
	}
};
