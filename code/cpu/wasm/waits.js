// waits.js: 待つ関数を、コルーチンにする。WebAssembly のスタックは、取り替えられないので。
// 待つ関数とは、カーネルの中で、眠る命令 (cpu_park_*) か、待つ関数を呼ぶものである。
// LLVM IR の呼び出しをたどって見つける。
//   define float @fold(float %v) {             →    define ptr @fold(float %v) presplitcoroutine {
//     call void @cpu_park_barrier(ptr %s)             call void @cpu_wait_barrier(ptr %s, ptr %cpu.frame)
//                                                     ここで眠り、起きたら続ける (@llvm.coro.suspend)
//     ret float %sum                                  store float %sum, ptr @cpu_result
// 終わったら null を、途中で眠ったら続き (%cpu.frame) を返す。
// 眠ったときは、呼んだ関数も眠る。起きて終わったら、呼んだ関数の続きを次に動かす (wasm/stack.cpp)。

// ---------------------------------------------------------------- 読む
const NAME = `(?:"[^"]*"|[\\w.$-]+)`,
	DEFINE = new RegExp(`^define (.*?)(@${NAME})(\\(.*)$`),
	CALL = new RegExp(`^ +(%\\S+ = )?(?:\\w+ )?call (.*?)([@%]${NAME})(\\(.*)$`),
	ALIAS = new RegExp(`^(@${NAME}) = .*\\balias .*, ptr (@${NAME})$`),
	USE = new RegExp(`@${NAME}(?!["\\w.$(-])`, "g"), // 呼ぶのではなく、番地を使う
	TYPE = String.raw`(?:\{[^{}]*\}|\[[^[\]]*\]|<[^<>]*>|%"[^"]*"|%?[\w.]+)`,
	FIRST = new RegExp(`^${TYPE}`),
	LAST = new RegExp(`(${TYPE})(?: \\([^()]*\\))? $`);
// 戻った後も使うので、「覚えておかない」などの約束を、引数から外す
const PROMISES = new RegExp(
	String.raw`\b(?:captures|range|initializes|dereferenceable|dereferenceable_or_null|sret|nofpclass)` +
		String.raw`\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\) ` +
		String.raw`|\b(?:noundef|nonnull|readonly|writeonly|readnone|noalias|returned|writable|nofree|dead_on_\w+) `,
	"g",
);
// 引数の並び (a, b) と、その後ろ
function split(text) {
	const parts = [];
	let depth = 0,
		from = 1;
	for (const { 0: found, index } of text.matchAll(/"[^"]*"|[()[\]{}<>,]/g)) {
		if ("([{<".includes(found)) depth++;
		if (")]}>".includes(found)) depth--;
		if (depth > 1 || (depth === 1 && found !== ",")) continue;
		parts.push(text.slice(from, index).trim().replace(PROMISES, ""));
		from = index + 1;
		if (depth === 0) break;
	}
	return [parts.filter(Boolean), text.slice(from)];
}
// 関数の頭か、呼び出し。head: 名前の前、rest: ( から後ろ
class Signature {
	constructor(head, name, rest) {
		Object.assign(this, { head, name, rest, type: head.match(LAST)[1] });
		this.convention = head.match(/\b(?:fast|cold)cc /)?.[0] ?? "";
	}
	get parameters() {
		return (this.parts ??= split(this.rest))[0];
	}
	get types() {
		return (this.known ??= `${this.type}(${this.parameters.map((p) => p.match(FIRST)[0])})`);
	}
}
class Function extends Signature {
	constructor(lines, begin) {
		super(...lines[begin].match(DEFINE).slice(1));
		this.begin = begin;
		this.end = lines.indexOf("}", begin);
		this.calls = new Map(); // 行の番号 → 呼び出し
		for (let k = begin + 1; k < this.end; k++) {
			const [, result, ...parts] = (lines[k].includes("call ") && lines[k].match(CALL)) || [];
			if (parts.length) this.calls.set(k, Object.assign(new Signature(...parts), { result }));
		}
		this.isEntry = /_ZN3cpu7ThreadsI.*E3runE(?:Pv|S\w*_)"?$/.test(this.name); // スレッドの始まり (cpu/park.h)
	}
}
const isPark = (call) => call.name.startsWith("@cpu_park_"),
	debugOf = (line) => line.match(/, !dbg !\d+/)?.[0] ?? "",
	parked = (call, frame, debug) =>
		`  call void ${call.name.replace("park", "wait")}(${call.parameters[0]}, ptr ${frame})${debug}`,
	MAYBE = /access|again|poll/, // 譲るかを、聞いてから決めるもの
	gives = (k, call, debug) =>
		`  %cpu.gives${k} = call i1 ${call.name.replace("park", "gives")}(${call.parameters[0]})${debug}`,
	called = (g, call, result, debug) =>
		`  ${result}call ${g.convention}ptr ${g.name}(${call.parameters.join(", ")})${debug}`,
	taken = (call) => (call.result ? `\n  ${call.result}load ${call.type}, ptr @cpu_result, align 16` : "");

