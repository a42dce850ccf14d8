// replay.js: プログラムのホストの側を CPU で動かし、起動だけを GPU に頼む。
// ホストは、結果を待つ所で止まれない。だから、GPU の答えが要る所で 1 度やめ、答えを持って初めから動かし直す。
// 2 度目は、もう頼んだことを飛ばし、答えを同じ所で渡す。
const { Clock } = require("./clock.js");
const { pipeline } = require("./gpu.js");
const { WIDEST, translate } = require("./wgsl.js");
const { Wasi } = require("../wasm/wasi.js");
const { Unsaid } = require("./refuse.js");

const RUNS = 200; // ホストを動かし直すのは、ここまで
const RUN_GRID = "__wrap__ZN3cpu7runGridERKNS_6LaunchE";

class Needed extends Error {}
// begin から bytes バイトを含む、4 バイトに揃った所
function whole(begin, bytes) {
	const at = Math.floor(begin / 4) * 4;
	return { at, size: Math.ceil((begin + bytes - at) / 4) * 4 };
}

class Replay {
	// gpu: {device, width: ワープの幅}
	constructor(gpu, wasm) {
		this.gpu = gpu;
		this.device = gpu.device;
		this.program = new WebAssembly.Module(wasm);
		const [functions] = WebAssembly.Module.customSections(this.program, "kernels"); // compile.js が添えたもの
		this.functions = JSON.parse(new TextDecoder().decode(functions));
		this.kernels = new Map();
	}
	// 動かし終えたら、終了コード。write(fd, bytes) は、最後の 1 回の出力。GPU を失ったら断る
	run(args, files, write, clocked) {
		const lost = this.device.lost.then(() => Promise.reject(new Unsaid("lost")));
		return Promise.race([this.whole(args, files, write, clocked), lost]);
	}
	// clocked: 時間も測るか (timerStart から timerStop までの起動の時間)。time に入る
	async whole(args, files, write, clocked) {
		Object.assign(this, { done: 0, answers: new Map(), buffers: [], time: undefined });
		this.scope();
		try {
			for (let k = 0; k < RUNS; k++) {
				const said = [];
				try {
					const code = this.attempt(args, files, (...part) => said.push(part));
					await this.flush();
					for (const part of said) write(...part);
					if (clocked && code === 0 && this.clocked?.length) await this.clock(clocked);
					return code;
				} catch (e) {
					if (!(e instanceof Needed)) throw e;
					await this.answer(e);
				}
			}
			throw new Unsaid("often");
		} finally {
			for (const buffer of this.buffers) buffer?.destroy();
		}
	}
	attempt(args, files, write) {
		Object.assign(this, { step: 0, arrays: [], count: 0, clocked: undefined });
		this.wasi = new Wasi(args, new Map(Object.entries(files)), write);
		const known = {
			[RUN_GRID]: (at) => this.launch(at),
			gpu_allocate: (p, bytes, device) => void this.arrays.push({ p, bytes, device, id: this.count++ }),
			gpu_release: (p) => void (this.arrays = this.arrays.filter((a) => a.p !== p)),
			gpu_kernel() {},
			gpu_host_write: (p, bytes) => this.hostWrite(p, bytes),
			gpu_host_read: (p, bytes) => this.hostRead(p, bytes),
			gpu_name: (to, size) => void new TextEncoder().encodeInto(this.gpu.name, this.wasi.bytes(to, size - 1)),
			__wrap__ZN4book10timerStartEv: () => void (this.clocked = []),
			__wrap__ZN4book9timerStopEv: () => void Object.freeze(this.clocked),
		};
		const refuse = () => {
			throw new Unsaid("host");
		};
		return this.wasi.start(this.program, { env: new Proxy(known, { get: (own, name) => own[name] ?? refuse }) });
	}
	get memory() {
		return this.wasi.inst.exports.memory.buffer;
	}
	find(p) {
		return this.arrays.find((a) => p >= a.p && p < a.p + a.bytes);
	}
	buffer({ id, bytes }) {
		const { maxStorageBufferBindingSize, maxBufferSize } = this.device.limits;
		if (bytes + 16 > Math.min(maxStorageBufferBindingSize, maxBufferSize)) throw new Unsaid("memory");
		this.buffers[id] ??= this.device.createBuffer({
			size: Math.ceil(bytes / 16) * 16,
			usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST,
		});
		return this.buffers[id];
	}
	// 1 つの仕事をする。もうしたことなら飛ばし、その後で受け取った答えを、メモリに置く
	next(work) {
		const step = ++this.step;
		if (step > this.done) {
			work();
			this.done = step;
		}
		for (const { p, data } of this.answers.get(step) ?? []) new Uint8Array(this.memory, p, data.length).set(data);
	}
	scope() {
		for (const kind of ["validation", "out-of-memory", "internal"]) this.device.pushErrorScope(kind);
	}
	hostWrite(p, bytes) {
		const a = this.find(p);
		if (!a) return;
		this.next(() => {
			const { at, size } = whole(p - a.p, bytes);
			this.submit();
			this.device.queue.writeBuffer(this.buffer(a), at, new Uint8Array(this.memory, a.p + at, size));
		});
	}
	hostRead(p, bytes) {
		const a = this.find(p);
		if (!a || !this.buffers[a.id]) return;
		const known = (this.answers.get(this.step) ?? []).some((x) => x.p <= p && x.p + x.data.length >= p + bytes);
		if (!known) throw Object.assign(new Needed(), { a, p, bytes, step: this.step });
	}
	async answer({ a, p, bytes, step }) {
		const { at, size } = whole(p - a.p, bytes),
			staging = this.device.createBuffer({ size, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST });
		this.encoder ??= this.device.createCommandEncoder();
		this.encoder.copyBufferToBuffer(this.buffer(a), at, staging, 0, size);
		await this.flush();
		await staging.mapAsync(GPUMapMode.READ);
		const data = new Uint8Array(staging.getMappedRange()).slice(p - a.p - at, p - a.p - at + bytes);
		staging.destroy();
		this.answers.set(step, [...(this.answers.get(step) ?? []), { p, data }]);
	}
	submit() {
		if (this.encoder) this.device.queue.submit([this.encoder.finish()]);
		this.encoder = undefined;
	}
	// 頼んだものを全部送り、誤りがなかったかを聞く
	async flush() {
		this.submit();
		const errors = [];
		for (let k = 0; k < 3; k++) errors.push(this.device.popErrorScope());
		const [found] = (await Promise.all(errors)).filter(Boolean);
		if (found) {
			const name = found.constructor.name;
			throw new Unsaid(
				name === "GPUOutOfMemoryError" ? "memory" : /uniform control flow/.test(found.message) ? "uniform" : "browser",
				found.message,
			);
		}
		this.scope();
	}

