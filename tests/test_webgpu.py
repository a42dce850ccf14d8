"""ブラウザの GPU: カーネルを WGSL に直して、Chromium のソフトウェアの GPU で動かす。

答えは CPU デバイスと同じか、1 文で断るかである。違う答えは、1 つもない。
"""

import json
import re
import shutil

import book
import pdf
import pytest
import runnable
import tables
import values
import web
from engine import told
from exercise import GRADED

FOLDER = book.ROOT / "tests/webgpu"
FLAGS = ["--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader", "--enable-features=Vulkan"]
SIZES = [1, 2, 1000]  # ソフトウェアの GPU は遅い
LARGE = 100_003  # 共有メモリのないカーネルは、大きくても早く終わる
LISTINGS = [l for l in book.listings() if runnable.on_gpu(l)]
THIRDS = next(l for l in GRADED if l.id == "5.2/exercises/2-thirds")
THIRDS_ANSWER = book.regions(THIRDS.text)["kernel"]
KERNELS = FOLDER / "kernels.cu"
BUILD = """
console.log(JSON.stringify(jobs.map(({ file, text, block, to }) => {
    try {
        if (!to) return execute(made({ file, text, tool: "run" }), ["kernels"])[1];
        fs.writeFileSync(to, compiler.program(file, text, "gpu", parts("gpu"), block));
        return "";
    } catch (e) {
        return e.message;
    }
})));
"""


@pytest.fixture(scope="module")
def chromium(browser):
    """GPU の使えるブラウザ"""
    flags = [flag for flag in pdf.FLAGS if flag != "--disable-gpu"] + FLAGS
    chromium = browser.browser_type.launch(executable_path=pdf.chromium(), args=flags)
    yield chromium
    chromium.close()


@pytest.fixture(scope="module")
def gpu(chromium, pack, tmp_path_factory):
    """配るフォルダ、ワープの幅、GPU を開いたページで動かす関数"""
    folder = tmp_path_factory.mktemp("webgpu")
    header = (book.ROOT / "code/cpu/include/cpu/error.h").read_text(encoding="utf-8")
    bundle = runnable.esbuild(FOLDER / "page.js", f"--define:ERROR_HEADER={json.dumps(header, ensure_ascii=False)}")
    (folder / "page.js").write_text(bundle, encoding="utf-8")
    (folder / "index.html").write_text('<meta charset="utf-8"><script src="page.js"></script>', encoding="utf-8")
    server = web.serve(folder)
    page = web.new_page(chromium)
    page.goto(f"http://127.0.0.1:{server.server_port}/index.html")
    width = page.evaluate("ready()")
    if isinstance(width, str):
        pytest.skip(f"Chromium から GPU が使えない: {width}")
    yield folder, width, lambda name, *args, **how: page.evaluate("given => run(...given)", [name, list(args), how])
    server.shutdown()


def built(pack, jobs):
    """jobs を GPU のために作る: できなかったわけの並び。to のないものは、CPU デバイスで動かした出力"""
    return json.loads(told(pack, BUILD, jobs))


def job(folder, name, text, file, block=None):
    return {"file": file, "text": text, "block": block, "to": str(folder / f"{name}.wasm")}


def test_edited_kernels(gpu, pack):
    """言葉の書き方の 1 つずつ: 答えは CPU デバイスと同じである。断るものは、1 文と行を言う"""
    folder, width, run = gpu
    text = KERNELS.read_text(encoding="utf-8")
    file = KERNELS.relative_to(book.ROOT).as_posix()
    why, ran = built(pack, [job(folder, "gpu", text, file), {"file": file, "text": text}])
    assert why == ""
    answers = dict(line.split(" ", 1) for line in ran.splitlines())
    refused = {
        m[1]: (m[2], text[: m.start()].count("\n") + 1)
        for m in re.finditer(r"^(?:EACH|WARP)\((\w+).*// 断る: (.*)$", text, re.MULTILINE)
    }
    assert (
        answers.keys() == set(re.findall(r"^(?:EACH|WARP|ADD)\((\w+)", text, re.MULTILINE))
        and refused.keys() < answers.keys()
        and len(refused) >= 8
    )
    for name, answer in answers.items():
        got = run("gpu.wasm", name)
        if got.get("kind") == "width":
            assert name.startswith("warp_") and width != 32, (name, got)
        elif name in refused:
            words, line = refused[name]
            assert words in got["text"] and re.fullmatch(r".*[^。]", got["text"]), (name, got)
            assert got.get("line") == line, (name, got)
        else:
            assert got.get("out") == f"{name} {answer}\n", (name, answer, got)


