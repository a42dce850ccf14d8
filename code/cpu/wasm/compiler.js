// compiler.js: リストの .cu を、WebAssembly のプログラムにする。Node.js でもページの Worker でも、同じものが動く。
// 前に wasi.js と lines.js が置かれる。
{
	const node = typeof module === "object",
		{ Wasi } = node ? require("./wasi.js") : globalThis,
		{ addLines, markUnset } = node ? require("./lines.js") : globalThis;

	const TARGET =
		"--target=wasm32-wasip1 --sysroot=/usr -resource-dir /usr -nostdinc++ " +
		"-isystem /usr/include/wasm32-wasip1/c++/v1 -isystem /usr/include/c++/v1";
	// 例外は使えない。待つ関数はコルーチンにする。ブロックを途中でやめるのに setjmp を使う
	const FLAGS =
		`${TARGET} -std=c++20 -O2 -w -ffp-contract=off -fignore-exceptions -mllvm -wasm-enable-sjlj ` +
		"-Icode/cpu/include -Icode";
	// 変数は、スタックから離して置く。近くのものを、自分のスタックと間違えないように (bounds.cpp)
	const LIBRARIES =
		"-lc++ -lc++abi -lsetjmp -lc /usr/lib/wasm32-unknown-wasip1/libclang_rt.builtins.a " +
		"-z stack-size=1048576 --stack-first --global-base=1179648 --strip-all";
	// 検査: build.mk の ACCESS_FLAGS と同じこと。
	// clang++ は wasm32 の -fsanitize=thread を断るが、その中の cc1 は断らない
	const CHECKS = "array-bounds,alignment,integer-divide-by-zero";
	const ACCESS =
		`-DCPU_TOOL -O1 -g1 -Xclang -fsanitize=thread,${CHECKS} -Xclang -fsanitize-recover=${CHECKS} ` +
		"-fstrict-flex-arrays=3 -mllvm -tsan-instrument-read-before-write=1 " +
		"-mllvm -tsan-distinguish-volatile=1 -mllvm -tsan-handle-cxx-exceptions=0 " +
		"-ftrivial-auto-var-init=pattern";
	const PRE = ["cuda_runtime.h", "book.cuh", "cooperative_groups.h", "cooperative_groups/reduce.h"]
		.map((name) => `#include <${name}>\n`)
		.join("");
	const bytes = (text) => new TextEncoder().encode(text),
		words = (...flags) => flags.join(" ").split(" ").filter(Boolean),
		folderOf = (file) => file.replace(/\/(exercises\/)?[^/]*$/, ""); // 節のヘッダと道具のあるフォルダ

	class Refused extends Error {}

	class Compiler {
		// clang、rewrite: WebAssembly.Module。system: 名前 → 中身 の Map。見出しとライブラリ
		constructor(clang, system, rewrite) {
			this.clang = clang;
			this.system = system;
			this.rewriter = rewrite;
			this.precompiled = new Map();
		}
		// pack: pack.js が作ったもの
		static fromPack(clang, pack) {
			const text = (from, to) => new TextDecoder().decode(pack.subarray(from, to)),
				first = 4 + new DataView(pack.buffer, pack.byteOffset).getUint32(0, true),
				files = new Map();
			let at = first;
			for (const [name, size] of JSON.parse(text(4, first))) files.set(name, pack.subarray(at, (at += size)));
			return new Compiler(clang, files, new WebAssembly.Module(files.get("rewrite.wasm")));
		}
		// files を足した所で動かす。できたファイル made の中身を返す
		run(args, files, made) {
			let log = "";
			const all = new Map([...this.system, ...Object.entries(files)]),
				decoder = new TextDecoder(),
				code = new Wasi(args, all, (fd, part) => (log += decoder.decode(part, { stream: true }))).start(this.clang);
			if (code) throw new Refused(log || `${args.at(-1)} をコンパイルできない`);
			return all.get(made);
		}
		compile(name, flags = "", files = {}) {
			return this.run(["clang++", ...words(FLAGS, flags), "-c", "-o", "made", name], files, "made");
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
		// 標準ライブラリの見出しを読むのに、ほとんどの時間がかかる。旗ごとに 1 度だけ読んでおく
		precompile(flags) {
			if (!this.precompiled.has(flags))
				this.precompiled.set(flags, this.compile("pre.h", `${flags} -x c++-header`, { "pre.h": bytes(PRE) }));
			return { "pre.h": bytes(PRE), "pre.pch": this.precompiled.get(flags) };
		}
		// 検査の見出し。前に読んだものがあれば、それを使う
		keepPrecompiled(known) {
			if (known) this.precompiled.set(ACCESS, known);
			return this.precompile(ACCESS)["pre.pch"];
		}
		// <<<>>> などを書き換える。書き換えたものとヘッダが入った { 名前: 中身 } を返す
		rewrite(file, text, ...flags) {
			const said = ["", "", ""],
				decoders = [0, 1, 2].map(() => new TextDecoder()),
				files = new Map([...this.system].filter(([name]) => name.startsWith("code/")));
			files.set(file, bytes(text));
			const args = ["rewrite", "--coroutines", ...flags, "--headers", "headers", "-I", folderOf(file), file],
				code = new Wasi(args, files, (fd, part) => (said[fd] += decoders[fd].decode(part, { stream: true }))).start(
					this.rewriter,
				);
			if (code) throw new Refused(said[2]);
			const made = Object.fromEntries([...files].filter(([name]) => name.startsWith("headers/")));
			return { ...made, "listing.cpp": bytes(said[1]) };
		}
		// 検査のためのオブジェクト。LLVM IR にして、初めの値を変え、命令を入れさせ、行を書き足してから、機械語にする
		checked(files) {
			const ir = (flags, name, given) =>
					new TextDecoder().decode(this.compile(name, `${ACCESS} ${flags} -S -emit-llvm`, given)),
				plain = ir("-include-pch pre.pch -Xclang -disable-llvm-passes", "listing.cpp", {
					...files,
					...this.precompile(ACCESS),
				}),
				checked = ir("-x ir", "unset.ll", { "unset.ll": bytes(markUnset(plain)) });
			return this.compile("lines.ll", "-O1 -x ir -Xclang -disable-llvm-passes", {
				"lines.ll": bytes(addLines(checked)),
			});
		}
		// フォルダ parts/… に入っている部品
		parts(...folders) {
			return folders.flatMap((folder) =>
				[...this.system].filter(([name]) => name.replace(/\/[^/]*$/, "") === folder).map(([, object]) => object),
			);
		}
		// name (5.3/sequential) のリストの、元のファイル。なければ、その名前の新しいもの
		file(name) {
			const [section, own] = name.split("/"),
				known = new TextDecoder().decode(this.system.get("listings")).split("\n");
			return (
				known.find((file) => file.replace(/\/(exercises\/)?\d+-/, "/") === `code/${section}/${own}.cu`) ??
				`code/${section}/${own}.cu`
			);
		}
		// text: .cu の中身。tool: run, sanitize, count, trace。block: BLOCK の値 (なければ決まった値)
		build({ name, text, tool, block }) {
			const file = this.file(name),
				objects = this.parts("parts", `parts/${tool}`, `parts/${folderOf(file)}`);
			return this.program(file, text, tool, objects, block);
		}
		program(file, text, tool, objects, block) {
			const races = /^\/\/ わざと誤り/m.test(text) ? ["--races"] : [],
				files = this.rewrite(file, text, ...(tool === "run" ? races : ["--tool"])),
				define = block ? `#undef BLOCK\n#define BLOCK ${block}\n` : "";
			files["listing.cpp"] = bytes(define + new TextDecoder().decode(files["listing.cpp"]));
			const object =
				tool === "run"
					? this.compile("listing.cpp", "-include-pch pre.pch", { ...files, ...this.precompile("") })
					: this.checked(files);
			return this.link([...objects, object]);
		}
	}
	Object.assign(globalThis, { Compiler, Refused });
	if (node) module.exports = { Compiler, Refused, FLAGS, ACCESS, folderOf };
}
