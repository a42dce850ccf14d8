"""動く図: 本物のブラウザで 1 コマずつ進め、見えている値を、記録から求めた値と比べる。

記録が今のリストの動きで、書く値が読んだ値の和であることは、test_figures.py が見る。ここでは、初めの値と合計を確かめる。
シャッフルは、誰が誰に渡すかと、その値も、ここで求める。
"""

import gzip
import json
import re
from types import SimpleNamespace

import book
import pytest
from web import WIDTHS, Tab, new_page, play, settle

DOCS = book.ROOT / "docs"
MARKER = re.compile(r'\.svg\)\{: play="(.*?)" \}')
PLAYERS = [
    SimpleNamespace(page=page.stem, k=k, names=names.split())
    for page in sorted(DOCS.glob("*.md"))
    for k, names in enumerate(MARKER.findall(page.read_text(encoding="utf-8")))
]
FIRST = next(p for p in PLAYERS if p.page == "5.2")
PAGES = sorted({p.page for p in PLAYERS})
BOUND = 30_000  # 押されたときに読み込むものを gzip した大きさ [バイト]。ページの全部の重さは test_browser.py が見る
DIGITS = [int(d) for d in "3141592653589793"]
PHONE = 844  # 電話の 1 画面の高さ
PARTS = {"読む": 1, "書く": 2, "アトミック演算": 2}  # 記録の行の中の場所


class Record:
    """記録から、段ごとの場所と行を取り出す"""

    def __init__(self, name):
        made = json.loads((book.ROOT / f"images/traces/{name}.json").read_text(encoding="utf-8"))
        self.walk = "walk" in made  # 1 つの配列を、どの順に読むか
        self.n, self.block, self.threads = (
            made["arrays"][0][2] if self.walk else int(re.search(r" N=(\d+)", made["command"])[1]),
            made["block"],
            made["threads"],
        )
        self.listing = book.Listing(book.ROOT / made["listing"])
        self.arrays = {array: (space, length) for array, space, length in made["arrays"]}
        self.source = book.regions(self.listing.text)["kernel"].splitlines()
        self.barriers = {(launch, step): line for launch, _, step, line in made["barriers"]}
        self.fences = {(launch, step): line for launch, _, step, line in made.get("fences", [])}
        self.atomics = {(launch, step) for launch, _, step in made.get("atomics", [])}
        self.steps = {}
        for launch, _, step, *row in made["rows"]:
            self.steps.setdefault((launch, step), []).append(row)
        self.lanes = any("lane" in read for rows in self.steps.values() for _, read, _, _ in rows)
        self.small = self.lanes or max(self.threads, *(length for _, length in self.arrays.values())) <= 16
        if self.lanes:  # ワープの合計がレーン 0 に集まる所まで
            self.steps = dict(list(self.steps.items())[: self.block.bit_length() - 1])

    def frames(self):
        """(段, すること, 見えるはずの値, 働くスレッド, 行)"""
        start = [DIGITS[i % len(DIGITS)] for i in range(self.n)]
        if self.lanes:
            yield from self.lane_frames(start)
            return
        source = next((a for a, (space, length) in self.arrays.items() if space == "global" and length == self.n), "")
        given = {f"{source}/{i}": value for i, value in enumerate(start if source else [])}
        now = given | dict(self.read_first())
        assert not self.listing.sums or now | given == now, "初めの値"
        yield None, None, dict(now), set(), []
        keys = list(self.steps)
        for k, key in enumerate(keys):
            rows = self.steps[key]
            lines = sorted({line for *_, at in rows for line in at})
            if readers := {thread for thread, read, _, _ in rows if read}:
                yield k, "読む", dict(now), readers, lines
            after = dict(cell for row in rows for cell in self.cells(row, 2))
            now |= after
            if after:
                writers = {thread for thread, _, write, _ in rows if write}
                yield k, "アトミック演算" if key in self.atomics else "書く", dict(now), writers, lines
            if key in self.barriers or (k + 1 < len(keys) and keys[k + 1][0] != key[0]):
                yield k, "待つ", dict(now), set(), [self.barriers[key]] if key in self.barriers else []
            elif key in self.fences:
                yield k, "フェンス", dict(now), set(), [self.fences[key]]
        if self.walk:
            read = [i for rows in self.steps.values() for _, read, _, _ in rows for [[i, _]] in read.values()]
            assert sorted(read) == list(range(self.n)), "どの要素も、ちょうど 1 度ずつ読む"
        elif self.listing.wrong:
            assert now[max(after)] < sum(start), "競合では、合計に足りない"
        elif self.threads == self.block and self.listing.sums:
            assert now[max(after)] == sum(start if source else DIGITS[: self.block])

    def cells(self, row, part):
        return [(f"{array}/{i}", value) for array, cells in row[part].items() for i, value in cells]

    def read_first(self):
        """書かれる前に読まれる場所と、その値"""
        written = set()
        for rows in self.steps.values():
            yield from (cell for row in rows for cell in self.cells(row, 1) if cell[0] not in written)
            written |= {cell for row in rows for cell, _ in self.cells(row, 2)}

    def lane_frames(self, v):
        """シャッフル。値には、使われる和のために渡した値も入れる: くれるレーン>受け取るレーン"""
        registers = lambda: {f"v/{lane}": value for lane, value in enumerate(v)}
        assert len(v) == self.block == self.threads
        yield None, None, registers(), set(), []
        for k, rows in enumerate(self.steps.values()):
            stride, busy = self.block >> (k + 1), {lane for lane, *_ in rows}
            lines = sorted({line for *_, at in rows for line in at if "__shfl_down_sync" in self.source[line]})
            assert busy == set(range(self.block)) and len(lines) == 1
            yield (
                k,
                "受け取る",
                registers() | {f"{lane + stride}>{lane}": v[lane + stride] for lane in range(stride)},
                busy,
                lines,
            )
            v = [v[lane] + v[lane + stride if lane + stride < self.block else lane] for lane in range(self.block)]
            yield k, "足す", registers(), busy, lines
        assert v[0] == sum(DIGITS[i % len(DIGITS)] for i in range(self.n))


