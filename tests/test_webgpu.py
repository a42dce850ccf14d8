"""ブラウザの GPU: カーネルを WGSL に直して、Chromium のソフトウェアの GPU で動かす。

答えは CPU デバイスと同じか、1 文で断るかである。違う答えは、1 つもない。
"""

import json
import re
import subprocess

import book
import pdf
import pytest
import runnable
import web
from engine import SETUP

FOLDER = book.ROOT / "tests/webgpu"
FLAGS = ["--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader", "--enable-features=Vulkan"]
SIZES = [1, 2, 1000]  # ソフトウェアの GPU は遅い
LARGE = 100_003  # 共有メモリのないカーネルは、大きくても早く終わる
LISTINGS = [
    l for l in book.listings() if not l.needs and not l.wrong and book.number(l.section) <= book.number("5.7")
]  # この先は、ブロックの間で待つので、ブラウザの GPU では言えない
KERNELS = FOLDER / "kernels.cu"
BUILD = (
    SETUP
    + """
console.log(JSON.stringify(jobs.map(({ file, text, tool, block, to }) => {
    try {
        fs.writeFileSync(to, compiler.program(file, text, tool, parts(tool), block));
        fs.writeFileSync(`${to}.json`, JSON.stringify(compiler.places ?? {}));
        return "";
    } catch (e) {
        return e.message;
    }
})));
"""
)


@pytest.fixture(scope="module")
def gpu(browser, pack, tmp_path_factory):
    """GPU を開いたページと、配るフォルダ"""
    folder = tmp_path_factory.mktemp("webgpu")
    header = (book.ROOT / "code/cpu/include/cpu/error.h").read_text(encoding="utf-8")
    bundle = runnable.esbuild(FOLDER / "page.js", f"--define:ERROR_HEADER={json.dumps(header, ensure_ascii=False)}")
    (folder / "page.js").write_text(bundle, encoding="utf-8")
    (folder / "index.html").write_text('<meta charset="utf-8"><script src="page.js"></script>', encoding="utf-8")
    server = web.serve(folder)
    flags = [flag for flag in pdf.FLAGS if flag != "--disable-gpu"] + FLAGS
    chromium = browser.browser_type.launch(executable_path=pdf.chromium(), args=flags)
    page = chromium.new_page()
    page.set_default_timeout(180_000)
    page.goto(f"http://127.0.0.1:{server.server_port}/index.html")
    width = page.evaluate("ready()")
    if isinstance(width, str):
        pytest.skip(f"Chromium から GPU が使えない: {width}")
    yield folder, width, lambda name, *args: page.evaluate("([url, args]) => run(url, args)", [name, list(args)])
    chromium.close()
    server.shutdown()


def built(pack, folder, jobs):
    """jobs を作る: できなかったわけの並び"""
    done = subprocess.run(
        ["node", "-e", BUILD, pack], input=json.dumps(jobs), capture_output=True, text=True, cwd=book.ROOT, timeout=600
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def job(folder, name, text, file, tool="gpu", block=None):
    return {"file": file, "text": text, "tool": tool, "block": block, "to": str(folder / f"{name}.wasm")}


def on_cpu(program, *args):
    node = """
const { Wasi } = require(process.argv[1] + "/code/cpu/wasm/wasi.js"), fs = require("fs");
const module = new WebAssembly.Module(fs.readFileSync(process.argv[2]));
new Wasi(["listing", ...process.argv.slice(3)], new Map(), (fd, bytes) => process.stdout.write(bytes)).start(module);
"""
    done = subprocess.run(["node", "-e", node, book.ROOT, program, *args], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_edited_kernels(gpu, pack):
    """言葉の書き方の 1 つずつ: 答えは CPU デバイスと同じである。断るものは、1 文と行を言う"""
    folder, _, run = gpu
    text = KERNELS.read_text(encoding="utf-8")
    file = KERNELS.relative_to(book.ROOT).as_posix()
    assert built(pack, folder, [job(folder, tool, text, file, tool) for tool in ("gpu", "run")]) == ["", ""]
    answers = dict(line.split(" ", 1) for line in on_cpu(folder / "run.wasm").splitlines())
    refused = {
        m[1]: (m[2], text[: m.start()].count("\n") + 1)
        for m in re.finditer(r"^EACH\((\w+).*// 断る: (.*)$", text, re.MULTILINE)
    }
    assert len(answers) > 100 and refused.keys() < answers.keys() and len(refused) >= 8
    for name, answer in answers.items():
        got = run("gpu.wasm", name)
        if name in refused:
            words, line = refused[name]
            assert words in got["told"] and re.fullmatch(r".*[^。]", got["told"]), (name, got)
            assert got.get("at") in (f"{file}:{line}", None), (name, got)
        else:
            assert got.get("out") == f"{name} {answer}\n", (name, answer, got)


def narrow(text, width):
    """32 レーンのワープの計算を、width レーンのものにする"""
    return re.sub(r"\b16\b", str(width // 2), re.sub(r"\b32\b", str(width), text))


def test_listings(gpu, pack):
    """どのリストも、GPU の合計が CPU と一致するか、言えないものを 1 文で断る。

    ワープの関数を使うリストは、この GPU のワープの幅に直して、1 ブロックを 1 つのワープにする
    """
    folder, width, run = gpu
    told = set()

    def judged(l, name, text, sizes, block=None):
        file = l.path.relative_to(book.ROOT).as_posix()
        [why] = built(pack, folder, [job(folder, name, text, file, "gpu", block)])
        if block and "BLOCK は" in why:  # 節のヘッダが、32 レーンに決めている
            return {"kind": "width"}
        assert not why, (name, why)
        for n in sizes:
            got = run(f"{name}.wasm", "--n", str(n))
            if "told" in got:
                return got
            assert got["code"] == 0 and "一致 ✅" in got["out"] and not got["err"], (name, n, got)
        return None

    for l in LISTINGS:
        name = f"{l.section}-{l.name}"
        got = judged(l, name, l.text, SIZES + [LARGE] * ("__shared__" not in l.text))
        if got and got.get("kind") in ("width", "block"):
            got = judged(l, f"{name}-narrow", narrow(l.text, width), SIZES[:3], width)
        if got:
            assert got.get("kind"), (name, got)
            told.add(got["kind"])
    assert told <= {"width", "block"}
