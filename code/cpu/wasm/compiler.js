// compiler.js: リストの .cu を、WebAssembly のプログラムにする。Node.js でもページの Worker でも、同じものが動く。
const { addLines, markUnset } = require("./lines.js");
const { makeCoroutines, passOthers } = require("./waits.js");
const { Wasi } = require("./wasi.js");
const gpu = require("../webgpu/compile.js");

const TARGET =
	"--target=wasm32-wasip1 --sysroot=/usr -resource-dir /usr -nostdinc++ " +
	"-isystem /usr/include/wasm32-wasip1/c++/v1 -isystem /usr/include/c++/v1";
// 例外は使えない (throw.cpp)。ブロックを途中でやめるのに setjmp を使う。値を入れていない変数も、渡すだけならよい
const FLAGS =
	`${TARGET} -std=c++17 -O2 -Wno-error=parentheses -ffp-contract=off -Xclang -no-enable-noundef-analysis ` +
	`-fignore-exceptions -U__cpp_exceptions -mllvm -wasm-enable-sjlj ` +
	"-fpch-instantiate-templates -D_LIBCPP_REMOVE_TRANSITIVE_INCLUDES -Icode/cpu/include -Icode";
// 変数は、スタックから離して置く。近くのものを、自分のスタックと間違えないように (bounds.cpp)
const LIBRARIES =
	"-lc++ -lc++abi -lsetjmp -lc /usr/lib/wasm32-unknown-wasip1/libclang_rt.builtins.a " +
	"-z stack-size=1048576 --stack-first --global-base=1179648 --strip-all --compress-relocations";
// 検査: build.mk の ACCESS_FLAGS と同じこと。
// clang++ は wasm32 の -fsanitize=thread を断るが、その中の cc1 は断らない
const CHECKS = "array-bounds,alignment,integer-divide-by-zero,shift-exponent";
const ACCESS =
	`-DCPU_TOOL -DCPU_CHECKED -O1 -g1 -Xclang -fsanitize=thread,return,${CHECKS} -Xclang -fsanitize-recover=${CHECKS} ` +
	"-fstrict-flex-arrays=3 -fno-finite-loops -mllvm -tsan-instrument-read-before-write=1 " +
	"-mllvm -tsan-distinguish-volatile=1 -mllvm -tsan-handle-cxx-exceptions=0 " +
	"-ftrivial-auto-var-init=pattern";
const PRE = ["cuda_runtime.h", "book.cuh", "cooperative_groups.h", "cooperative_groups/reduce.h"]
	.map((name) => `#include <${name}>\n`)
	.join("");
const bytes = (text) => new TextEncoder().encode(text),
	decoded = (made) => new TextDecoder().decode(made),
	words = (...flags) => flags.join(" ").split(" ").filter(Boolean),
	folderOf = (file) => file.replace(/\/(exercises\/)?[^/]*$/, ""); // 節のヘッダと道具のあるフォルダ

// わざと誤ったリスト: 読み書きする前に、印を付けさせる
const INTERRUPTED =
	"-Xclang -fsanitize=thread -Xclang -fno-validate-pch -mllvm -tsan-handle-cxx-exceptions=0 " +
	"-mllvm -tsan-instrument-atomics=0 -mllvm -tsan-instrument-memintrinsics=0 -mllvm -tsan-instrument-func-entry-exit=0";
const isWrong = (text) => /^\/\/ わざと誤り/m.test(text);

class Refused extends Error {}