// ---------------------------------------------------------------- 見つける
class Program {
	constructor(lines) {
		this.lines = lines;
		this.functions = new Map();
		const aliases = [],
			used = new Set(); // 番地を使う名前
		for (let k = 0; k < lines.length; k++) {
			const line = lines[k];
			if (line.startsWith("define ")) this.functions.set(line.match(DEFINE)[2], new Function(lines, k));
			if (line.includes(" alias ")) aliases.push(line.match(ALIAS).slice(1));
			for (const [name] of line.matchAll(USE)) used.add(name);
		}
		this.all = [...this.functions.values()];
		this.pointed = this.all.filter((f) => !f.isEntry && used.has(f.name));
		for (const [alias, name] of aliases) this.functions.set(alias, this.functions.get(name));
		this.findWaiting();
	}
	// 呼ばれるかもしれない関数。関数を指す変数で呼ぶものは、番地を使う、同じ型の関数のどれか
	called(call) {
		if (call.name[0] === "%") return this.pointed.filter((f) => f.types === call.types);
		return [this.functions.get(call.name)].filter(Boolean);
	}
	waitingIn(call) {
		return this.called(call).filter((f) => this.waiting.has(f));
	}
	findWaiting() {
		const inKernels = new Set(this.all.filter((f) => f.isEntry)),
			callers = new Map();
		for (const f of inKernels)
			for (const call of f.calls.values())
				for (const g of this.called(call)) {
					inKernels.add(g);
					callers.set(g, (callers.get(g) ?? new Set()).add(f));
				}
		this.inKernels = inKernels;
		this.waiting = new Set([...inKernels].filter((f) => [...f.calls.values()].some(isPark)));
		for (const f of this.waiting) callers.get(f)?.forEach((caller) => this.waiting.add(caller));
	}
	// カーネルから呼ばれない関数が、待つ関数を呼ぶ。待たずに終われば、値を返す。待とうとすれば、止まる (fiber.cpp)
	outside(f) {
		const text = this.lines.slice(f.begin, f.end + 1);
		for (const [k, call] of f.calls) {
			const debug = debugOf(this.lines[k]),
				[g] = call.name[0] === "@" ? this.waitingIn(call) : [];
			if (isPark(call)) text[k - f.begin] = MAYBE.test(call.name) ? gives(k, call, debug) : parked(call, "null", debug);
			if (g) text[k - f.begin] = called(g, call, `%cpu.rest${k} = `, debug) + taken(call);
		}
		return text;
	}
}

