// gpu.js: 「自分のGPUで」を初めて押したときに読み込む。CPU デバイスで確かめてから、読む人の GPU で動かす。
// WORKER は、まとめるとき (runnable.py) に決まる: gpu-worker.js をまとめた文字
import { record } from "../../../code/cpu/webgpu/clock.js";
import { TOLD } from "../../../code/cpu/webgpu/refuse.js";
import { climb } from "./ladder.js";
import { bytes } from "./later.js";
import { Job, without } from "./run.js";

const many = () => globalThis.bookMany ?? 1 << 24; // 総和の速さは、この個数で測る
let best = 0; // ただ読む速さ [GB/s] のうち、ページを開いてから、いちばん速いもの

// 書き換えたものは、コンパイルする。リストのままのものは、もうある
async function program(run, args) {
	if (!run.edit?.desk.rewritten) return [await bytes(`${run.name}.gpu.wasm`), args];
	run.say("GPU のためにコンパイルしている…");
	return [await run.edit.desk.built("gpu", args, run), without(args, "--block")];
}
function refused(run, { text, line }) {
	const sentence = `${text}${line ? ` (${line} 行目)` : ""}`;
	run.edit?.desk.tell(sentence, line ? [{ kind: "断る", line, text, notes: [] }] : []);
	run.say(sentence);
}
const shown = (ms) => ms.toFixed(ms < 1 ? 4 : ms < 100 ? 2 : 0);
function speed({ ms, times, precise, read }, n, sums) {
	const gbs = (spent) => (4 * n) / spent / 1e6,
		how = precise ? "GPU の時計" : "ページの時計で、何もしない起動の時間を引く";
	if (sums) best = Math.max(best, gbs(read));
	const share = ((100 * gbs(ms)) / best).toFixed(1),
		note = `${gbs(ms).toFixed(1)} GB/s。ただ読むだけなら ${best.toFixed(1)} GB/s で、その ${share} %`,
		head = `時間 (N=${n}、続けて ${times} 回を 11 度測った中央値。${how}):`;
	return `${head}\n  GPU : ${shown(ms)} ms${sums ? `  (${note})` : ""}\n`;
}

async function go(run) {
	if (!run.controls) await run.open();
	if (!(await navigator.gpu?.requestAdapter())) throw new Error(TOLD.none);
	const args = run.args();
	run.code.textContent = "";
	const right = await (run.edit ?? run).perform(args);
	if (!right || right.code) return;
	const [wasm, own] = await (run.edit ? run.edit.desk.guarded(() => program(run, args)) : program(run, args)),
		job = new Job({ listing: wasm });
	try {
		run.say("GPU で動かしている…");
		const ran = await run.wait(job, { args: own.flat() });
		if (ran.refused) return refused(run, ran.refused);
		run.code.append(`${run.code.textContent && "\n"}自分の GPU (WebGPU) で\n${ran.out.split("\n時間")[0]}\n${ran.err}`);
		if (ran.code) return run.say("GPU の答えが CPU と違う");
		const sums = /GPU の合計/.test(ran.out),
			given = sums ? [...without(own, "--n"), ["--n", many()]] : own,
			asked = { args: [...given.flat(), "--json"], clocked: sums ? 4 * many() : 16 };
		run.say("時間を測っている…");
		const hidden = new Promise((gone) => addEventListener("visibilitychange", gone, { once: true, capture: true })),
			{ refused: no, time, code, out, err } = await run.wait(job, asked);
		if (no) return refused(run, no);
		if (await Promise.race([hidden, document.hidden]))
			return run.say("測っている間にページが隠れたので、時間は捨てた: もう一度押す");
		if (!time || code) return run.say(err || "時間を測れなかった");
		const row = JSON.parse(out);
		run.code.append(speed(time, row.n, sums));
		if (sums && !run.edit?.desk.rewritten) await climb(run, record(row, time));
		run.say("終わった");
	} finally {
		job.end();
	}
}
globalThis.bookGpu = { press: (run) => run.busy(() => go(run)) };
