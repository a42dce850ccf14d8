// refuse.js: ブラウザの GPU の言葉 (WGSL) で言えないものを断る文と、その行の見つけ方。
const { Places } = require("../wasm/lines.js");
const { Program } = require("../wasm/waits.js");

const PLACES = "places";
// 種類 → [文, LLVM IR の中の、その命令]
const TOLD = {
	f64: ["double の計算は、ブラウザの GPU にはない: float で書く", / = f\w+ .*\bdouble\b|\bdouble\b .*to /],
	i64: [
		"64 ビットの整数の計算は、ブラウザの GPU にはない: int か unsigned で書く",
		/ = (?:add|sub|mul|[su]div|[su]rem|shl|[al]shr|sext|icmp \w+)(?: \w+)* i(?:33|64|65)\b|to i64\b/,
	],
	fence: [
		"ブロックの間でメモリの順序を決めること (フェンス) は、ブラウザの GPU では約束されない: 起動を 2 回に分ける",
		/^ *fence /,
	],
	grid: ["グリッドの全員を待つことは、ブラウザの GPU ではできない: 起動を 2 回に分ける", /@gpu_grid\(/],
	wait: ["ほかのスレッドが進むのを待つことは、ブラウザの GPU ではできない: 起動を 2 回に分ける", /@gpu_wait\(/],
	byte: [
		"配列に 4 バイトより小さいものを書くことは、ブラウザの GPU ではできない: int で書く",
		/^ *store (?:i1|i8|i16|half)\b/,
	],
	library: [
		"カーネルの中の関数 %s は、ブラウザの GPU にはない: ▶ で動かす",
		/call .*@(?:\w*printf\w*|puts|putchar|abort|malloc|_Zn\w+|\w*assert\w*)\(/,
	],
	match: ["__match_*_sync は、ブラウザの GPU にはない: __ballot_sync で書く", /@gpu_match\(/],
	copy: [
		"大きな構造体や配列をまとめて写すことは、ブラウザの GPU の言葉に直せない: 1 つずつ写す",
		/@llvm\.mem(?:cpy|set|move)/,
	],
	deep: ["自分を呼ぶ関数 (再帰) は、ブラウザの GPU にはない: ループで書く"],
	stack: ["大きさの決まらない配列は、ブラウザの GPU にはない: 大きさを定数で書く", / = alloca .*, i32 %/],
	pointer: ["ポインタがどの配列を指すかが、決まらない: 引数の配列か、共有メモリの配列を、じかに読み書きする"],
	table: [
		"カーネルの外の変数や、初めの値の並ぶ配列は、ブラウザの GPU に渡せない: 引数の配列で渡す",
		/(?:= (?:load|getelementptr|atomicrmw)|^ *store) .*\bptr @(?!(?:thread|block)Idx|(?:block|grid)Dim|_ZN3cpu4here)/,
	],
	argument: ["この型の引数は、ブラウザの GPU に渡せない: int か float か、デバイスの配列で渡す"],
	arrays: ["配列が 8 個より多い: ブラウザの GPU のカーネルが使える配列は、8 個まで"],
	instruction: ["この計算 (%s) は、ブラウザの GPU の言葉に直せない: ▶ で動かす"],
	width: ["この GPU のワープは 32 レーンではない (%s): ワープの関数を使うカーネルは、▶ で動かす"],
	block: ["この GPU のブラウザでは、1 ブロックは %s スレッドまで: BLOCK を小さくする"],
	grids: ["グリッドが大きすぎる: ブラウザの GPU では、2 次元目からは 65,535 ブロックまで"],
	managed: ["ホストと分け合うメモリは、ブラウザの GPU にはない: cudaMalloc と cudaMemcpy で書く"],
	often: ["結果を読みに行く回数が多すぎる: 途中の結果を、ホストで読まない"],
	host: ["ホストのプログラムが、ブラウザの中では動かないものを使っている: ▶ で動かす"],
	uniform: ["ブラウザが断った: バリアの前の条件が、ブロックの全員で同じだと分からない: バリアを if とループの外に出す"],
	memory: ["GPU のメモリが足りない: N を小さくする"],
	browser: ["ブラウザが、直したカーネルを断った: ▶ で動かす (%s)"],
	lost: ["GPU が応えなくなった: ページを読み直し、N を小さくして、もう一度動かす"],
	none: ["このブラウザから GPU は使えない: 新しい Chrome、Edge、Safari、Firefox で、GPU のある計算機で開く"],
};

// wasm の終わりに、断られるかもしれないものの場所を添える: {関数の名前: {種類: "code/….cu:行"}}
function withPlaces(wasm, ir) {
	const size = (n) => [(n & 127) | 128, ((n >> 7) & 127) | 128, n >> 14],
		said = new TextEncoder().encode(JSON.stringify(places(ir))),
		section = [0, ...size(said.length + 1 + PLACES.length), PLACES.length, ...new TextEncoder().encode(PLACES)];
	return new Uint8Array([...wasm, ...section, ...said]);
}
function places(ir) {
	const lines = ir.split("\n"),
		known = new Places(lines),
		found = {};
	for (const f of new Program(lines).inKernels)
		for (const line of lines.slice(f.begin, f.end))
			for (const [kind, [, pattern]] of Object.entries(TOLD)) {
				const at = pattern?.test(line) && known.of(line.match(/!dbg !(\d+)/)?.[1]);
				if (/\.cu:\d/.test(at)) (found[f.name.replace(/^@"?|"$/g, "")] ??= {})[kind] ??= at;
			}
	return found;
}
// Unsaid を、場所を添えた 1 文にする。program: 断られたもの
function told(e, program) {
	const [said] = program ? WebAssembly.Module.customSections(program, PLACES) : [],
		places = said ? JSON.parse(new TextDecoder().decode(said)) : {},
		at = e.functions?.map((name) => places[name]?.[e.kind]).find(Boolean),
		[what] = String(e.what ?? "").split("\n");
	return { text: TOLD[e.kind][0].replace("%s", what.slice(0, 80)), at };
}
module.exports = { TOLD, told, withPlaces };