LOOK = """root => {
    const all = (selector, name) => [...root.querySelectorAll(selector)].map(e => e.dataset[name]);
    return {
        text: root.querySelector('.player__text').textContent,
        cost: root.querySelector('.player__cost').textContent,
        values: Object.fromEntries([...root.querySelectorAll('[data-value], [data-given]')].map(e =>
            [e.dataset.value || e.dataset.given, +e.textContent])),
        front: all('[data-thread][fill*="--fig-front"]', 'thread').map(Number),
        back: all('[data-thread][fill*="--fig-back"]', 'thread').map(Number),
        banks: Object.fromEntries([...root.querySelectorAll('[data-cell]')].map(e =>
            [e.dataset.cell, +e.dataset.bank])),
        busy: all('[data-busy]', 'thread').map(Number),
        touched: all('[data-cell][data-who]', 'cell'),
        queue: all('[data-queue]', 'queue'),
        times: +(all('[data-times]', 'times')[0] || 0),
        waits: root.querySelectorAll('[data-wait]').length,
        lines: [...root.querySelectorAll('.player__line--now')].map(e => e.textContent),
        code: [...root.querySelectorAll('.player__line')].map(e => e.textContent),
    };
}"""


def opened(tab, address, player):
    """ページを開き、図を動かす"""
    return started(tab.open(f"{address}/{player.page}.html"), player)


def started(page, player):
    """図を動かし、止めて、最初のコマにする"""
    figure = page.locator("figure[data-play]").nth(player.k)
    figure.get_by_role("button", name="動かす").click()
    root = figure.locator(".player")
    root.press("Home")
    return root


