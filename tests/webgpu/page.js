// page.js: テストが開くページの中身。run(URL, 指定): 動かした {code, out, err} か、断った {kind, text, line}。
// fault: 起こす故障。lost は、動かしている間に GPU を失う。small は、メモリが小さい
const { open } = require("../../code/cpu/webgpu/gpu.js");
const { Replay } = require("../../code/cpu/webgpu/replay.js");

let gpu;
const programs = new Map(),
	small = { maxStorageBufferBindingSize: 1000, maxBufferSize: 1000 };
globalThis.ready = () => open().then((own) => (gpu = own).width, String);
globalThis.run = async (url, args, { fault }) => {
	const own = fault ? await open() : gpu,
		said = ["", "", ""],
		hear = (fd, bytes) => (said[fd] += new TextDecoder().decode(bytes));
	if (fault === "small") Object.defineProperty(own.device, "limits", { value: small });
	if (!programs.has(url)) programs.set(url, new Replay(own, new Uint8Array(await (await fetch(url)).arrayBuffer())));
	try {
		const running = programs.get(url).run(["listing", ...args], {}, hear);
		if (fault === "lost") own.device.destroy();
		return { code: await running, out: said[1], err: said[2] };
	} catch (e) {
		return e.kind ? { kind: e.kind, text: e.message, line: e.line } : { text: String(e.stack) };
	}
};
