"""ページの中で書き換えたものを、数える、たどる。

数は make count の表と、動く図は make trace の読み書きから Python で求めたものと比べる。
比べる相手は、保存した .cu である。
"""

import json
import re

import book
import pytest
from web import Desk, Tab, accessible

OPS = {"read": "読む", "write": "書く", "atomic": "アトミック"}
ROW = re.compile(r" *(\d+)  (読む|書く|アトミック) +(.*?) +(\d+) +([\d.]+) +(\d+) +([\d.]+|-) +(\d+|-) +(\d+|-)")


pytestmark = pytest.mark.usefixtures("editable")


@pytest.fixture(scope="module")
def native(copy):
    """保存した .cu を、写しの同じ名前のリストにして、make で数えるか、たどる"""
    root = copy(runtime=True)

    def run(tool, desk, *args):
        section, name = desk.name.split("/")
        (listing,) = (l for l in book.listings() if (l.section, l.name) == (section, name))
        desk.saved().save_as(root / listing.path.relative_to(book.ROOT))
        return book.succeeds(book.make(tool, f"CH={section}", f"EX={name}", *args, root=root, timeout=600)).stdout

    return run


def opened(tab, address, name):
    page = tab.open(f"{address}/{name.split('/')[0]}.html")
    desk = Desk(page, name).start()
    desk.ready()
    return page, desk


def replace(desk, before, after):
    """before のある行を、after に替える"""
    desk.line(before)
    desk.page.keyboard.press("Shift+Home")
    desk.page.keyboard.insert_text(after)


# ---------------------------------------------------------------- 数える
def counted(desk):
    """下の表の行"""
    rows = desk.block.locator(".count tbody tr").all()
    return sorted([cell.inner_text() for cell in row.locator("th, td").all()] for row in rows)


def printed(output):
    """make count が書く表の行"""
    return sorted(list(m.groups()) for m in map(ROW.fullmatch, output.splitlines()) if m)


def beside(desk):
    """行の横の値: [(コード、文、目立つか)]"""
    return desk.field.evaluate(
        "e => [...e.querySelectorAll('.beside > span')].map(s => ["
        "s.closest('.cm-line').firstChild.parentElement.innerText.split('\\n')[0], s.textContent, s.className])"
    )


def test_count(browser, address, native):
    """表は make count と同じで、コードの横の値もその表のもの。書き換えて数え直すと、変わる

    変わった行の印は、欄にはなく、印の意味の文も出ない。キーだけで、数えて、たどれる。配列の外に触れるものは、数えない
    """
    with Tab(browser, 1280, "light") as tab:
        page, desk = tab.open(f"{address}/5.3.html"), Desk(tab.page, "5.3/strided")
        marks = (desk.block.locator(".listing__new"), desk.block.locator("ins.row").first)
        assert all(mark.is_visible() for mark in marks)
        desk.start()
        desk.ready()
        assert not any(mark.is_visible() for mark in marks)
        assert desk.press("数える").startswith("数えた (BLOCK=256 N=1100003 INPUT=uniform)")
        rows = printed(native("count", desk, "N=1100003", "BLOCK=256"))
        assert rows and counted(desk) == rows
        (worst,) = [row for row in rows if row[1:3] == ["書く", "smem"] and int(row[7]) > 0]
        shown = {text: mark for _, text, mark in beside(desk)}
        assert shown.pop(f"書く smem 要求 {worst[3]} 競合 {worst[7]}") == "beside__bad"
        for row in rows:
            cost = f"セクタ/要求 {row[6]}" if row[6] != "-" else f"競合 {row[7]}"
            shown.pop(f"{row[1]} {row[2]} 要求 {row[3]} {cost}", None)
        assert shown == {}

        assert desk.press("たどる").startswith("たどった ")
        desk.block.locator(".player").wait_for()
        assert page.evaluate("document.activeElement.closest('.player') !== null")
        page.keyboard.press(" ")  # 止める
        accessible(page, desk.block)
        page.set_viewport_size({"width": 390, "height": 900})
        line = desk.field.locator(".cm-line", has=page.locator(".beside__bad")).first
        box, note = line.bounding_box(), line.locator(".beside__bad").first.bounding_box()
        assert box["x"] <= note["x"] and note["x"] + note["width"] <= box["x"] + box["width"] + 1
        page.set_viewport_size({"width": 1280, "height": 900})

        replace(desk, "smem[tid] = i < n", "smem[tid] = i < n ? in[i] + 0 * in[i - i % 8] : 0;")
        assert beside(desk) == []  # 書き換える前の値は、残さない
        desk.block.get_by_label("N", exact=True).first.fill("65537")
        desk.block.locator(".run__fields").first.get_by_label("BLOCK").select_option("32")
        desk.press("数える")
        changed = printed(native("count", desk, "N=65537", "BLOCK=32"))
        assert changed != rows and counted(desk) == changed
        desk.block.locator(".count tbody button").first.press("Enter")
        assert "smem[tid] =" in page.evaluate("getSelection().focusNode.parentElement.closest('.cm-line').innerText")

        replace(desk, "if (tid == 0)", "out[1 << 20] = smem[0];")
        assert desk.press("数える").startswith("❌ 配列の外: ")
        assert beside(desk) == []
        assert tab.troubles == []