def walk(root, record):
    """最後まで 1 コマずつ進め、どのコマも Python と同じであることを確かめる。最後のコマを返す"""
    for at, ((step, act, values, busy, lines), cost) in enumerate(zip(record.frames(), costs(record))):
        if at:
            root.page.keyboard.press("ArrowRight")
        seen = root.evaluate(LOOK)
        counted = [int(n) for n in re.findall(r"\d+", seen["cost"])]
        assert counted == [at, *cost][: len(counted)] and len(counted) >= 2, seen["cost"]
        assert seen["text"].startswith(f"段 {step + 1} / {len(record.steps)} {act}: " if act else "始まり: "), seen[
            "text"
        ]
        if record.small:
            assert seen["values"] == {cell: pytest.approx(value, abs=0.0051) for cell, value in values.items()}, seen[
                "text"
            ]
        assert set(seen["busy"]) == busy, seen["text"]
        part = PARTS.get(act)
        rows = list(record.steps.values())[step] if part else []
        touched = [(array, i) for row in rows for array, cells in row[part].items() for i, _ in cells]
        if not record.small:
            assert set(seen["touched"]) == {f"{array}/{i}" for array, i in touched}, seen["text"]
        if record.walk and act:
            assert f"命令が触れるのは、{len({i // 8 for _, i in touched})}セクタである。" in seen["text"]
        assert seen["waits"] == (act in ("待つ", "フェンス"))
        assert len(seen["lines"]) == len(lines)
        for shown, line in zip(seen["lines"], lines):
            same_line(shown, record.source[line])
        if record.lanes and act:
            stride = record.block >> (step + 1)
            assert set(seen["front"]) == set(range(stride)), "緑は、和を使うレーン"
            assert set(seen["back"]) == (set(range(stride, 2 * stride)) if act == "受け取る" else set()), (
                "橙は、値をくれるレーン"
            )
            if act == "受け取る":
                before, given = values["v/0"], values[f"{stride}>0"]
                assert f"レーン0は、{stride}だけ後ろのレーン{stride}から {given} を受け取る。" in seen["text"]
            else:
                assert f"レーン0は {before} + {given} = {values['v/0']}。" in seen["text"]
                assert (f"使うのは緑の{stride}レーンの和だけである。" in seen["text"]) == (stride > 1)
        assert bool(seen["banks"]) != record.lanes, "レジスタにバンクはない"
        for cell, bank in seen["banks"].items():
            assert bank == int(cell.split("/")[1]) % 32
        if seen["queue"]:
            assert max(map(seen["queue"].count, seen["queue"])) == seen["times"]
            assert seen["times"] == 1 or f"{seen['times']}回に分かれる" in seen["text"]
    assert root.get_by_role("button", name="1コマ進む").is_disabled()
    assert ("これが合計である。" in seen["text"]) == (
        record.listing.sums and not record.listing.wrong and not record.walk
    )
    return seen


