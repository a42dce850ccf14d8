// 同じ GPU で、リストを CUDA と WebGPU で測る。フォルダ/webgpu.jsonl を作る
//   node docs/measured/record_webgpu.js フォルダ 5.2 5.3 …
// WebGPU は npm の webgpu (Chrome と同じ Dawn)。ほかの所にあれば、その index.js を環境変数 WEBGPU に入れる。
// 先に、リストを make で GPU のために作り、サイトを作って build/wasm に *.gpu.wasm を置く。
// CUDA の時間は、起動を頼む手間を除いたもの (queued_ms)。WebGPU の時間も、続けて頼んだもの (code/cpu/webgpu/clock.js)
const { execFileSync } = require("child_process");
const fs = require("fs");
const path = require("path");

const ROOT = path.resolve(__dirname, "../.."),
	SIZES = (process.env.N ?? `${1 << 22},${1 << 24},${1 << 26}`).split(",").map(Number),
	WASM = path.join(ROOT, "build/wasm");
const { open } = require(`${ROOT}/code/cpu/webgpu/gpu.js`),
	{ record } = require(`${ROOT}/code/cpu/webgpu/clock.js`),
	{ Replay } = require(`${ROOT}/code/cpu/webgpu/replay.js`);

async function main([folder, ...sections]) {
	const { create, globals } = await import(process.env.WEBGPU ?? "webgpu");
	Object.assign(globalThis, globals);
	const gpu = create(["enable-dawn-features=allow_unsafe_apis", "disable-dawn-features=timestamp_quantization"]);
	Object.defineProperty(globalThis, "navigator", { value: { gpu } });
	const device = await open(),
		rows = [],
		date = new Date().toISOString().slice(0, 10),
		names = fs
			.readdirSync(WASM, { recursive: true })
			.filter((name) => /^[\d.]+\/.*\.gpu\.wasm$/.test(name))
			.map((name) => name.replace(/\.gpu\.wasm$/, ""))
			.filter((name) => sections.includes(name.split("/")[0]) && fs.existsSync(path.join(ROOT, "build/gpu", name)))
			.sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
	for (const name of names) {
		const replay = new Replay(device, fs.readFileSync(path.join(WASM, `${name}.gpu.wasm`)));
		const options = ["--n", SIZES.join(), "--repeat", "11", "--json"],
			said = execFileSync(path.join(ROOT, "build/gpu", name), options, { encoding: "utf-8" });
		for (const cuda of JSON.parse(`[${said.trim().replaceAll("\n", ",")}]`)) {
			const { n } = cuda,
				hear = (fd, bytes) => (out += new TextDecoder().decode(bytes));
			let out = "";
			try {
				await replay.run(["listing", "--n", String(n), "--json"], {}, hear, 4 * n);
			} catch (e) {
				console.error(name, n, e.kind ? e.message : e.stack);
				break;
			}
			if (!replay.time) break; // 時計のないリスト
			const { kernel_ms, read_ms, agree, launches } = record(JSON.parse(out), replay.time);
			rows.push({ listing: cuda.listing, device: cuda.device, type: cuda.type, n, cuda_ms: cuda.queued_ms });
			Object.assign(rows.at(-1), { webgpu_ms: kernel_ms, read_ms, launches, agree: agree && cuda.agree, date });
			console.log(JSON.stringify(rows.at(-1)));
			fs.writeFileSync(path.join(folder, "webgpu.jsonl"), rows.map((row) => JSON.stringify(row) + "\n").join(""));
		}
	}
	process.exit(); // Dawn は、デバイスを返さないと終わらない
}
main(process.argv.slice(2));