class Compiler {
	// clang、rewrite: WebAssembly.Module。system: 名前 → 中身 の Map。見出しとライブラリ
	constructor(clang, system, rewrite) {
		this.clang = clang;
		this.system = system;
		this.rewriter = rewrite;
		this.precompiled = new Map();
	}
	// pack: build.js がまとめたもの
	static fromPack(clang, pack) {
		const first = 4 + new DataView(pack.buffer, pack.byteOffset).getUint32(0, true),
			files = new Map();
		let at = first;
		for (const [name, size] of JSON.parse(decoded(pack.subarray(4, first))))
			files.set(name, pack.subarray(at, (at += size)));
		return new Compiler(clang, files, new WebAssembly.Module(files.get("rewrite.wasm")));
	}
	// module を動かし、[, 標準出力, 標準エラー] を返す。書いたファイルは files に足される
	execute(module, args, files) {
		const said = ["", "", ""],
			decoders = said.map(() => new TextDecoder()),
			put = (fd, part) => (said[fd] += decoders[fd].decode(part, { stream: true }));
		if (new Wasi(args, files, put).start(module))
			throw new Refused(said[2] || said[1] || `${args.at(-1)} をコンパイルできない`);
		return said;
	}
	// files を足した所でコンパイラを動かす。できたファイル made の中身を返す
	run(args, files, made) {
		const all = new Map([...this.system, ...Object.entries(files)]);
		this.said += this.execute(this.clang, args, all)[2];
		return all.get(made);
	}
	compile(name, flags = "", files = {}) {
		return this.run(["clang++", ...words(FLAGS, flags), "-c", "-o", "made", name], files, "made");
	}
	// リストの LLVM IR。先に読んだ見出し (precompile) を使う
	ir(files, flags, more) {
		const given = { ...files, ...this.precompile(flags) };
		return decoded(this.compile("listing.cpp", `-include-pch pre.pch ${flags} ${more} -S -emit-llvm`, given));
	}
	// リストのオブジェクト。LLVM IR にして、待つ関数をコルーチンにしてから、機械語にする
	// wrong: わざと誤ったリストか。ループは展開しない: 速さは変わらず、プログラムは小さくなる
	object(files, wrong, flags = "") {
		const ir = this.ir(files, flags, `${wrong ? INTERRUPTED : ""} -fno-discard-value-names -fno-unroll-loops`);
		return this.compile("waits.ll", `-O1 ${flags} -x ir`, { "waits.ll": bytes(makeCoroutines(ir, wrong)) });
	}
	link(objects, flags = "") {
		const files = Object.fromEntries(objects.map((object, k) => [`${k}.o`, object]));
		return this.run(
			[
				...words("wasm-ld -m wasm32 -L/usr/lib/wasm32-wasip1 /usr/lib/wasm32-wasip1/crt1-command.o"),
				...Object.keys(files),
				...words(LIBRARIES, flags, "-o made"),
			],
			files,
			"made",
		);
	}
	header(flags) {
		return this.compile("pre.h", `${flags} -x c++-header`, { "pre.h": bytes(PRE) });
	}
	// 標準ライブラリの見出しを読むのに、ほとんどの時間がかかる。旗ごとに 1 度だけ読み、決まるテンプレートも作っておく
	precompile(flags) {
		if (!this.precompiled.has(flags)) this.precompiled.set(flags, this.header(flags));
		return { "pre.h": bytes(PRE), "pre.pch": this.precompiled.get(flags) };
	}
	// <<<>>> などを書き換える。書き換えたものとヘッダが入った { 名前: 中身 } を返す
	rewrite(file, text, ...flags) {
		const files = new Map([...this.system].filter(([name]) => name.startsWith("code/")));
		files.set(file, bytes(text));
		const args = ["rewrite", ...flags, "--headers", "headers", "-I", folderOf(file), "--root", "code", file],
			[, listing, warned] = this.execute(this.rewriter, args, files),
			made = Object.fromEntries([...files].filter(([name]) => name.startsWith("headers/")));
		this.warned = warned;
		return { ...made, "listing.cpp": bytes(listing) };
	}
	// 検査のためのオブジェクト。LLVM IR にして、初めの値を変え、命令を入れさせ、行を書き足してから、機械語にする
	checked(files) {
		const plain = this.ir(files, ACCESS, "-Xclang -disable-llvm-passes"),
			given = { "unset.ll": bytes(markUnset(plain)) },
			checked = decoded(this.compile("unset.ll", `${ACCESS} -x ir -S -emit-llvm`, given));
		return this.compile("lines.ll", "-O1 -x ir", { "lines.ll": bytes(makeCoroutines(addLines(passOthers(checked)))) });
	}
	// ブラウザの GPU で動かすためのプログラム (webgpu/)
	forGpu(files, objects, flags = "") {
		const listing = bytes(gpu.PRELUDE + decoded(files["listing.cpp"])),
			ir = gpu.exported(this.ir({ ...files, "listing.cpp": listing }, flags, gpu.FLAGS)),
			last = (flags, ir) => this.compile("gpu.ll", flags, { "gpu.ll": bytes(ir) }),
			assembly = decoded(last(gpu.ASSEMBLY, gpu.atomic(ir)));
		return gpu.withKernels(this.link([last(gpu.OBJECT, ir), ...objects], gpu.LINK), assembly);
	}
	// フォルダ parts/… に入っている部品
	parts(...folders) {
		return folders.flatMap((folder) =>
			[...this.system].filter(([name]) => name.replace(/\/[^/]*$/, "") === folder).map(([, object]) => object),
		);
	}
	// file: リストの名前 (code/5.3/3-sequential.cu)、text: その中身、tool: run, sanitize, count, trace。
	// block: BLOCK の値 (なければ決まった値)
	build({ file, text, tool, block }) {
		const objects = this.parts("parts", `parts/${tool}`, `parts/${folderOf(file)}`);
		return this.program(file, text, tool, objects, block);
	}
	explained(log, file, text) {
		const files = new Map(Object.entries({ log: bytes(log), [file]: bytes(text) }));
		try {
			return this.execute(this.rewriter, ["rewrite", "--explain", "log"], files)[1];
		} catch {
			return log; // 表にも、一般の文にも合わない
		}
	}
	// できなければ、日本語の 1 文 (rewrite/explain.cpp) の Refused を投げる。警告は warned に残る
	program(file, text, tool, objects, block) {
		try {
			const files = this.rewrite(file, text, ...(tool === "run" || tool === "gpu" ? [] : ["--tool"])),
				define = block ? `#undef BLOCK\n#define BLOCK ${block}\n` : "";
			this.said = this.warned;
			files["listing.cpp"] = bytes(define + decoded(files["listing.cpp"]));
			if (tool === "gpu") return this.forGpu(files, objects);
			if (!/\bmain\b/.test(text)) throw new Refused("main がない: プログラムは int main() から始まる");
			const object = tool === "run" ? this.object(files, isWrong(text)) : this.checked(files);
			this.warned = this.explained(this.said, file, text);
			return this.link([...objects, object]);
		} catch (e) {
			if (!(e instanceof Refused)) throw e;
			throw new Refused(this.explained(e.message, file, text));
		}
	}
}
module.exports = { Compiler, Refused, FLAGS, ACCESS, folderOf, isWrong };
