// module.js: WebAssembly のモジュールを読む。関数の名前、表、外に出した変数と、関数の命令の列。
// clang と wasm-ld の書くものだけを読む: if と br_table は使わず、取り込むものは関数だけである
const TYPES = { 0x7f: "i32", 0x7e: "i64", 0x7d: "f32", 0x7c: "f64" };
// 数の命令: 初めの番号から順に並ぶもの [番号, 引数の型, 結果の型, 名前…]
const NUMERIC = [
	[0x45, "i32", "i32", "eqz"],
	[0x46, "i32 i32", "i32", "eq ne lt_s lt_u gt_s gt_u le_s le_u ge_s ge_u"],
	[0x50, "i64", "i32", "eqz"],
	[0x51, "i64 i64", "i32", "eq ne lt_s lt_u gt_s gt_u le_s le_u ge_s ge_u"],
	[0x5b, "f32 f32", "i32", "eq ne lt gt le ge"],
	[0x61, "f64 f64", "i32", "eq ne lt gt le ge"],
	[0x67, "i32", "i32", "clz ctz popcnt"],
	[0x6a, "i32 i32", "i32", "add sub mul div_s div_u rem_s rem_u and or xor shl shr_s shr_u rotl rotr"],
	[0x79, "i64", "i64", "clz ctz popcnt"],
	[0x7c, "i64 i64", "i64", "add sub mul div_s div_u rem_s rem_u and or xor shl shr_s shr_u rotl rotr"],
	[0x8b, "f32", "f32", "abs neg ceil floor trunc nearest sqrt"],
	[0x92, "f32 f32", "f32", "add sub mul div min max copysign"],
	[0x99, "f64", "f64", "abs neg ceil floor trunc nearest sqrt"],
	[0xa0, "f64 f64", "f64", "add sub mul div min max copysign"],
	[0xa7, "i64", "i32", "wrap"],
	[0xa8, "f32", "i32", "trunc_s trunc_u"],
	[0xaa, "f64", "i32", "trunc_s trunc_u"],
	[0xac, "i32", "i64", "extend_s extend_u"],
	[0xae, "f32", "i64", "trunc_s trunc_u"],
	[0xb0, "f64", "i64", "trunc_s trunc_u"],
	[0xb2, "i32", "f32", "convert_s convert_u"],
	[0xb4, "i64", "f32", "convert_s convert_u"],
	[0xb6, "f64", "f32", "demote"],
	[0xb7, "i32", "f64", "convert_s convert_u"],
	[0xb9, "i64", "f64", "convert_s convert_u"],
	[0xbb, "f32", "f64", "promote"],
	[0xbc, "f32", "i32", "reinterpret"],
	[0xbd, "f64", "i64", "reinterpret"],
	[0xbe, "i32", "f32", "reinterpret"],
	[0xbf, "i64", "f64", "reinterpret"],
	[0xc0, "i32", "i32", "extend8 extend16"],
	[0xc2, "i64", "i64", "extend8 extend16 extend32"],
	[0xfc00, "f32", "i32", "trunc_s trunc_u"],
	[0xfc02, "f64", "i32", "trunc_s trunc_u"],
	[0xfc04, "f32", "i64", "trunc_s trunc_u"],
	[0xfc06, "f64", "i64", "trunc_s trunc_u"],
];
const OPERATIONS = new Map(
	NUMERIC.flatMap(([first, takes, gives, names]) =>
		names.split(" ").map((name, k) => [first + k, { name, takes: takes.split(" "), gives }]),
	),
);
// 読み書きの命令: 型、バイト数、符号
const ACCESSES = new Map(
	(
		"i32 4,i64 8,f32 4,f64 8,i32 1 s,i32 1,i32 2 s,i32 2,i64 1 s,i64 1,i64 2 s,i64 2,i64 4 s,i64 4," +
		"i32 4 w,i64 8 w,f32 4 w,f64 8 w,i32 1 w,i32 2 w,i64 1 w,i64 2 w,i64 4 w"
	)
		.split(",")
		.map((text, k) => {
			const [type, size, how] = text.split(" ");
			return [0x28 + k, { type, bytes: Number(size), signed: how === "s", write: how === "w" }];
		}),
);

