// wasi.js: WebAssembly のプログラムから見た OS (WASI preview1)。clang とリストが使う分だけ。
// ファイルはすべてメモリの上にある: 名前 → 中身 の Map。ページの Worker でも Node.js でも同じものが動く。
const errors = require("./errors.js");
const WASI_OK = 0,
	WASI_BADF = 8,
	WASI_NOENT = 44,
	WASI_NOSYS = 52,
	WASI_SPIPE = 70;

// WebAssembly が止めたわけを、読者の言葉にする
const STOPPED = [
	[/call stack|stack overflow/, "再帰が深すぎる: 終わる条件を確かめる"],
	[/by zero|unrepresentable|overflow/, "整数を 0 で割った (か、最小の整数を -1 で割った)"],
	[/out of bounds|unaligned/, "触れてはいけないアドレスに触れた: 配列の外か、壊れたポインタか、深すぎる再帰である"],
	[/./, "ヌルポインタに触れたか、値を返す関数が return なしで終わったか、abort() を呼んだ"],
];

class WasiExit extends Error {
	constructor(code) {
		super(`終了コード ${code}`);
		this.code = code;
	}
}

class Wasi {
	// write(fd, Uint8Array): 標準出力 (1) と標準エラー (2)。書いたファイルは files に足される
	constructor(args, files, write) {
		this.args = args.map((word) => new TextEncoder().encode(word + "\0"));
		this.files = files;
		this.write = write;
		this.open = [{}, {}, {}, { folder: "" }]; // 0 から 2 は流れ、3 は全部のファイルの親。ほかのフォルダは開けない
	}

	// main を動かし、終了コードを返す。more: WASI のほかに、プログラムが呼ぶもの。途中で止められたら、わけを書いて 3
	start(module, more = {}) {
		const calls = {};
		for (const { module: from, name } of WebAssembly.Module.imports(module))
			if (from === "wasi_snapshot_preview1") calls[name] = (...a) => this.call(name, ...a);
		const book = { errors: (to) => this.errors(to) };
		this.exports = new WebAssembly.Instance(module, { wasi_snapshot_preview1: calls, book, ...more }).exports;
		try {
			this.exports._start();
			return 0;
		} catch (e) {
			if (e instanceof WasiExit) return e.code;
			if (!(e instanceof WebAssembly.RuntimeError || e instanceof RangeError)) throw e;
			const [, why] = STOPPED.find(([pattern]) => pattern.test(e.message));
			this.write(2, new TextEncoder().encode(`CPU デバイス: 止まった: ${why}\n`));
			return 3;
		}
	}

	call(name, fd, ...more) {
		if (name.startsWith("fd_") && !this.open[fd]) return WASI_BADF;
		return this[name] ? this[name](fd, ...more) : WASI_NOSYS;
	}
	get view() {
		return new DataView(this.exports.memory.buffer);
	}
	bytes(at, size) {
		return new Uint8Array(this.exports.memory.buffer, at, size);
	}
	set32(at, value) {
		this.view.setUint32(at, value, true);
		return WASI_OK;
	}
	set64(at, value) {
		this.view.setBigUint64(at, BigInt(value), true);
		return WASI_OK;
	}

	// エラーの名前と文の表。to があれば写し、長さを返す
	errors(to) {
		if (to) this.bytes(to, errors.length).set(errors);
		return errors.length;
	}

	// ------------------------------------------------------------ 引数、時計、終わり
	args_sizes_get(count, size) {
		this.set32(count, this.args.length);
		return this.set32(
			size,
			this.args.reduce((sum, word) => sum + word.length, 0),
		);
	}
	args_get(pointers, at) {
		this.args.forEach((word, k) => {
			this.set32(pointers + 4 * k, at);
			this.bytes(at, word.length).set(word);
			at += word.length;
		});
		return WASI_OK;
	}
	environ_sizes_get(count, size) {
		this.set32(count, 0);
		return this.set32(size, 0);
	}
	environ_get() {
		return WASI_OK;
	}
	clock_time_get(id, precision, out) {
		return this.set64(out, Math.round((id === 0 ? Date.now() : performance.now()) * 1e6));
	}
	random_get(at, size) {
		crypto.getRandomValues(this.bytes(at, size));
		return WASI_OK;
	}
	proc_exit(code) {
		throw new WasiExit(code);
	}

