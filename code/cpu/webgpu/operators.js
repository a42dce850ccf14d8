// operators.js: WebAssembly の命令と、カーネルから呼ぶ関数の、WGSL。
// a、b、c は引数、A と B は i32 にした引数、s と r はずらす量 b と、その残り (32 - b)。ここにないものは、断る
const TABLE = {
	"i32.": `eqz (a == 0u); eq (a == b); ne (a != b); lt_s (A < B); lt_u (a < b); gt_s (A > B); gt_u (a > b)
		le_s (A <= B); le_u (a <= b); ge_s (A >= B); ge_u (a >= b)
		clz countLeadingZeros(a); ctz countTrailingZeros(a); popcnt countOneBits(a)
		add (a + b); sub (a - b); mul (a * b); div_s u32(A / B); div_u (a / b); rem_s u32(A % B); rem_u (a % b)
		and (a & b); or (a | b); xor (a ^ b); shl (a << s); shr_s u32(A >> s); shr_u (a >> s)
		rotl ((a << s) | (a >> r)); rotr ((a << r) | (a >> s))
		extend8_s u32((A << 24u) >> 24u); extend16_s u32((A << 16u) >> 16u)
		wrap_i64 a.x; reinterpret_f32 bitcast<u32>(a); trunc_sat_f32_s u32(i32(a)); trunc_sat_f32_u u32(a)`,
	"i64.": `and (a & b); or (a | b); xor (a ^ b); shl vec2<u32>(0u, a.x); shr_u vec2<u32>(a.y, 0u); pair vec2<u32>(a, b)`,
	"f32.": `eq (a == b); ne !(a == b); lt (a < b); gt (a > b); le (a <= b); ge (a >= b)
		abs abs(a); neg (-a); ceil ceil(a); floor floor(a); trunc trunc(a); nearest round(a); sqrt sqrt(a)
		add (a + b); sub (a - b); mul (a * b); div (a / b); min min(a, b); max max(a, b)
		copysign bitcast<f32>((bitcast<u32>(a) & 2147483647u) | (bitcast<u32>(b) & 2147483648u))
		convert_i32_s f32(A); convert_i32_u f32(a); reinterpret_i32 bitcast<f32>(a)`,
	"atomic.": `add atomicAdd; sub atomicSub; and atomicAnd; or atomicOr; xor atomicXor; xchg atomicExchange
		load atomicLoad; store atomicStore; cmpxchg atomicCompareExchangeWeak`,
	// compile.js の関数
	gpu_: `sync workgroupBarrier(); shuffle subgroupShuffle(a, b)
		ballot subgroupBallot(a != 0u).x; active subgroupBallot(true).x; addU subgroupAdd(a)
		minS u32(subgroupMin(A)); maxS u32(subgroupMax(A)); minU subgroupMin(a); maxU subgroupMax(a)
		andU subgroupAnd(a); orU subgroupOr(a); xorU subgroupXor(a)`,
	// C ライブラリの関数
	"": `roundf away(a); rintf round(a); nearbyintf round(a); fabsf abs(a); atan2f atan2(a, b); powf pow(a, b)
		fminf min(a, b); fmaxf max(a, b); fmaf fma(a, b, c)`,
};
const WGSL = {};
for (const [prefix, texts] of Object.entries(TABLE))
	for (const text of texts.split(/; |\n\t*/)) {
		const [, name, wgsl] = text.match(/^(\w+) (.*)$/);
		WGSL[prefix + name] = wgsl;
	}
// WGSL にも、同じ名前であるもの
for (const name of "exp exp2 log log2 sin cos tan tanh sinh cosh asin acos atan sqrt floor ceil trunc".split(" "))
	WGSL[`${name}f`] = `${name}(a)`;
// 比べた結果
const isTruth = (o) => /^\w+\.(eqz|eq|ne|[lg][te](_[su])?)$/.test(o);
module.exports = { WGSL, isTruth };