// ---------------------------------------------------------------- 書き換える
const bytes = (type) => `ptrtoint (ptr getelementptr (${type}, ptr null, i32 1) to i32)`;
class Coroutine {
	constructor(f, program) {
		Object.assign(this, { f, program, out: [], count: 0, sleeps: [], last: new Map() });
		// 値で渡した構造体は、呼んだ関数のスタックにあるので、写す
		this.copies = f.parameters.flatMap((p) => {
			const type = p.match(/\bbyval\(((?:[^()]|\([^()]*\))*)\)/)?.[1];
			return type ? [[type, p.match(/\balign (\d+)/)?.[1] ?? 16, p.match(/%\S+$/)[0]]] : [];
		});
	}
	put(...lines) {
		this.out.push(...lines);
	}
	label(name) {
		this.put(`${name}:`);
		this.block = name;
		this.last.set(this.head, name);
	}
	begin() {
		this.put(
			"  %cpu.caller = alloca ptr, align 4",
			...this.copies.map(([type, align, at]) => `  ${at} = alloca ${type}, align ${align}`),
			"  %cpu.id = call token @llvm.coro.id(i32 16, ptr %cpu.caller, ptr null, ptr null)",
			"  %cpu.size = call i32 @llvm.coro.size.i32()",
			"  %cpu.memory = call ptr @cpu_new_frame(i32 %cpu.size)",
			"  %cpu.frame = call ptr @llvm.coro.begin(token %cpu.id, ptr %cpu.memory)",
			"  store ptr null, ptr %cpu.caller",
			...this.copies.map(
				([type, , at]) =>
					`  call void @llvm.memcpy.p0.p0.i32(ptr ${at}, ptr ${at}.given, i32 ${bytes(type)}, i1 false)`,
			),
		);
	}
	suspend() {
		const k = this.count++;
		this.sleeps.push(this.block);
		this.put(
			`  %cpu.woke${k} = call i8 @llvm.coro.suspend(token none, i1 false)`,
			`  switch i8 %cpu.woke${k}, label %cpu.leave [i8 0, label %cpu.wake${k} i8 1, label %cpu.never]`,
		);
		this.label(`cpu.wake${k}`);
	}
	// 待つ関数 g を呼ぶ。眠ったら、こちらも眠る
	call(g, call, debug) {
		const k = this.count++;
		this.put(
			called(g, call, `%cpu.rest${k} = `, debug),
			`  %cpu.done${k} = icmp eq ptr %cpu.rest${k}, null`,
			`  br i1 %cpu.done${k}, label %cpu.went${k}, label %cpu.sleep${k}`,
		);
		this.label(`cpu.sleep${k}`);
		this.put(
			`  %cpu.back${k} = getelementptr i8, ptr %cpu.rest${k}, i32 8`,
			`  store ptr %cpu.frame, ptr %cpu.back${k}`,
		);
		this.suspend();
		this.put(`  br label %cpu.went${k}`);
		this.label(`cpu.went${k}`);
	}
	// 関数を指す変数で呼ぶ。targets のどれかなら、待つ。違えば、元のまま
	callAny(targets, call, line, debug) {
		const join = `cpu.join${this.count++}`,
			value = `%cpu.value${this.count++}`;
		for (const g of targets) {
			const k = this.count++;
			this.put(
				`  %cpu.is${k} = icmp eq ptr ${call.name}, ${g.name}`,
				`  br i1 %cpu.is${k}, label %cpu.call${k}, label %cpu.else${k}`,
			);
			this.label(`cpu.call${k}`);
			this.call(g, call, debug);
			this.put(`  br label %${join}`);
			this.label(`cpu.else${k}`);
		}
		this.put(call.result ? line.replace(call.result, `${value} = `) : line);
		if (call.result) this.put(`  store ${call.type} ${value}, ptr @cpu_result, align 16`);
		this.put(`  br label %${join}`);
		this.label(join);
	}
	line(line, call) {
		const debug = debugOf(line),
			targets = call ? this.program.waitingIn(call) : [],
			[, array, type, count] = line.match(/^ +(%\S+) = alloca (.*), (i32 %[^,]+)/) ?? [],
			value = line.match(/^ +ret (.*?)(?:, !dbg.*)?$/)?.[1];
		if (call && isPark(call) && MAYBE.test(call.name)) {
			const k = this.count++;
			this.put(`  br label %cpu.ask${k}`);
			this.label(`cpu.ask${k}`);
			this.put(gives(k, call, debug), `  br i1 %cpu.gives${k}, label %cpu.pass${k}, label %cpu.went${k}`);
			this.label(`cpu.pass${k}`);
			this.put(`  call void @cpu_wait_pass(${call.parameters[0]}, ptr %cpu.frame)${debug}`);
			this.suspend();
			this.put(`  br label %cpu.ask${k}`);
			this.label(`cpu.went${k}`);
		} else if (call && isPark(call)) {
			this.put(parked(call, "%cpu.frame", debug));
			this.suspend();
		} else if (targets.length) {
			if (call.name[0] === "%") this.callAny(targets, call, line, debug);
			else this.call(targets[0], call, debug);
			this.put(taken(call));
		} else if (array) {
			// 大きさを実行時に決める変数 (alloca) は、次の起動まで残す
			const size = `%cpu.size${this.count++}`;
			this.put(`  ${size} = mul ${count}, ${bytes(type)}`, `  ${array} = call ptr @cpu_new_frame(i32 ${size})`);
		} else if (value) {
			if (value !== "void") this.put(`  store ${value}, ptr @cpu_result, align 16`);
			this.put("  br label %cpu.finish");
		} else if (!call?.name.startsWith("@llvm.stackrestore.")) this.put(line); // スタックは、眠る前のものではない
	}
	text() {
		const { f, program } = this,
			linkage = f.head.match(/^(?:(?:internal|private|linkonce|weak|linkonce_odr|weak_odr|hidden|dso_local) )*/)[0],
			given = f.parameters.map((p) => (p.includes("byval(") ? `${p}.given` : p));
		let begun = false;
		for (let k = f.begin + 1; k < f.end; k++) {
			const line = program.lines[k],
				label = line.match(new RegExp(`^(${NAME}):`))?.[1];
			if (label) this.head = this.block = label;
			else if (!begun && !/ = alloca (?!.*, i32 %)/.test(line)) (this.begin(), (begun = true));
			if (label) this.put(line);
			else this.line(line, f.calls.get(k));
		}
		// 区画を分けたので、前の区画の名前が変わった
		const body = this.out.map((line) =>
			line.includes(" = phi ")
				? line.replace(new RegExp(`, %(${NAME}) \\]`, "g"), (_, from) => `, %${this.last.get(from) ?? from} ]`)
				: line,
		);
		return [
			`define ${linkage}${f.convention}ptr ${f.name}(${given.join(", ")})` +
				f.parts[1].replace(/^( (?:local_)?unnamed_addr)?/, "$& presplitcoroutine"),
			...body,
			"cpu.finish:",
			"  %cpu.waiter = load ptr, ptr %cpu.caller",
			"  store ptr %cpu.waiter, ptr @cpu_next",
			"  %cpu.used = call ptr @llvm.coro.free(token %cpu.id, ptr %cpu.frame)",
			"  call void @cpu_delete_frame(ptr %cpu.used, i32 %cpu.size)",
			"  br label %cpu.leave",
			"cpu.never:",
			"  unreachable",
			"cpu.leave:",
			`  %cpu.rest = phi ptr [ null, %cpu.finish ]${this.sleeps.map((from) => `, [ %cpu.frame, %${from} ]`).join("")}`,
			"  call void @llvm.coro.end(ptr %cpu.frame, i1 false, token none)",
			"  ret ptr %cpu.rest",
			"}",
		];
	}
}
const DECLARED = [
	"declare token @llvm.coro.id(i32, ptr, ptr, ptr)",
	"declare i32 @llvm.coro.size.i32()",
	"declare ptr @llvm.coro.begin(token, ptr)",
	"declare i8 @llvm.coro.suspend(token, i1)",
	"declare ptr @llvm.coro.free(token, ptr)",
	"declare void @llvm.coro.end(ptr, i1, token)",
	"declare void @llvm.memcpy.p0.p0.i32(ptr, ptr, i32, i1)",
	"declare ptr @cpu_new_frame(i32)",
	"declare void @cpu_delete_frame(ptr, i32)",
	...["barrier", "warp", "yield", "grid", "pass"].map((kind) => `declare void @cpu_wait_${kind}(ptr, ptr)`),
	...["access", "again", "poll"].map((kind) => `declare i1 @cpu_gives_${kind}(ptr)`),
	"@cpu_next = external global ptr",
	"@cpu_result = external global [256 x i8]",
];