def narrow(text, width):
    """32 レーンのワープの計算を、width レーンのものにする"""
    return re.sub(r"\b16\b", str(width // 2), re.sub(r"\b32\b", str(width), text))


def wide(listing):
    """取り込むヘッダが、32 レーンに決めている"""
    headers = [book.ROOT / "code" / listing.section / name for name in re.findall(r'#include "(.+)"', listing.text)]
    return any("% 32" in path.read_text(encoding="utf-8") for path in headers if path.exists())


def test_listings(gpu, pack, site):
    """ボタンのあるリストと課題の答えは、GPU の答えが CPU と一致するか、言えないものを 1 文で断る。

    ワープの関数を使うものは、この GPU のワープの幅に直して、1 ブロックを 1 つのワープにする
    """
    folder, width, run = gpu

    def program(l, block=None):
        return f"{l.section}-{l.name}-{block}.wasm"

    def made(listings, block=None):
        texts = [narrow(l.text, width) if block else l.text for l in listings]
        files = [l.path.relative_to(book.ROOT).as_posix() for l in listings]
        jobs = [job(folder, program(l, block)[:-5], t, f, block) for l, t, f in zip(listings, texts, files)]
        return zip(listings, built(pack, jobs))

    def judged(l, sizes, *more, block=None):
        for n in sizes:
            got = run(program(l, block), *more, "--n", str(n))
            if "text" in got:
                assert got.get("kind"), (l.id, got)
                return got["kind"]
            assert got["code"] == 0 and "一致 ✅" in got["out"] and not got["err"], (l.id, n, got)
        return None

    for l in LISTINGS:
        shutil.copy(site / f"assets/run/{l.section}/{l.name}.gpu.wasm", folder / program(l))
    answers = [l for l in GRADED if runnable.on_gpu(l)]
    assert [why for _, why in made(answers) if why] == []
    refused = {}
    for l in LISTINGS + answers:
        why = judged(l, SIZES + [LARGE] * ("__shared__" not in l.text and l in LISTINGS))
        if why == "block":
            why = judged(l, SIZES, "--block", "256")
        if why:
            refused[l] = why
    assert set(refused.values()) <= {"width"}, {l.id: why for l, why in refused.items() if why != "width"}
    for l, why in made([l for l in refused if not wide(l)], width):
        if "BLOCK は" not in why:  # ヘッダの取り込むヘッダも、32 レーンに決めていることがある
            assert not why, (l.id, why)
            assert judged(l, SIZES, block=width) is None, l.id


@pytest.mark.parametrize(
    "name, args, fault, words",
    [
        ("in-place", ["--block", "32", "--n", str(2 * 32 * 65535 + 100)], None, "一致 ✅"),
        ("reduction", ["--n", "1000"], "lost", "GPU が応えなくなった"),
        ("reduction", ["--n", "1000"], "small", "GPU のメモリが足りない"),
    ],
)
def test_limits(gpu, site, name, args, fault, words):
    """多すぎるブロックは、何行かに並べる。GPU を失うか、メモリが足りなければ、1 文で断る"""
    folder, _, run = gpu
    shutil.copy(site / f"assets/run/5.2/{name}.gpu.wasm", folder / f"{fault}.wasm")
    got = run(f"{fault}.wasm", *args, fault=fault)
    assert words in (got["text"] if fault else got["out"])


# ---------------------------------------------------------------- ページ
NAME = "5.2/reduction"


@pytest.fixture
def opened(chromium, gpu, address):
    """5.2 のページと、その誤り。速さは 1024 個で測る (ソフトウェアの GPU は遅い)"""
    page, troubles = web.new_page(chromium, "globalThis.bookMany = 1024"), []
    web.listen(page, troubles, ("http://127.0.0.1:", "data:", "blob:"))
    page.goto(f"{address}/5.2.html#run={NAME}&n=1000")
    status(page).filter(has_text="終わった").wait_for()
    yield page
    assert troubles == []
    page.context.close()


def bar(page):
    return page.locator(".listing", has=page.locator(f'[data-run="{NAME}"]'))


def status(page):
    return bar(page).locator("form").get_by_role("status")


def press(page):
    """「自分のGPUで」を押して、終わるまで待つ: 終わりの文"""
    bar(page).get_by_role("button", name="自分のGPUで").click()
    for now in ("", "!"):  # 始まるのを待ち、終わるのを待つ
        page.wait_for_function(f"e => {now}e.querySelector('[aria-disabled]')", arg=bar(page).element_handle())
    return status(page).inner_text()


def test_press(opened, measured):
    """確かめてから、GPU で動かし、速さを測って覚える。保存したものは、記録の 1 つの装置になる"""
    fetched = "performance.getEntriesByType('resource').filter(r => /gpu/.test(r.name)).length"
    assert opened.evaluate(fetched) == 0  # 押すまで、何も読み込まない
    assert press(opened) == "終わった"
    assert opened.evaluate(fetched) == 2
    checked, ran = bar(opened).locator("form pre").inner_text().split("自分の GPU (WebGPU) で\n")
    assert "装置        : CPU デバイス" in checked and "CPU の合計と一致 ✅" in checked
    assert ran.startswith(f"{NAME.replace('/', ' ')}: CPU の合計と一致 ✅") and "CPU デバイス" not in ran
    assert re.search(r"時間 \(N=1024、続けて \d+ 回を 11 度測った中央値。.*\):\n  GPU : [\d.]+ ms  \(.* GB/s", ran)
    row = json.loads(opened.evaluate("localStorage['book ladder']"))[0]
    assert row["agree"] and row["n"] == 1024 and 0 < row["kernel_ms"] and 0 < row["read_ms"]
    shown = bar(opened).locator("tbody tr").inner_text().split("\t")
    assert shown[:3] == ["5.2 reduction", "1024", f"{row['kernel_ms']:.4f} ms"]
    with opened.expect_download() as download:
        bar(opened).get_by_role("button", name="階段を保存する").click()
    (measured / "mine").mkdir()
    saved = json.loads(download.value.path().read_text(encoding="utf-8"))
    assert saved == row
    (measured / "mine/times.jsonl").write_text(json.dumps(row | {"n": 1 << 24}), encoding="utf-8")
    table = tables.measured("5.2 reduction")
    assert f"<th>{row['device']}</th>" in table and f"<td>{values.digits(row['kernel_ms'])} ms</td>" in table
    assert f"{row['device']}、<code>自分のGPUで</code>" in table


def test_edited_in_page(opened, site):
    """誤りのあるものは、GPU に渡さない。言えないものは、1 文と行で断る"""
    desk = web.Desk(opened, NAME).start()
    desk.load()
    text = desk.box.inner_text()
    for mine, words in (("out[0] = in[i];", "❌ 競合"), ("out[i] = float(double(in[i]) * 3 / 3);", "double の計算は")):
        assert "out[i] = in[i];" in text
        desk.box.fill(text.replace("out[i] = in[i];", mine))
        press(opened)
        assert words in desk.verdict.inner_text()
        assert "WebGPU" not in bar(opened).locator("form pre").inner_text()
    assert re.search(r"double の計算は、.*: float で書く \(\d+ 行目\)", status(opened).inner_text())

    # 課題も、判定が通ってから、GPU で動かす。書く前に押しても、GPU には渡さない
    opened.set_default_timeout(120_000)  # 判定は、いくつものブロックの大きさで検査する
    name = f"{THIRDS.section}/{THIRDS.name}"
    given = opened.locator(".listing", has=opened.locator(f'[data-exercise="{name}"]'))
    given.get_by_role("button", name="自分のGPUで").click()
    desk = web.Desk(opened, name, "exercise")
    desk.wait()
    desk.press("自分のGPUで")
    assert "TODO が残っている" in desk.verdict.inner_text() and "WebGPU" not in given.inner_text()
    desk.box.fill("\n".join(l for l in THIRDS_ANSWER.splitlines() if not re.match(r" *//-", l)))
    desk.press("自分のGPUで")
    given.get_by_role("status").filter(has_text=re.compile("^終わった$|断|ブラウザ")).last.wait_for()
    assert "✅" in desk.verdict.inner_text()
    ran = r"自分の GPU \(WebGPU\) で\n.*thirds: CPU の答えと一致 ✅[^!]*\n  GPU : [\d.]+ ms"
    assert re.search(ran, given.inner_text())


def test_stop_and_hide(opened):
    """長いものは止められる。測っている間に隠れたら、時間は捨てる"""
    opened.evaluate("bookMany = 1 << 22")
    bar(opened).get_by_role("button", name="自分のGPUで").click()
    status(opened).filter(has_text="時間を測っている").wait_for()
    bar(opened).get_by_role("button", name="止める").click()
    status(opened).filter(has_text="止めた").wait_for()
    opened.evaluate("bookMany = 1024")
    bar(opened).get_by_role("button", name="自分のGPUで").click()
    status(opened).filter(has_text="時間を測っている").wait_for()
    opened.evaluate("dispatchEvent(new Event('visibilitychange'))")
    status(opened).filter(has_text="ページが隠れた").wait_for()


def test_no_gpu(browser, address, site):
    """GPU の使えないブラウザでは、使えるものを言う"""
    with web.Tab(browser, 1280, "light") as tab:
        page = tab.open(f"{address}/5.2.html")
        bar(page).get_by_role("button", name="自分のGPUで").click()
        status(page).filter(has_text="このブラウザから GPU は使えない: 新しい Chrome、Edge、Safari、Firefox").wait_for()
        assert [t for t in tab.troubles if "No available adapters" not in t] == []