	// ------------------------------------------------------------ ファイル
	folders() {
		if (!this.known) {
			this.known = new Set([""]);
			for (const name of this.files.keys())
				for (let k = name.indexOf("/"); k >= 0; k = name.indexOf("/", k + 1)) this.known.add(name.slice(0, k));
		}
		return this.known;
	}
	name(at, size) {
		const parts = [];
		for (const part of new TextDecoder().decode(this.bytes(at, size)).split("/"))
			if (part === "..") parts.pop();
			else if (part && part !== ".") parts.push(part);
		return parts.join("/");
	}
	fd_prestat_get(fd, out) {
		this.set32(out, 0);
		return this.set32(out + 4, 1);
	}
	fd_prestat_dir_name(fd, at) {
		this.bytes(at, 1)[0] = 47; // "/"
		return WASI_OK;
	}
	fd_fdstat_get(fd, out) {
		const f = this.open[fd];
		this.bytes(out, 24).fill(0);
		this.bytes(out, 1)[0] = f.data ? 4 : f.folder !== undefined ? 3 : 2;
		this.set64(out + 8, 0x1fffffff);
		return this.set64(out + 16, 0x1fffffff);
	}
	describe(out, kind, size, name) {
		this.numbers ??= new Map();
		if (!this.numbers.has(name)) this.numbers.set(name, this.numbers.size + 1);
		this.bytes(out, 64).fill(0);
		this.set64(out + 8, this.numbers.get(name)); // 同じファイルかどうかは、この番号で決まる
		this.bytes(out + 16, 1)[0] = kind;
		return this.set64(out + 32, size);
	}
	fd_filestat_get(fd, out) {
		const f = this.open[fd];
		return f.data
			? this.describe(out, 4, f.size, f.name)
			: this.describe(out, f.folder !== undefined ? 3 : 2, 0, f.folder);
	}
	path_filestat_get(fd, flags, at, length, out) {
		const name = this.name(at, length);
		if (this.files.has(name)) return this.describe(out, 4, this.files.get(name).length, name);
		return this.folders().has(name) ? this.describe(out, 3, 0, name) : WASI_NOENT;
	}
	path_open(fd, lookup, at, length, flags, rights, inheriting, mode, out) {
		const name = this.name(at, length),
			[create, truncate] = [1, 8].map((bit) => flags & bit),
			old = this.files.get(name);
		if (!old && !create) return WASI_NOENT;
		const data = truncate || !old ? new Uint8Array(0) : old;
		let k = 4;
		while (this.open[k]) k++;
		this.open[k] = { name, data, size: data.length, at: 0, changed: !old || !!truncate };
		return this.set32(out, k);
	}
	fd_close(fd) {
		const f = this.open[fd];
		if (f.changed) this.files.set(f.name, f.data.subarray(0, f.size));
		this.open[fd] = undefined;
		return WASI_OK;
	}
	path_unlink_file(fd, at, length) {
		return this.files.delete(this.name(at, length)) ? WASI_OK : WASI_NOENT;
	}
	path_rename(fd, at, length, toFd, toAt, toLength) {
		const from = this.name(at, length),
			to = this.name(toAt, toLength);
		if (!this.files.has(from)) return WASI_NOENT;
		this.files.set(to, this.files.get(from));
		this.files.delete(from);
		return WASI_OK;
	}

	// ------------------------------------------------------------ 読み書き
	// each(先頭, 大きさ) を、渡されたバッファごとに呼ぶ。each は動かした大きさを返す
	buffers(list, count, out, each) {
		let total = 0;
		for (let k = 0; k < count; k++)
			total += each(this.view.getUint32(list + 8 * k, true), this.view.getUint32(list + 8 * k + 4, true));
		return this.set32(out, total);
	}
	readAt(f, position, list, count, out) {
		return this.buffers(list, count, out, (at, size) => {
			const part = f.data.subarray(position, Math.min(position + size, f.size));
			this.bytes(at, part.length).set(part);
			position += part.length;
			return part.length;
		});
	}
	fd_read(fd, list, count, out) {
		const f = this.open[fd];
		if (!f.data) return this.set32(out, 0);
		const result = this.readAt(f, f.at, list, count, out);
		f.at += this.view.getUint32(out, true);
		return result;
	}
	fd_pread(fd, list, count, position, out) {
		return this.readAt(this.open[fd], Number(position), list, count, out);
	}
	put(f, bytes) {
		if (f.at + bytes.length > f.data.length || !f.changed) {
			const larger = new Uint8Array(Math.max(f.at + bytes.length, 2 * f.data.length)); // 倍々に広げる
			larger.set(f.data.subarray(0, f.size));
			f.data = larger;
			f.changed = true;
		}
		f.data.set(bytes, f.at);
		f.at += bytes.length;
		f.size = Math.max(f.size, f.at);
	}
	fd_write(fd, list, count, out) {
		const f = this.open[fd];
		return this.buffers(list, count, out, (at, size) => {
			if (f.data) this.put(f, this.bytes(at, size));
			else this.write(fd, this.bytes(at, size).slice());
			return size;
		});
	}
	fd_seek(fd, offset, from, out) {
		const f = this.open[fd];
		if (!f.data) return WASI_SPIPE;
		f.at = Number(offset) + [0, f.at, f.size][from];
		return this.set64(out, f.at);
	}
	fd_filestat_set_size(fd, size) {
		const f = this.open[fd];
		f.at = Number(size);
		this.put(f, new Uint8Array(0));
		f.size = f.at;
		return WASI_OK;
	}
}
module.exports = { Wasi };