# ---------------------------------------------------------------- たどる
def expected(trace, block=0):
    """1 つのブロックのコマ: (言葉、働くスレッド、そのブロックがそれまでに書いた値)"""
    frames, memory = [("始まり", set(), {})], {}
    epochs, launch = [[]], 0
    for e in trace["events"]:
        if e["block"] == block:
            if e["launch"] != launch:
                epochs[-1].append("待つ")
                epochs.append([])
            launch = e["launch"]
            epochs[-1].append("待つ" if e["op"] == "barrier" else e)
            if e["op"] == "barrier":
                epochs.append([])
    for epoch in epochs:
        events = [e for e in epoch if e != "待つ"]
        if not events:
            continue
        for op in ("read", "write"):
            if who := {e["thread"] for e in events if e["op"] == op}:
                if op == "write":
                    memory |= {f"{e['array']}/{e['index']}": e["value"] for e in events if e["op"] == op}
                frames.append((OPS[op], who, dict(memory)))
        if "待つ" in epoch:
            frames.append(("待つ", set(), dict(memory)))
    return frames


def played(desk):
    """動く図のコマ: (文、働くスレッド、見えている値)"""
    player = desk.block.locator(".player")
    player.press("Home")
    frames = []
    while True:
        values = player.evaluate(
            "e => Object.fromEntries("
            "[...e.querySelectorAll('[data-value]')].map(v => [v.dataset.value, v.textContent]))"
        )
        busy = player.locator("[data-busy]").evaluate_all("all => all.map(e => +e.dataset.thread)")
        frames.append((player.locator(".player__text").inner_text(), set(busy), values))
        if player.get_by_role("button", name="1コマ進む").is_disabled():
            return frames
        player.press("ArrowRight")


def same(frames, trace, block=0):
    wanted = expected(trace, block)
    assert len(frames) == len(wanted)
    for (text, busy, values), (word, who, memory) in zip(frames, wanted):
        assert word in text and busy == who, text
        assert {cell: values.get(cell) for cell in memory} == {cell: str(value) for cell, value in memory.items()}, text


def test_trace(browser, address, native):
    """図は、ブロックごとに make trace の読み書きと同じ。書き換えると、書き換えたものになる。記録の図は、そのまま"""
    with Tab(browser, 1280, "light") as tab:
        page, desk = opened(tab, address, "5.3/sequential")
        recorded = page.locator("figure[data-play]").count()
        assert desk.press("たどる").startswith("たどった (N=16 INPUT=integers BLOCK=8)")
        given = ["N=16", "BLOCK=8", "INPUT=integers"]
        trace = json.loads(native("trace", desk, *given))
        same(played(desk), trace)
        desk.block.get_by_role("button", name="ブロック 1").press("Enter")
        same(played(desk), trace, block=1)

        replace(desk, "smem[tid] +=", "if (tid < stride) smem[tid] = 2 * smem[tid] + smem[tid + stride];")
        desk.block.get_by_label("たどる N").fill("13")
        desk.block.get_by_label("たどる N").press("Enter")
        desk.verdict.filter(has_text="たどった (N=13").wait_for()
        edited = json.loads(native("trace", desk, "N=13", *given[1:]))
        desk.block.locator(".player").wait_for()
        same(played(desk), edited)
        assert desk.block.locator(".player__line--now").inner_text() == "    if (tid == 0) out[blockIdx.x] = smem[0];"

        desk.block.locator(".player").press("Escape")
        assert desk.block.locator(".player").count() == 0
        assert page.evaluate("document.activeElement.textContent") == "たどる"
        assert page.locator("figure[data-play]").count() == recorded

        # 見せられないものは、理由を 1 文で言う。待たずに読むものは、その行を言う
        for name, value in (("N", "0"), ("N", "9999"), ("BLOCK", "x")):
            before = desk.block.get_by_label(f"たどる {name}").input_value()
            desk.block.get_by_label(f"たどる {name}").fill(value)
            desk.press("たどる")
            said = desk.block.locator(".run__status").inner_text()
            assert said == f"たどる {name} は 1 以上 1024 以下の整数にする"
            desk.block.get_by_label(f"たどる {name}").fill(before)
        desk.block.get_by_label("たどる N").fill("100")
        assert "ブロックは 13 個ある。図は、初めの 4 個である" in desk.press("たどる")
        desk.box.fill("__global__ void sumBlocks(const float* in, float* out, int n) {\n    out[0] += in[0];\n}")
        last = desk.field.locator(".cm-lineNumbers .cm-gutterElement:visible").last.inner_text()
        assert f"\n{int(last) - 1} 行目は、待たずに、ほかのスレッドが書いた値を読む" in desk.press("たどる")
        desk.box.fill("__global__ void sumBlocks(const float* in, float* out, int n) {}")
        assert desk.press("たどる") == "カーネルがメモリに触れないので、動く図はない"
        assert desk.block.locator(".player").count() == 0
        assert tab.troubles == []


def test_trace_of_a_warp(browser, address):
    """BLOCK が 32 の倍数のリストは、1 つのワープにする。シャッフルは、レーンの図になる"""
    with Tab(browser, 1280, "light") as tab:
        _, desk = opened(tab, address, "5.7/grid-stride")
        said = desk.press("たどる")
        assert said.startswith("たどった (N=64 INPUT=integers BLOCK=32)") and "メモリに書く前まで" in said
        assert "どのレーンも、値を1個レジスタに持つ" in played(desk)[0][0]
        assert tab.troubles == []
