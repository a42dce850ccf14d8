"""ページの中の検査: 書き換えたリストをページの中のコンパイラで作り、make sanitize と同じことを、同じ言葉で言う。

tests/device の誤りは、出るべき文と行を自分で言う (test_tools.py と同じ)。リストから待ち合わせを取り除いたものは、
make sanitize の報告と 1 字ずつ比べる。何も指定しなければ、取り除き方ごとに 1 つずつ。
PAGE_CHECK=all なら、全部を比べる。
"""

import hashlib
import json
import os
import re

import book
import pytest

NODE = book.ROOT / "tests/node_modules/@yowasp/clang"
ALL = os.environ.get("PAGE_CHECK") == "all"
FOLDER = book.ROOT / "tests/device"
# どのプログラムも Worker の代わりに Node.js で、時計を速く進めて動かす: 終わらないループに気づくのを待たない
RUN = """
const [folder, jobs] = process.argv.slice(1).map(JSON.parse), code = process.cwd() + "/code/cpu/wasm/";
const { Toolchain, CLANG } = require(code + "toolchain.js"), { Compiler } = require(code + "compiler.js");
const { Wasi } = require(code + "wasi.js"), fs = require("fs"), zlib = require("zlib");
const FAST = 40;
class Fast extends Wasi {
    clock_time_get(id, precision, out) { return this.set64(out, Math.round(performance.now() * 1e6 * FAST)); }
}
const read = (name) => zlib.gunzipSync(fs.readFileSync(`${folder}/${name}`));
const compiler = Compiler.fromPack(new WebAssembly.Module(fs.readFileSync(CLANG)), read("pack.gz"));
const toolchain = new Toolchain(folder);
compiler.precompiled = { has: () => true, get: (flags) => toolchain.precompiled(flags) };
const sections = [...compiler.system.keys()].filter((name) => name.startsWith("parts/code/"));
const parts = (tool) => [...compiler.parts("parts", `parts/${tool}`), ...sections.map((name) => compiler.system.get(name))];
const output = jobs.map(({ file, text, tool, runs }) => {
    const program = new WebAssembly.Module(compiler.program(file, text, tool, parts(tool)));
    return runs.map((args) => {
        const said = ["", "", ""], files = new Map(), write = (fd, bytes) => (said[fd] += Buffer.from(bytes));
        let status;
        try {
            status = new Fast(args, files, write).start(program);
        } catch (e) {
            [status, said[2]] = [-1, `${said[2]}${e.stack}`];
        }
        return [status, said[1], said[2], Buffer.from(files.get("listing.json") ?? "").toString()];
    });
});
console.log(JSON.stringify(output));
"""


@pytest.fixture(scope="module")
def pack():
    if not book.have("node") or not NODE.exists():
        pytest.skip("Node.js か @yowasp/clang がない (Node.js 20 以降を入れて make setup)")
    folder = book.ROOT / "build/wasm"
    done = book.call(["node", "code/cpu/wasm/pack.js", folder], timeout=600)
    assert done.returncode == 0, done.stderr
    return folder


def in_page(pack, jobs):
    """[{file, text, tool, runs: [引数, …]}, …] を作って動かす: [[(終了コード, 出力, 誤り, JSON), …], …]"""
    done = book.call(["node", "-e", RUN, json.dumps(str(pack)), json.dumps(jobs)], timeout=900)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def bundled_in_page(pack, programs, tool="sanitize", args=(), count=25):
    """たくさんのプログラム {名前: 本文} を、count 個ずつ 1 つにまとめて作る"""
    names, jobs = list(programs), []
    for k in range(0, len(names), count):
        chosen = {n: programs[n] for n in names[k : k + count]}
        text = book.bundled(chosen, book.ROOT / "code/bundle")
        runs = [[f"listing-{i}", *args] for i in range(len(chosen))]
        jobs.append({"file": "code/bundle/0.cu", "text": text, "tool": tool, "runs": runs})
    return dict(zip(names, (r for runs in in_page(pack, jobs) for r in runs)))


# ---------------------------------------------------------------- 植えた誤り
def folder_programs(kind):
    paths = sorted((FOLDER / kind).glob("*.cu"))
    return {p.relative_to(book.ROOT).as_posix(): p.read_text(encoding="utf-8") for p in paths}


