"""ページの中で動かす: どのリストも、make run と同じ答えを出す。ブラウザでは、押すまで何も読み込まず、止められる。"""

import gzip
import json
import re

import book
import pytest
from web import Tab, accessible, new_page, visit

LISTINGS = [l for l in book.listings() if not l.needs]
SIZES = [0, 1, 33, 1000, 65537]
HEAVY = 70 * 1024  # 1 つのリストの、gzip したバイト数
NODE = """
const { Wasi } = require(process.argv[1]), fs = require("fs");
const [wasm, ...runs] = JSON.parse(process.argv[2]);
const module = new WebAssembly.Module(fs.readFileSync(wasm));
console.log(JSON.stringify(runs.map((args) => {
    const text = ["", "", ""];
    const write = (fd, bytes) => (text[fd] += Buffer.from(bytes));
    const code = new Wasi(["listing", ...args], new Map(), write).start(module);
    return [code, text[1], text[2]];
})));
"""
TIMES = re.compile(r"_ms|device|_mib|gbs|repeat")


@pytest.fixture(scope="module")
def programs(editable):
    return {l.id: editable / f"assets/run/{l.section}/{l.name}.wasm" for l in LISTINGS}


def in_page(program, *runs):
    """WebAssembly のプログラムを、Node.js で動かす: [(終了コード, 出力, 誤り), …]"""
    command = ["node", "-e", NODE, str(book.ROOT / "code/cpu/wasm/wasi.js"), json.dumps([str(program), *runs])]
    return json.loads(book.succeeds(book.call(command)).stdout)


def facts(output):
    """報告のうち、計算機によらないもの。JSON を書かないリストなら、どの行も"""
    lines = [line for line in output.splitlines() if not line.startswith("装置")]
    rows = [json.loads(line) if line.startswith("{") else {"line": line} for line in lines]
    return [{k: v for k, v in row.items() if not TIMES.search(k)} for row in rows]


@pytest.mark.parametrize("listing", LISTINGS, ids=lambda l: l.id)
def test_same_as_make_run(programs, built, listing):
    """ブロックの大きさも選べる。部分和の数が変わるので、整数の入力で、CPU の合計と比べる"""
    inputs, sizes = (["uniform", "integers"], SIZES) if listing.sums else (["uniform"], SIZES[::2])
    runs = [["--n", ",".join(map(str, sizes)), "--input", i, "--json"] for i in inputs]
    sized = [["--block", b, "--n", "1000,65537", "--input", "integers", "--json"] for b in ("32", "1024")]
    sized *= listing.sums and not listing.wrong
    (_, options, _), *told = in_page(programs[listing.id], ["--options"], *runs, *sized)
    for args, (code, out, err) in zip(runs, told):
        expected = book.on_cores(1, [built[listing.id], *args])  # アトミック演算の順番も、ページの中と同じになる
        assert err == expected.stderr, args
        if listing.wrong:  # 割り込む所が違うので、誤り方も違う
            assert code == 1 and [r["n"] for r in facts(out)] == sizes
        else:
            assert [code, facts(out)] == [expected.returncode, facts(expected.stdout)], args
    for (_, block, *_), (code, out, err) in zip(sized, told[len(runs) :]):
        if f"|{block}" in options:
            assert (code, err, [r["agree"] for r in facts(out)]) == (0, "", [True, True]), block
        else:  # BLOCK を使わないリスト
            assert "BLOCK" not in listing.text
    size = len(gzip.compress(programs[listing.id].read_bytes(), 9))
    assert size <= HEAVY, f"{size} バイト"


def test_bad_values_are_one_sentence(programs):
    bad = [["--n", "x"], ["--n", "-1"], ["--input", "random"], ["--block", "7"]]
    for code, out, err in in_page(programs["5.3/3-sequential"], *bad):
        assert code == 2 and out == "" and re.search("[ぁ-ん]", err) and err.count("\n") == 1, err


# ---------------------------------------------------------------- ブラウザ
def press(page, name):
    page.locator(f'[data-run="{name}"]').click()
    return finished(page, name)


def finished(page, name):
    page.wait_for_function(
        "name => /終わった|止め|ない/.test("
        "document.querySelector(`[data-run='${name}'] + form [role=status]`)?.textContent)",
        arg=name,
    )
    return page.locator(f'[data-run-output="{name}"]').inner_text()


def loaded(page):
    names = page.evaluate("performance.getEntriesByType('resource').map(r => r.name)")
    return [name for name in names if re.search(r"/run/|press\.js|editor\.js", name)]