	// ------------------------------------------------------------ 起動
	launch(at) {
		const job = this.job(this.read(at));
		if (this.clocked && !Object.isFrozen(this.clocked)) this.clocked.push(job);
		this.next(() => {
			this.encoder ??= this.device.createCommandEncoder();
			const pass = this.encoder.beginComputePass();
			pass.setPipeline(job.pipeline);
			pass.setBindGroup(
				0,
				job.group((a) => this.buffer(a)),
			);
			pass.dispatchWorkgroups(...job.grid);
			pass.end();
		});
	}
	// 起動の時間と、初めの起動の読む配列を、ただ読む時間 (ms)
	async clock(bytes) {
		const clock = new Clock(this.gpu);
		try {
			const time = await clock.time(this.clocked, (a) => this.buffer(a));
			await this.flush();
			const reads = (this.gpu.reads ??= new Map());
			if (!reads.has(bytes)) reads.set(bytes, await clock.read(bytes));
			this.time = { ...time, read: reads.get(bytes) };
			await this.flush();
		} finally {
			clock.end();
		}
	}
	// cpu::Launch (cpu/launch.h) を読む。引数の 4 バイトずつが、どの配列や関数を指すかも調べる (指すかもしれないもの)
	read(at) {
		const w = new Uint32Array(this.memory, at, 15),
			closure = new Uint32Array(Math.ceil(w[13] / 4));
		new Uint8Array(closure.buffer).set(new Uint8Array(this.memory, w[12], w[13]));
		if (w[10] & 255) throw new Unsaid("grid");
		const found = [...closure].map((word) => this.find(word)),
			arrays = [...new Set(found.filter(Boolean))],
			owner = found.map((a) => (a ? arrays.indexOf(a) : undefined)),
			functions = [...closure].map((word) => this.pointed(word));
		return {
			grid: [...w.slice(2, 5)],
			block: [...w.slice(5, 8)],
			shared: w[8],
			one: this.pointed(w[14]),
			closure,
			arrays,
			owner,
			functions,
		};
	}
	// 関数を指すもの → 名前
	pointed(k) {
		const { __indirect_function_table: table } = this.wasi.inst.exports,
			f = k < table.length && table.get(k);
		return f ? Object.keys(this.functions).find((name) => this.wasi.inst.exports[name] === f) : undefined;
	}
	// 起動のカーネルと、使う配列と、カーネルに渡す数 (given)
	translated(launch) {
		const { grid, closure, arrays: local, ...same } = launch;
		if (grid[0] > WIDEST && (grid[1] > 1 || grid[2] > 1)) throw new Unsaid("grids");
		const key = JSON.stringify([
			same,
			grid[0] > WIDEST,
			[...closure].map((word, k) => same.owner[k] >= 0 && word % 16),
		]);
		if (!this.kernels.has(key)) this.kernels.set(key, translate(launch, this.functions));
		const kernel = this.kernels.get(key),
			places = kernel.places.map(({ array, at }) =>
				at === undefined ? local[array].p : (closure[at >> 2] - local[array].p) >> 2,
			),
			given = new Uint32Array(4 * (kernel.words + 1 + Math.ceil(places.length / 4)));
		given.set(closure);
		given.set(grid, 4 * kernel.words);
		given.set(places, 4 * (kernel.words + 1));
		const arrays = kernel.bindings.map(({ array }) => local[array]);
		if (arrays.some((a) => !a.device)) throw new Unsaid("managed");
		return { kernel, arrays, given };
	}
	// {pipeline, grid, arrays, group(配列 → バッファ): 使うバッファの組}
	job(launch) {
		const { kernel, arrays, given } = this.translated(launch),
			{ grid, block } = launch,
			threads = block[0] * block[1] * block[2],
			{ device, width } = this.gpu,
			{ limits } = device;
		if (threads > limits.maxComputeInvocationsPerWorkgroup || block[0] > limits.maxComputeWorkgroupSizeX)
			throw new Unsaid("block", String(limits.maxComputeInvocationsPerWorkgroup));
		if (kernel.warps && width !== 32 && !(threads <= width)) throw new Unsaid("width", String(width || "不定"));
		kernel.pipeline ??= pipeline(device, kernel.code);
		let room; // どの組でも同じなので、1 つだけ作る
		const group = (bufferOf) => {
			const entries = arrays.map((a, k) => ({ binding: k + 1, resource: { buffer: bufferOf(a) } }));
			if (kernel.given) entries.push({ binding: 0, resource: { buffer: (room ??= this.uniform(given)) } });
			return device.createBindGroup({ layout: kernel.pipeline.getBindGroupLayout(0), entries });
		};
		const rows = Math.ceil(grid[0] / WIDEST); // 余るブロックが少ないように、どの行も同じ長さにする
		return { pipeline: kernel.pipeline, arrays, group, grid: rows > 1 ? [Math.ceil(grid[0] / rows), rows] : grid };
	}
	uniform(given) {
		const usage = GPUBufferUsage.UNIFORM,
			buffer = this.device.createBuffer({ size: given.byteLength, usage, mappedAtCreation: true });
		new Uint32Array(buffer.getMappedRange()).set(given);
		buffer.unmap();
		return buffer;
	}
}
module.exports = { Replay };
