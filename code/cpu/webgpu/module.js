// module.js: WebAssembly のモジュールを読む。関数の型と名前と、命令の列。
// clang と wasm-ld の書くものだけを読む: if と br_table は使わず、取り込むものは関数だけである
const TYPES = { 0x7f: "i32", 0x7e: "i64", 0x7d: "f32", 0x7c: "f64" };
const { ACCESSES } = require("./operators.js");

class Reader {
	constructor(bytes, at = 0, end = bytes.length) {
		Object.assign(this, { bytes, at, end, view: new DataView(bytes.buffer, bytes.byteOffset) });
	}
	byte() {
		return this.bytes[this.at++];
	}
	number(signed) {
		for (let value = 0n, shift = 0n; ;) {
			const b = BigInt(this.byte());
			value |= (b & 127n) << shift;
			shift += 7n;
			if (b < 128n) return signed && b & 64n ? value - (1n << shift) : value;
		}
	}
	unsigned() {
		return Number(this.number());
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
	// 命令の列: {op, given: 命令に書いてある数}
	*instructions() {
		while (this.at < this.end) {
			let op = this.byte();
			if (op === 0xfc) op = 0xfc00 + this.unsigned();
			yield { op, given: [...(ACCESSES.has(op) ? "uu" : (IMMEDIATES[op] ?? ""))].map((how) => READ[how](this)) };
		}
	}
}
// 命令に続く数。u: 符号なし、s: 符号あり、f: float、d: double
const READ = {
		u: (r) => r.unsigned(),
		s: (r) => r.number(true),
		f: (r) => r.f32(),
		d: (r) => (r.at += 8),
	},
	IMMEDIATES = { 0x02: "u", 0x03: "u", 0x0c: "u", 0x0d: "u", 0x10: "u", 0x11: "uu", 0x41: "s", 0x42: "s", 0x43: "f" };
for (let local = 0x20; local <= 0x24; local++) IMMEDIATES[local] = "u";
Object.assign(IMMEDIATES, { 0x44: "d", 0xfc0a: "uu", 0xfc0b: "u" });

class Module {
	constructor(bytes) {
		this.functions = []; // {type, name, imported} か {type, name, locals, code: [命令…]}
		this.exports = {}; // 動いているものが外に出した変数と、関数の表
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
		else if (id === 10) this.code(r);
		else if (id === 0 && r.name() === "name") this.names(r);
	}
	import(r) {
		const [, name] = [r.name(), r.name(), r.byte()];
		this.functions.push({ type: this.types[r.unsigned()], name, imported: true });
	}
	// 関数の表の k 番目
	pointed(k) {
		const table = this.exports.__indirect_function_table;
		return k < table.length ? this.functions[table.get(k)?.name] : undefined; // JavaScript から見た名前は、番号である
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
module.exports = { Module, TYPES };
