"""ページの中の検査: 書き換えたリストをページの中のコンパイラで作り、make sanitize と同じことを、同じ言葉で言う。

tests/device の誤りは、出るべき文と行を自分で言う (test_tools.py と同じ)。リストから待ち合わせを取り除いたものは、
make sanitize の報告と 1 字ずつ比べる。何も指定しなければ、取り除き方ごとに 1 つずつ。
PAGE_CHECK=all なら、全部を比べる。
"""

import json
import os

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
const parts = (tool) => compiler.parts("parts", `parts/${tool}`);
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


# ページの中だけの違い: 付録の表にある
def differs(text):
    tags = book.tags(text)
    return next(iter(tags.get("ページの中では", [])), None)


@pytest.mark.parametrize("kind", ["found-by-sanitize", "found-by-run"])
def test_planted(pack, kind):
    """植えた誤りが、どれも同じ行の同じ文で見つかる"""
    paths = sorted((FOLDER / kind).glob("*.cu"))
    texts = {p.relative_to(book.ROOT).as_posix(): p.read_text(encoding="utf-8") for p in paths}
    found = bundled_in_page(pack, texts)
    wrong = []
    for name, text in texts.items():
        tags, (status, _, said, _) = book.tags(text), found[name]
        marked = [k for k, line in enumerate(text.splitlines(), 1) if line.rstrip().endswith("// ここ")]
        expected = tags["期待"] + [f"{name}:{k}" for k in marked]
        missing = [e for e in expected if e not in said]
        if not status or missing:
            wrong.append(f"{name}: 終了コード {status}、{missing} が出ない\n{said}")
    assert not wrong, "\n".join(wrong)