def expected(tags):
    """出るべき文。配列の外とヌルポインタは、make run では触れて止まるが、検査は触れる前に自分の言葉で言う"""
    touched = any("触れてはいけないアドレス" in e for e in tags["期待"])
    far = any("桁あふれ" in e for e in tags["期待"])  # 番地が 32 ビットなので、遠くても、どれかの配列の外と言える
    return ["検査: "] if touched else ["検査: 配列の外"] if far else tags["期待"]


@pytest.mark.parametrize("kind", ["found-by-sanitize", "found-by-run"])
def test_planted(pack, kind):
    """植えた誤りが、どれも同じ行の同じ文で見つかる"""
    programs, wrong = folder_programs(kind), []
    for name, (status, _, said, _) in bundled_in_page(pack, programs).items():
        tags, lines = book.tags(programs[name]), programs[name].splitlines()
        marked = [f"{name}:{k}" for k, line in enumerate(lines, 1) if line.rstrip().endswith("// ここ")]
        missing = [e for e in expected(tags) + marked if e not in said]
        codes = [int(tags["終了コード"][0])] if kind == "found-by-sanitize" else [1, 3]
        if status not in codes or missing:
            wrong.append(f"{name}: 終了コード {status}、{missing} が出ない\n{said}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("kind", ["right"])
def test_right(pack, kind):
    """正しいが込み入ったカーネルには、何も言わない"""
    found = bundled_in_page(pack, folder_programs(kind))
    said = {name: (status, err) for name, (status, _, err, _) in found.items()}
    assert said == {name: (0, "検査: 誤りは見つからなかった\n") for name in said}


# ---------------------------------------------------------------- 取り除いたもの
def sample(mutants):
    """取り除き方ごとに、初めのもの。順番は中身から決めるので、リストが増えても片寄らない"""
    if ALL:
        return mutants
    first = {}
    for m in sorted(mutants, key=lambda m: hashlib.sha256(m[3].encode()).digest()):
        first.setdefault(re.sub(r"\W.*", "", m[2]) + str("return" in m[2]), m)
    return list(first.values())


def test_removals(pack, tmp_path):
    """待ち合わせや見張りを取り除いたものに、make sanitize と同じことを、同じ言葉で言う"""
    mutants = [(l, *m) for l in book.listings() if not l.wrong and not l.gpu_only for m in book.removals(l)]
    chosen = {f"code/{l.section}/mutant{k}.cu": text for k, (l, _, _, text) in enumerate(sample(mutants))}
    root = book.copy_sources(tmp_path / "copy", runtime=True)
    native = book.build_bundles(root, chosen, "sanitize", count=max(1, len(chosen) // 25))
    wrong = []
    for n in (1003, 9):  # 端数が配列の中に収まって、誤りにならない長さもある
        args = ["--n", str(n)]
        for name, (status, out, err, _) in bundled_in_page(pack, chosen, args=args).items():
            done = book.call([native[name], *args])
            if (status, err, out.split("\n")[0]) != (done.returncode, done.stderr, done.stdout.split("\n")[0]):
                wrong.append(
                    f"{name} N={n}: {status}\n{err}{out[:60]}\n-- make sanitize {done.returncode}\n{done.stderr}"
                )
    assert not wrong, "\n".join(wrong)


# ---------------------------------------------------------------- 数える、たどる
@pytest.mark.parametrize("tool", ["count", "trace"])
def test_numbers(pack, tool):
    """行ごとの数と、1 つずつの読み書きは、make count, trace と同じ"""
    listing, n = "5.2/2-in-place", "257"
    (program,) = book.Tools("c++").build(f"{tool}/{listing}")
    done = book.call([program, "--n", n])
    text = (book.ROOT / f"code/{listing}.cu").read_text(encoding="utf-8")
    job = {"file": f"code/{listing}.cu", "text": text, "tool": tool, "runs": [["listing", "--n", n]]}
    [[(status, out, err, made)]] = in_page(pack, [job])
    table = lambda output: output[output.find("\nカーネル") :] if tool == "count" else ""
    assert (status, err, table(out)) == (done.returncode, done.stderr, table(done.stdout))
    assert json.loads(made) == json.loads(program.with_name(program.name + ".json").read_text(encoding="utf-8"))
