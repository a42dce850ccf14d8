// page.js: テストが開くページの中身。run(URL, 指定): 動かした {code, out, err} か、断った {told, at}
const { open } = require("../../code/cpu/webgpu/gpu.js");
const { Replay } = require("../../code/cpu/webgpu/replay.js");
const { told } = require("../../code/cpu/webgpu/refuse.js");

let gpu;
const programs = new Map();
const fetched = async (url) => await (await fetch(url)).arrayBuffer();
globalThis.ready = async () => {
	try {
		return (gpu = await open()).width;
	} catch (e) {
		return e.kind ? told(e).text : String(e);
	}
};
globalThis.run = async (url, args) => {
	if (!programs.has(url)) programs.set(url, new Replay(gpu, new Uint8Array(await fetched(url))));
	const said = ["", "", ""],
		hear = (fd, bytes) => (said[fd] += new TextDecoder().decode(bytes)),
		replay = programs.get(url);
	try {
		const code = await replay.run(["listing", ...args], {}, hear);
		return { code, out: said[1], err: said[2] };
	} catch (e) {
		if (!e.kind) return { told: String(e.stack) };
		const { text, at } = told(e, JSON.parse(new TextDecoder().decode(await fetched(`${url}.json`))));
		return { told: text, at, kind: e.kind };
	}
};