// 検査では、アトミック演算をした所をまた見る前に、ほかの人を通すことがある (stack.cpp)。1 度だけなら、要らない
const AGAIN =
	/^ +(?:tail )?call void @(?:_ZN3cpu10toolAtomic\w*|__tsan_volatile_(?:read|write)\d)\(ptr (?:\w+ )*([%@][^,)]+).*$/gm;
function passOthers(ir) {
	if (!(ir.match(/call .*@_Z\w*atomic\w*\(|call .*@__tsan_volatile_read/g)?.length > 1)) return ir;
	const passing = (line, p) => `  call void @cpu_park_again(ptr ${p})${debugOf(line)}\n${line}`;
	return ir.replace(/^define [^]*?^}/gm, (f) => (/@_Z\w*tomic\w*\(/.test(f) ? f.replace(AGAIN, passing) : f));
}

// wrong: わざと誤ったリストか。そうなら、メモリに触れる前に、2 回に 1 回ほど譲る
// (ほかでは、tools/interleave.cpp がする)
function makeCoroutines(ir, wrong = false) {
	const interrupted = (line) => (/read|write/.test(line) ? line.replace(/@__tsan_\w+/, "@cpu_park_access") : ""),
		// 終わらない関数も、待つときには戻る
		given = ir.replace(/^(attributes #.*?) noreturn/gm, "$1 nounwind"),
		lines = (wrong ? given.replace(/^.*call .*@__tsan_.*$/gm, interrupted) : given).split("\n"),
		program = new Program(lines),
		out = [];
	let at = 0;
	for (const f of program.all) {
		out.push(lines.slice(at, f.begin));
		out.push(program.waiting.has(f) ? new Coroutine(f, program).text() : program.outside(f));
		at = f.end + 1;
	}
	const known = (line) => ir.includes(line.slice(0, line.indexOf("(") + 1));
	return [
		...out.flat(),
		...lines.slice(at),
		...DECLARED.filter((line) => !line.includes("(") || !known(line)),
		"",
	].join("\n");
}
module.exports = { Program, makeCoroutines, passOthers };