def costs(record):
    """コマごとの、ここまでの合計: 働いたワープ (かブロック) と、共有メモリを通った回数 (読む順なら、触れたセクタ)"""
    warps = passes = 0
    for step, act, _, busy, _ in record.frames():
        part, orders = PARTS.get(act), {}  # 1 つのワープの 1 つの命令が触れる番号
        warps += len(busy) if record.fences else len({thread // 32 for thread in busy})
        for row in list(record.steps.values())[step] if part else []:
            slots = [(array, i) for array, cells in row[part].items() for i, _ in cells]
            for slot, (array, i) in enumerate(slots):
                if record.walk or record.arrays[array][0] == "shared":
                    place = i // 8 * 32 if record.walk else i  # セクタごとに並ぶ
                    orders.setdefault((row[0] // 32, slot, array), set()).add(place)
        passes += sum(max(sum(i % 32 == bank for i in places) for bank in range(32)) for places in orders.values())
        yield warps, passes


def same_line(shown, line):
    """見えている行は、リストの行から注釈を除いたもの"""
    assert line.startswith(shown) and re.fullmatch(r"\s*(//.*)?", line[len(shown) :]), (shown, line)


@pytest.mark.parametrize("name", PAGES)
def test_every_frame(browser, address, name):
    """開いたページの、どの図の、どの記録も"""
    with Tab(browser, 1280, "light") as tab:
        page = tab.open(f"{address}/{name}.html")
        for player in (p for p in PLAYERS if p.page == name):
            root = started(page, player)
            for which, known in enumerate(player.names):
                print(known)  # 失敗したときに見える
                if which:
                    root.locator(".player__choice button").nth(which).click()
                    root.press("Home")
                record = Record(known)
                seen = walk(root, record)
                for shown, line in zip(
                    seen["code"], filter(lambda line: line.split("//")[0].strip(), record.source), strict=True
                ):
                    same_line(shown, line)
        assert tab.troubles == []


def test_back_and_forth(browser, address):
    """戻ると、同じコマがそのまま見える。つまみも同じ"""
    with Tab(browser, 1280, "light") as tab:
        root = opened(tab, address, FIRST)
        seen = [root.evaluate(LOOK)]
        while root.get_by_role("button", name="1コマ進む").is_enabled():
            root.get_by_role("button", name="1コマ進む").click()
            seen.append(root.evaluate(LOOK))
        for at in range(len(seen) - 2, -1, -1):
            root.get_by_role("button", name="1コマ戻る").click()
            assert root.evaluate(LOOK) == seen[at]
        assert root.get_by_role("button", name="1コマ戻る").is_disabled()
        for at in range(len(seen)):
            root.get_by_role("slider", name="コマ").evaluate(
                "(bar, at) => { bar.value = at; bar.dispatchEvent(new Event('input')) }", at
            )
            assert root.evaluate(LOOK) == seen[at]


def text(root):
    return root.locator(".player__text").text_content()


def changes(root, old):
    root.page.wait_for_function("old => document.querySelector('.player__text').textContent !== old", arg=old)


def test_keyboard(browser, address):
    with Tab(browser, 1280, "light") as tab:
        root = opened(tab, address, FIRST)
        page = tab.page
        assert root.evaluate("root => root === document.activeElement || root.contains(document.activeElement)")
        start = text(root)
        for key, head in (
            ("ArrowRight", "段 1 "),
            ("ArrowRight", "段 1 "),
            ("End", f"段 {len(Record(FIRST.names[0]).steps)} "),
            ("Home", "始まり"),
            ("ArrowRight", "段 1 "),
            ("ArrowLeft", "始まり"),
        ):
            old = text(root)
            page.keyboard.press(key)
            assert text(root) != old and text(root).startswith(head), key
        assert text(root) == start
        root.get_by_role("slider").focus()
        page.keyboard.press("ArrowRight")
        assert root.get_by_role("slider").input_value() == "1"
        page.keyboard.press("Space")
        root.get_by_role("button", name="止める").wait_for()
        page.keyboard.press("Space")
        root.get_by_role("button", name="1コマ進む").focus()
        page.keyboard.press("Space")
        assert root.get_by_role("slider").input_value() == "2" and root.get_by_role("button", name="再生").count()
        while root.get_by_role("button", name="1コマ進む").is_enabled():
            page.keyboard.press("Enter")
        page.keyboard.press("ArrowLeft")  # ボタンが押せなくなっても、キーは効く
        assert root.get_by_role("button", name="1コマ進む").is_enabled()
        root.get_by_role("button", name="図に戻す").click()
        assert not root.is_visible() and page.evaluate("document.activeElement.className") == "player__open"
        page.keyboard.press("Enter")
        root.get_by_role("combobox", name="追う").focus()
        for _ in range(2):
            page.keyboard.press("Escape")  # 1 度目は、開いた欄を閉じることがある
        assert not root.is_visible()
        assert page.evaluate("document.activeElement.classList.contains('player__open')")


def test_play(browser, address):
    """再生すると進み、最後で止まる。速くもなる。再生の間は読み上げない"""
    with Tab(browser, 1280, "light") as tab:
        page = tab.open(f"{address}/{FIRST.page}.html")
        figure = page.locator("figure[data-play]").nth(FIRST.k)
        figure.get_by_role("button", name="動かす").click()
        root = figure.locator(".player")
        live = lambda: root.locator(".player__text").get_attribute("aria-live")
        assert live() == "off"
        changes(root, text(root))
        assert page.evaluate("document.getAnimations().length") > 0
        root.get_by_role("button", name="速さ").click()
        assert root.get_by_role("button", name="速さ 2倍").text_content() == "2×"
        root.press("End")
        assert live() == "polite"
        root.press("ArrowLeft")
        root.get_by_role("button", name="再生").click()
        changes(root, text(root))
        root.get_by_role("button", name="再生").wait_for()
        assert root.get_by_role("button", name="1コマ進む").is_disabled() and live() == "polite"


def test_reduced_motion(browser, address):
    """動きを減らす設定では、ひとりでに進まず、何も動かず、1 コマずつ進められる"""
    with Tab(browser, 1280, "light") as tab:
        tab.page.emulate_media(reduced_motion="reduce")
        root = opened(tab, address, FIRST)
        assert (
            not root.get_by_role("button", name="再生").count()
            and not root.get_by_role("button", name="止める").count()
        )
        start = text(root)
        root.get_by_role("slider").press("Space")
        tab.page.wait_for_timeout(2500)
        assert text(root) == start
        root.get_by_role("button", name="1コマ進む").click()
        assert text(root) != start and tab.page.evaluate("document.getAnimations().length") == 0
        root.press("Home")
        walk(root, Record(FIRST.names[0]))


# 図ごとに、動かない図、説明、動かすボタン、動く図が見えるか
VISIBLE = """() => [...new Set([...document.querySelectorAll('figure[data-play]')].map(figure =>
    [':scope > svg', ':scope > figcaption', '.player__open', '.player'].map(selector => {
        const e = figure.querySelector(selector);
        return Number(!!e && e.getClientRects().length > 0 && e.checkVisibility({ visibilityProperty: true }));
    }).join('')))]"""
STILL, READY, PLAYING = ["1100"], ["1110"], ["0001"]


def test_without_script(browser, address):
    """スクリプトがないときは、動かない図だけが見える"""
    page = new_page(browser, java_script_enabled=False)
    for name in PAGES:
        page.goto(f"{address}/{name}.html")
        assert page.locator(".player__open").count() == 0 and page.evaluate(VISIBLE) == STILL
    page.context.close()


# 電話での、図の高さと、光る行が見えているかと、絵の字の大きさ
ON_PHONE = """() => [...document.querySelectorAll('.player')].map(root => {
    const box = root.querySelector('.player__code').getBoundingClientRect();
    const lit = root.querySelector('.player__line--now')?.getBoundingClientRect();
    return [root.offsetHeight, !lit || lit.top >= box.top - 1 && lit.bottom <= box.bottom + 1,
        Math.min(...[...root.querySelectorAll('.player__stage text')].map(t =>
            parseFloat(getComputedStyle(t).fontSize) * t.getScreenCTM().a))];
})"""


@pytest.mark.parametrize("name", PAGES)
def test_all_figures_of_a_page(browser, address, name):
    """紙の上では、動かない図だけが見える。絵、文、操作、コードは、電話の 1 画面に入る

    光る行は見えていて、絵の字は 12 px より小さくない。ほかの見え方は、test_browser.py が動かして見る
    """
    with Tab(browser, WIDTHS[1], "light") as tab:
        page = tab.open(f"{address}/{name}.html")
        for visible in (READY, PLAYING):
            assert page.evaluate(VISIBLE) == visible
            page.emulate_media(media="print")
            assert page.evaluate(VISIBLE) == STILL
            page.emulate_media(media="screen")
            play(page)
        for keys in (["Home", *["ArrowRight"] * 4], ["End"]):
            play(page, *keys)
            page.set_viewport_size({"width": WIDTHS[1], "height": PHONE})
            settle(page)
            for height, lit, size in page.evaluate(ON_PHONE):
                assert height <= PHONE and lit and size > 11.95, (name, height, lit, size)
        assert tab.troubles == []


def test_size(site):
    assert len(gzip.compress((site / "assets/press.js").read_bytes())) < BOUND


# ---------------------------------------------------------------- 追う
def test_one_thread_is_followed(browser, address):
    """箱を押しても、欄で選んでも、1 つのスレッドだけが濃く、文もそのスレッドのことになる"""
    player = next(p for p in PLAYERS if p.names[0] == "5.3-interleaved-8")
    with Tab(browser, 1280, "light") as tab:
        root = opened(tab, address, player)
        root.press("ArrowRight")
        bright = "root => [...root.querySelectorAll('[data-who]:not(.player__other)')].map(e => +e.dataset.who)"
        assert set(root.evaluate(bright)) == set(range(8))
        root.locator('[data-thread="3"]').click()
        assert root.evaluate(bright) == [3] and root.locator(".player__followed").get_attribute("data-thread") == "3"
        assert text(root) == f"段 1 / 5 読む: スレッド3は、x_dev[0][3]の {DIGITS[3]} を読む。"
        assert root.get_by_role("combobox", name="追う").input_value() == "3"
        root.press("ArrowRight")
        assert text(root) == f"段 1 / 5 書く: スレッド3は、smem[3]を {DIGITS[3]} にする。"
        root.press("ArrowRight")
        assert "スレッド3も待つ" in text(root)
        root.press("ArrowRight")
        assert "スレッド3は、休む。" in text(root)  # 2 段目で働くのは偶数だけ
        root.locator('[data-thread="3"]').click()
        assert set(root.evaluate(bright)) == {0, 2, 4, 6} and "スレッド0、2、4、6" in text(root)
        root.get_by_role("combobox", name="追う").select_option("2")
        assert root.evaluate(bright) == [2, 2] and "smem[2]の 4 とsmem[3]の 1 を読む" in text(root)
