// clock.js: 起動の並びを、20 ms を越えるまで続けて頼み、1 回の時間を測る。
// GPU の時計があれば、それで測る。なければページの時計で測り、何もしない起動の時間を引く。
const { pipeline } = require("./gpu.js");
const ENOUGH = 20, // ms。GPU の時計も、ブラウザが 0.1 ms に丸める
	TIMES = 11,
	WARM = 500, // ms。休んでいた GPU が、いつもの速さになるまで、休まずに働かせる
	MOST = 20000, // 1 度に頼む起動の数
	ROOM = 2 ** 28, // 写しの全部の大きさ。ほとんどの GPU のキャッシュより大きい
	COPIES = 64;
const READ = `@group(0) @binding(0) var<storage, read> x: array<vec4<u32>>;
@group(0) @binding(1) var<storage, read_write> out: array<u32>;
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) at: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
  var v = vec4<u32>();
  for (var i = at.x; i < arrayLength(&x); i += groups.x * 256u) { v |= x[i]; }
  if (v.x + v.y + v.z + v.w == 1u) { out[0] = v.x; }
}`;
const median = (all) => all.sort((a, b) => a - b)[all.length >> 1];

class Clock {
	constructor({ device }) {
		this.device = device;
		this.precise = device.features.has("timestamp-query");
		this.turn = 0;
		this.buffers = [];
		if (!this.precise) return;
		this.stamps = device.createQuerySet({ type: "timestamp", count: 2 });
		this.resolved = this.buffer(16, GPUBufferUsage.QUERY_RESOLVE | GPUBufferUsage.COPY_SRC);
		this.mapped = this.buffer(16, GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST);
	}
	buffer(size, usage) {
		this.buffers.push(this.device.createBuffer({ size, usage }));
		return this.buffers.at(-1);
	}
	end() {
		for (const buffer of this.buffers) buffer.destroy();
	}
	// jobs: [{pipeline, grid, arrays, group(配列 → バッファ)}]、original(配列): いまのバッファ。
	// 配列の写しをいくつも作り、順に使う。キャッシュに残ったものを読まないように
	async time(jobs, original) {
		const arrays = [...new Map(jobs.flatMap((job) => job.arrays).map((a) => [a.id, a])).values()],
			size = (a) => original(a).size,
			whole = arrays.reduce((sum, a) => sum + size(a), 0),
			count = Math.max(1, Math.min(COPIES, Math.ceil(ROOM / whole))),
			encoder = this.device.createCommandEncoder(),
			sets = [];
		for (let k = 0; k < count; k++) {
			const copies = new Map();
			for (const a of arrays) {
				copies.set(a.id, k ? this.buffer(size(a), original(a).usage) : original(a));
				if (k) encoder.copyBufferToBuffer(original(a), 0, copies.get(a.id), 0, size(a));
			}
			sets.push(jobs.map((job) => ({ ...job, bound: job.group((a) => copies.get(a.id)) })));
		}
		this.device.queue.submit([encoder.finish()]);
		return this.batches(sets, jobs.length);
	}
	async batches(sets, launches) {
		const most = Math.ceil(MOST / launches),
			several = async (sets, times) => {
				const all = [];
				while (all.length < TIMES) all.push(await this.batch(sets, times));
				return median(all);
			};
		let times = 1;
		for (const begin = performance.now(); ;) {
			const ms = await this.batch(sets, times);
			if (ms < ENOUGH && times < most)
				times = Math.min(most, Math.ceil(times * Math.min(10, (1.2 * ENOUGH) / Math.max(ms, 0.1))) + 1);
			else if (performance.now() - begin > WARM) break;
		}
		const whole = await several(sets, times);
		if (this.precise) return { ms: whole / times, times, precise: true };
		const empty = [[{ pipeline: pipeline(this.device, "@compute @workgroup_size(1) fn main() {}"), grid: [1] }]];
		return { ms: Math.max(0, whole - (await several(empty, 1))) / times, times, precise: false };
	}
	// 全部で何 ms か
	async batch(sets, times) {
		const { device, stamps, resolved, mapped } = this,
			encoder = device.createCommandEncoder(),
			timestampWrites = { querySet: stamps, beginningOfPassWriteIndex: 0, endOfPassWriteIndex: 1 },
			pass = encoder.beginComputePass(this.precise ? { timestampWrites } : {});
		for (let k = 0; k < times; k++)
			for (const { pipeline, bound, grid } of sets[this.turn++ % sets.length]) {
				pass.setPipeline(pipeline);
				if (bound) pass.setBindGroup(0, bound);
				pass.dispatchWorkgroups(...grid);
			}
		pass.end();
		if (this.precise) {
			encoder.resolveQuerySet(stamps, 0, 2, resolved, 0);
			encoder.copyBufferToBuffer(resolved, 0, mapped, 0, 16);
		}
		const commands = encoder.finish(),
			begin = performance.now();
		device.queue.submit([commands]);
		await device.queue.onSubmittedWorkDone();
		const spent = performance.now() - begin;
		if (!this.precise) return spent;
		await mapped.mapAsync(GPUMapMode.READ);
		const [first, last] = new BigUint64Array(mapped.getMappedRange().slice(0));
		mapped.unmap();
		if (last > first) return Number(last - first) / 1e6;
		this.precise = spent < 1; // 進まない時計は使わない
		return spent;
	}
	// bytes を、ただ読む時間のうち、いちばん短いもの (ms)
	async read(bytes) {
		const size = Math.ceil(bytes / 16) * 16,
			usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST,
			from = this.buffer(size, usage),
			to = this.buffer(16, usage),
			reading = pipeline(this.device, READ),
			group = (buffer) =>
				this.device.createBindGroup({
					layout: reading.getBindGroupLayout(0),
					entries: [buffer({ id: 0 }), to].map((buffer, binding) => ({ binding, resource: { buffer } })),
				}),
			whole = Math.min(65535, Math.ceil(size / 16 / 256));
		let best = Infinity;
		for (const groups of new Set([512, 4096, whole].map((n) => Math.min(n, whole)))) {
			const { ms } = await this.time([{ pipeline: reading, grid: [groups], arrays: [{ id: 0 }], group }], () => from);
			best = Math.min(best, ms);
		}
		return best;
	}
}
// プログラムの --json の行に、測った時間を入れたもの
function record(row, { ms, times, precise, read }) {
	const { listing, device, type, n, input, cpu, gpu, error, tolerance, agree } = row,
		whose = { listing, device: `${device} (WebGPU)`, cpu_device: false, type, n, input },
		clock = { repeat: TIMES, launches: times, clock: precise ? "gpu" : "page", peak_gbs: 0, command: "自分のGPUで" };
	return { ...whose, cpu, gpu, error, tolerance, agree, ...clock, kernel_ms: ms, queued_ms: ms, read_ms: read };
}
module.exports = { Clock, record };