def test_press_and_press_again(browser, address, programs, built):
    with Tab(browser, 1280, "light") as tab:
        page = tab.open(f"{address}/5.3.html")
        assert loaded(page) == []  # 押すまで、何も読み込まない
        assert "要素数      : 1100003\n" in press(page, "5.3/sequential")
        form = page.locator('[data-run="5.3/sequential"] + form')
        form.get_by_label("N", exact=True).fill("1000")
        form.get_by_label("INPUT").select_option("integers")
        form.get_by_label("BLOCK").select_option("32")
        output = press(page, "5.3/sequential")
        integers = ["--n", "1000", "--input", "integers", "--json"]
        total = json.loads(book.call([built["5.3/3-sequential"], *integers]).stdout)
        assert f"GPU の合計  : {total['gpu']:.0f}\n" in output and "CPU の合計と一致 ✅" in output
        assert page.evaluate("location.hash") == "#run=5.3%2Fsequential&block=32&n=1000&input=integers"
        form.get_by_label("N", exact=True).fill("x")
        assert "N=x は整数ではない" in press(page, "5.3/sequential")
        accessible(page, form)
        assert tab.troubles == []


def test_address_and_stop(browser, address, programs):
    """アドレスで選んだもので動く。長いものは止められて、また動かせる"""
    with Tab(browser, 1280, "light") as tab:
        page = tab.open(f"{address}/5.3.html#run=5.3/sequential&n=100000000")
        form = page.locator('[data-run="5.3/sequential"] + form')
        form.get_by_role("status").filter(has_text="動かしている").wait_for()
        form.get_by_role("button", name="止める").click()
        form.get_by_role("status").filter(has_text="止めた").wait_for()
        assert page.evaluate("document.activeElement.dataset.run") == "5.3/sequential"  # 焦点は、押せるボタンに残る
        form.get_by_label("N", exact=True).fill("33")
        form.get_by_label("N", exact=True).press("Enter")
        page.wait_for_function(
            "() => document.querySelector('[data-run-output]').innerText.includes('要素数      : 33')"
        )
        assert tab.troubles == []


LONG = """globalThis.Worker = class extends Worker {
    set onmessage(hear) {
        const more = [...Array(300).keys()].map(k => `${k}\\n`).join("");
        const longer = (data) => ({ data: /要素数/.test(data.text) ? { ...data, text: more + data.text } : data });
        super.onmessage = ({ data }) => hear(longer(data));
    }
}"""


def test_long_output(browser, address, programs):
    """長い出力は、初めと終わりを見せて、間の行の数を言う。全部は、ファイルに保存できる"""
    page = new_page(browser, LONG)
    visit(page, f"{address}/5.2.html#run=5.2/reduction&n=60")
    form = page.locator('[data-run="5.2/reduction"] + form')
    form.get_by_role("status").filter(has_text="終わった").wait_for()
    shown = form.locator("pre").inner_text().splitlines()
    with page.expect_download() as download:
        form.get_by_role("button", name="出力を保存する").click()
    whole = download.value.path().read_text(encoding="utf-8").splitlines()
    left = int(re.match(r"以下 (\d+) 行は省いた", shown[180])[1])
    assert left > 100 and shown[:180] + shown[181:] == whole[:180] + whole[180 + left :] and len(shown) == 201
    assert "要素数      : 60" in shown and "290" in whole
    page.context.close()


@pytest.mark.parametrize("name", ["index", "5.0"])
def test_first_press(browser, address, programs, name):
    """初めの画面のボタン 1 つで、競合するものとしないものが並んで動く。手元で打つ命令も、その画面にある"""
    with Tab(browser, 1280, "light") as tab:
        page = tab.open(f"{address}/{name}.html")
        button, command = page.locator("[data-both]"), page.locator("code", has_text="make run CH=5.1").first
        for width, height in ((1280, 800), (390, 844)):
            page.set_viewport_size({"width": width, "height": height})
            for shown in (button, command):
                box = shown.bounding_box()
                assert 0 <= box["y"] and box["y"] + box["height"] <= height, box
        button.click()
        outputs = page.locator(".both .run pre")
        outputs.nth(1).get_by_text("CPU の合計と一致 ✅").wait_for()
        outputs.nth(0).get_by_text("5.1 race: CPU の合計と不一致 ❌").wait_for()
        assert "(わざと誤り: " in outputs.nth(0).inner_text()
        assert tab.troubles == []


def test_gpu_only_says_so(site, programs):
    for section in {l.section for l in book.listings() if l.gpu_only}:
        assert "GPUでだけ動くので、ページの中では動かない" in (site / f"{section}.html").read_text(encoding="utf-8")


def test_old_browser_is_told(browser, address, programs):
    with Tab(browser, 1280, "light") as tab:
        page = tab.open(f"{address}/5.3.html")
        page.evaluate("delete globalThis.Worker")
        page.locator('[data-run="5.3/sequential"]').click()
        page.get_by_text("このブラウザでは動かせない").wait_for()
        assert tab.troubles == []