class Reader {
	constructor(bytes, at = 0, end = bytes.length) {
		Object.assign(this, { bytes, at, end, view: new DataView(bytes.buffer, bytes.byteOffset) });
	}
	byte() {
		return this.bytes[this.at++];
	}
	unsigned() {
		let value = 0;
		for (let scale = 1; ; scale *= 128) {
			const b = this.byte();
			value += (b & 127) * scale;
			if (b < 128) return value;
		}
	}
	signed() {
		let value = 0n,
			shift = 0n;
		for (;;) {
			const b = BigInt(this.byte());
			value |= (b & 127n) << shift;
			shift += 7n;
			if (b < 128n) return b & 64n ? value - (1n << shift) : value;
		}
	}
	f32() {
		return this.view.getUint32((this.at += 4) - 4, true);
	}
	name() {
		const size = this.unsigned();
		return new TextDecoder().decode(this.bytes.subarray(this.at, (this.at += size)));
	}
	list(read) {
		return Array.from({ length: this.unsigned() }, (_, k) => read(k));
	}
	constant() {
		this.byte();
		const value = Number(this.signed());
		this.byte();
		return value;
	}
	*instructions() {
		while (this.at < this.end) yield this.instruction();
	}
	// 1 つの命令: {op, given: 命令に書いてある数}
	instruction() {
		let op = this.byte();
		if (op === 0xfc) op = 0xfc00 + this.unsigned();
		return { op, given: [...(ACCESSES.has(op) ? "uu" : (IMMEDIATES[op] ?? ""))].map((how) => READ[how](this)) };
	}
}
// 命令に続く数。b: 1 バイト、u: 符号なし、s: 符号あり、f: float、d: double
const READ = {
		b: (r) => r.byte(),
		u: (r) => r.unsigned(),
		s: (r) => r.signed(),
		f: (r) => r.f32(),
		d: (r) => (r.at += 8),
	},
	IMMEDIATES = { 0x02: "b", 0x03: "b", 0x0c: "u", 0x0d: "u", 0x10: "u", 0x11: "uu", 0x41: "s", 0x42: "s", 0x43: "f" };
for (let local = 0x20; local <= 0x24; local++) IMMEDIATES[local] = "u";
Object.assign(IMMEDIATES, { 0x44: "d", 0xfc0a: "bb", 0xfc0b: "b" });

class Module {
	constructor(bytes) {
		this.functions = []; // {type, name, imported} か {type, name, locals, code: [命令…]}
		this.globals = [];
		this.exports = new Map(); // 外に出した変数の名前 → 番地
		this.table = [];
		const file = new Reader(bytes, 8);
		while (file.at < bytes.length) {
			const id = file.byte(),
				size = file.unsigned();
			this.section(id, new Reader(bytes, file.at, file.at + size));
			file.at += size;
		}
	}
	section(id, r) {
		const types = () => r.list(() => TYPES[r.byte()]);
		if (id === 1) this.types = r.list(() => (r.byte(), { takes: types(), gives: types() }));
		else if (id === 2) r.list(() => this.import(r));
		else if (id === 3) r.list(() => this.functions.push({ type: this.types[r.unsigned()] }));
		else if (id === 6) r.list(() => (r.byte(), r.byte(), this.globals.push(r.constant())));
		else if (id === 7) r.list(() => this.export(r.name(), r.byte(), r.unsigned()));
		else if (id === 9) r.list(() => this.elements(r));
		else if (id === 10) this.code(r);
		else if (id === 0 && r.name() === "name") this.names(r);
	}
	import(r) {
		const [, name] = [r.name(), r.name(), r.byte()];
		this.functions.push({ type: this.types[r.unsigned()], name, imported: true });
	}
	export(name, kind, index) {
		if (kind === 3) this.exports.set(name, this.globals[index]);
	}
	elements(r) {
		r.unsigned();
		const first = r.constant();
		r.list((k) => (this.table[first + k] = r.unsigned()));
	}
	code(r) {
		const first = this.functions.findIndex((f) => !f.imported);
		r.list((k) => {
			const end = r.unsigned() + r.at,
				f = this.functions[first + k];
			f.locals = [...f.type.takes];
			r.list(() => {
				const count = r.unsigned(),
					type = TYPES[r.byte()];
				for (let j = 0; j < count; j++) f.locals.push(type);
			});
			f.code = new Reader(r.bytes, r.at, end);
			r.at = end;
		});
	}
	names(r) {
		while (r.at < r.end) {
			const id = r.byte(),
				end = r.unsigned() + r.at;
			if (id === 1) r.list(() => (this.functions[r.unsigned()].name = r.name()));
			r.at = end;
		}
	}
}
module.exports = { Module, OPERATIONS, ACCESSES, TYPES };
