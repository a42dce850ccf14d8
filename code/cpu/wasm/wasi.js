// wasi.js: WebAssembly のプログラムから見た OS (WASI preview1)。ページの Worker でも Node.js でも、同じものが動く。
// 呼び出しに答えるのは browser_wasi_shim で、ここにあるのは、ファイル (名前 → 中身 の Map) と、止まったわけである。
import * as shim from "../../../tests/node_modules/@bjorn3/browser_wasi_shim/dist/index.js";
import { Fdstat, Filestat, Prestat } from "../../../tests/node_modules/@bjorn3/browser_wasi_shim/dist/wasi_defs.js";
import errors from "./errors.js";

// WebAssembly が止めたわけを、読者の言葉にする
const STOPPED = [
	[/call stack|stack overflow/, "再帰が深すぎる: 終わる条件を確かめる"],
	[/by zero|unrepresentable|overflow/, "整数を 0 で割った (か、最小の整数を -1 で割った)"],
	[/out of bounds|unaligned/, "触れてはいけないアドレスに触れた: 配列の外か、壊れたポインタか、深すぎる再帰である"],
	[/./, "ヌルポインタに触れたか、値を返す関数が return なしで終わったか、abort() を呼んだ"],
];
const MISSING = { ret: 44 };

// 少しずつ書くたびに全部を写さないように、倍々に広げる
shim.OpenFile.prototype.fd_write = function (bytes) {
	const { file } = this,
		at = Number(this.file_pos),
		end = at + bytes.length;
	if (file.room?.buffer !== file.data.buffer || end > file.room.length) {
		file.room = new Uint8Array(2 * Math.max(end, file.data.length));
		file.room.set(file.data);
	}
	file.data = file.room.subarray(0, Math.max(end, file.data.length));
	file.data.set(bytes, at);
	this.file_pos = BigInt(end);
	return { ret: 0, nwritten: bytes.length };
};
// 端末ではないので、プログラムは、行ごとでなく、まとめて書く
class Flow extends shim.ConsoleStdout {
	fd_fdstat_get() {
		const got = super.fd_fdstat_get();
		got.fdstat.fs_rights_base = -1n;
		return got;
	}
}
// 全部のファイルの親。ほかのフォルダは開けない
class Root extends shim.Fd {
	files = new Map();
	folders = new Map();
	put(name, data) {
		this.files.set(name, Object.assign(new shim.File([]), { data }));
		for (let k = 0; k >= 0; k = name.indexOf("/", k + 1)) {
			const folder = name.slice(0, k);
			if (!this.folders.has(folder)) this.folders.set(folder, new Filestat(shim.Inode.issue_ino(), 3, 0n));
		}
	}
	name(path) {
		const parts = [];
		for (const part of path.split("/"))
			if (part === "..") parts.pop();
			else if (part && part !== ".") parts.push(part);
		return parts.join("/");
	}
	fd_prestat_get() {
		return { ret: 0, prestat: Prestat.dir("/") };
	}
	fd_fdstat_get() {
		return { ret: 0, fdstat: new Fdstat(3, 0) };
	}
	path_filestat_get(_, path) {
		const name = this.name(path),
			filestat = this.files.get(name)?.stat() ?? this.folders.get(name);
		return filestat ? { ret: 0, filestat } : MISSING;
	}
	path_open(_, path, flags, rights, inherited, more) {
		const name = this.name(path);
		if (flags & 1 && !this.files.has(name)) this.put(name, new Uint8Array(0));
		return this.files.get(name)?.path_open(flags, rights, more) ?? MISSING;
	}
	path_unlink(path) {
		const inode_obj = this.files.get(this.name(path));
		return this.files.delete(this.name(path)) ? { ret: 0, inode_obj } : MISSING;
	}
	path_unlink_file(path) {
		return this.path_unlink(path).ret;
	}
	path_link(path, file) {
		this.files.set(this.name(path), file);
		return 0;
	}
}

export class Wasi extends shim.WASI {
	// write(fd, Uint8Array): 標準出力 (1) と標準エラー (2)。書いたファイルは files に足される
	constructor(args, files, write) {
		const root = new Root();
		const flows = [1, 2].map((fd) => new Flow((bytes) => write(fd, bytes.slice())));
		super(args.map(String), [], [new shim.OpenFile(new shim.File([])), ...flows, root], { debug: false });
		Object.assign(this, { files, write, root });
		for (const [name, data] of files) root.put(name, data);
		this.wasiImport.fd_write = (...given) => this.fd_write(...given);
	}
	// LLVM は IR を 1 語ずつ、1 つのリストで何万回も書く。shim のものより、1 回の手間がずっと少ない
	fd_write(fd, vectors, count, written) {
		const opened = this.fds[fd],
			{ buffer } = this.inst.exports.memory;
		if (!opened) return 8;
		if (this.heap?.buffer !== buffer) [this.heap, this.words] = [new Uint8Array(buffer), new Uint32Array(buffer)];
		const { heap, words } = this,
			at = written / 4;
		words[at] = 0;
		for (let k = vectors / 4; count--; k += 2)
			words[at] += opened.fd_write(heap.subarray(words[k], words[k] + words[k + 1])).nwritten;
		return 0;
	}
	// main を動かし、終了コードを返す。more: WASI のほかに、プログラムが呼ぶもの。途中で止められたら、わけを書いて 3
	start(module, more = {}) {
		const book = { errors: (to) => (to && this.bytes(to, errors.length).set(errors), errors.length) };
		this.inst = new WebAssembly.Instance(module, { wasi_snapshot_preview1: this.wasiImport, book, ...more });
		try {
			return super.start(this.inst);
		} catch (e) {
			if (!(e instanceof WebAssembly.RuntimeError || e instanceof RangeError)) throw e;
			const [, why] = STOPPED.find(([pattern]) => pattern.test(e.message));
			this.write(2, new TextEncoder().encode(`CPU デバイス: 止まった: ${why}\n`));
			return 3;
		} finally {
			for (const [name, { data }] of this.root.files) this.files.set(name, data);
		}
	}
	bytes(at, size) {
		return new Uint8Array(this.inst.exports.memory.buffer, at, size);
	}
}
