// module.js: WebAssembly のモジュールを読む。関数の名前、表、外に出した変数と、関数の命令の列。
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
module.exports = { Module, TYPES };
