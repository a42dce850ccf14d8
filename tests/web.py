"""作ったサイトを読む道具と、本物のブラウザで見る道具。fixture の browser と address は conftest.py にある。"""

import functools
import http.server
import threading
from pathlib import Path

import pdf
import pytest

PLACE, REPOSITORY = "https://example.org/book/", "https://github.com/reader/book"  # Material が、星の数を聞きに行く形
FLAGS = [*pdf.FLAGS, "--js-flags=--liftoff-only"]  # コンパイラの全部を最適化する手間は、テストには要らない
WIDTHS = [1280, 390]
SCHEMES = {"light": "default", "dark": "slate"}


def parsed(path):
    return pytest.importorskip("lxml.html").fromstring(path.read_bytes().decode())


class Page:
    """ページの id、リンク、読み込むもの、<pre><code> の文字"""

    def __init__(self, path):
        find = parsed(path).xpath
        self.ids, self.links, self.missing_alt = find("//@id"), find("//a/@href"), find("//img[not(string(@alt))]/@src")
        self.loads = find("//*[name() != 'a']/@src | //object/@data | //@poster")
        self.loads += find("//*[self::image or self::use]/@*[contains(name(), 'href')]")
        self.loads += [part.split()[0] for images in find("//@srcset") for part in images.split(",")]
        self.loads += find("//link[not(contains('canonical prev next alternate', @rel))]/@href")
        self.codes = ["".join(code.itertext()) for code in find("//pre//code")]


def serve(folder):
    """フォルダを、この計算機の中だけに配る"""

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


@functools.cache
def shared(browser):
    """使い回すページ

    新しいページは、開くたびに Chromium のプロセスを起こすので、同じページを開き直すより 3 倍ほどかかる
    """
    return new_page(browser)


def new_page(browser, script=None, **how):
    """新しいページ。ページの中のコンパイラが初めて働くときは、ほかのテストと並んで、ずっとかかることがある"""
    context = browser.new_context(**how)
    context.set_default_timeout(180_000)
    if script:
        context.add_init_script(script)
    return context.new_page()


def forget_compiler(page):
    """読み込んだコンパイラを捨てる。残っていると、欄を開くだけで、コンパイラが働き始める。読んだ見出しは残す"""
    page.evaluate("""async () => {
        const kept = await caches.open('book-compiler'), all = await kept.keys();
        await Promise.all(all.map(file => file.url.includes('.gz?') && kept.delete(file)));
    }""")


def visit(page, url):
    """開いて、少しずつ並べる塊 (book.js) を、並べ終えるまで待つ。混んでいると、読み終えた後も続く"""
    page.goto(url)
    lazy = "e => getComputedStyle(e).contentVisibility === 'auto'"
    page.wait_for_function(f"() => ![...document.querySelectorAll('.md-content__inner > *')].some({lazy})")


def settle(page):
    """少しずつ変わる色を、変わり終えたものにする。幅が変われば、それを見て動くもの (ResizeObserver) も待つ"""
    page.evaluate("() => new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
    page.evaluate("() => document.getAnimations().forEach(a => a.effect.getTiming().iterations < 9 && a.finish())")


def until(page, true):
    """true() になるまで待つ"""
    for _ in range(600):
        if true():
            return
        page.wait_for_timeout(100)
    raise AssertionError("1 分待っても、そうならない")


def play(page, *keys):
    """ページの図を全部動かし、どれでもキーを押す"""
    page.evaluate(
        "document.querySelectorAll('figure:not(:has(.player)) > .player__open').forEach(button => button.click())"
    )
    page.wait_for_function("() => document.querySelectorAll('figure[data-play]:not(:has(.player))').length === 0")
    page.evaluate(
        """keys => document.querySelectorAll('.player').forEach(root =>
        keys.forEach(key => root.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))))""",
        keys,
    )


AXE = Path(__file__).parent / "node_modules/axe-core/axe.min.js"
RUN_AXE = """async ([inside, only]) => (await axe.run(inside ?? document, {resultTypes: ['violations'], ...only}))
    .violations.flatMap(v => v.nodes.map(n => `${v.id}: ${n.target}: ${n.failureSummary.replace(/\\s+/g, ' ')}`))"""


def violations(page, inside=None, **only):
    """axe-core が inside の中 (なければ、ページの全部) に見つけた違反"""
    if not AXE.is_file():
        pytest.skip("axe-core がない (make setup で入る)")
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text(encoding="utf-8"))
    return page.evaluate(RUN_AXE, [inside, only])


def accessible(page, block):
    """axe の違反はなく、どちらの配色でも、狭くてもよい"""
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        page.locator(".md-header__option label:visible").click()
        settle(page)
        assert violations(page, block.element_handle()) == []
    page.set_viewport_size({"width": 1280, "height": 900})


# 折り畳みもタブも開く。隠れたままだと幅が分からない
OPEN = """() => {
    document.querySelectorAll('details').forEach(d => d.open = true);
    document.head.insertAdjacentHTML('beforeend', '<style>.tabbed-block { display: block !important }</style>');
}"""


# 画面を 1 度に高くすると、描く手間が、高さの 2 乗で増える
LOOK_DOWN = """async () => {
    for (let y = 0; y < document.documentElement.scrollHeight; y += innerHeight) {
        scrollTo(0, y);
        await new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn)));
    }
    scrollTo(0, 0);
}"""


def unfold(page):
    """畳んだものを開き、下まで見ていく。コードの「写す」は、見える所まで来てから付く"""
    page.evaluate(OPEN)
    size = page.viewport_size
    page.set_viewport_size({**size, "height": 3000})
    page.evaluate(LOOK_DOWN)
    page.set_viewport_size(size)
    settle(page)


# 検索の Worker に直接たずねる。search.js は Worker に渡る言葉を直すので、検索の箱に打つのと同じことになる
ASK = """async ({words, separator}) => {
    const config = JSON.parse(document.getElementById("__config").textContent);
    const index = await (await fetch(`${config.base}/search/search_index.json`)).json();
    if (separator) index.config.separator = separator;
    const worker = new Worker(config.search);
    const ask = message => new Promise(done => { worker.onmessage = e => done(e.data); worker.postMessage(message) });
    await ask({type: 0, data: {...index, options: {suggest: false}}});
    const found = {};
    for (const word of words)
        found[word] = (await ask({type: 2, data: word})).data.items.map(page => page[0].location.split("#")[0]);
    worker.terminate();
    return found;
}"""


def ask(browser, address, words, separator=None, without=None):
    """{言葉: 見つかったページを上から}"""
    with Tab(browser, 1280, "light") as tab:
        if without:
            tab.page.route(f"**/{without}", lambda route: route.fulfill(body=""))
        tab.page.goto(f"{address}/index.html")  # search.js を止めると、book.js も動かない
        found = tab.page.evaluate(ASK, {"words": list(words), "separator": separator})
        assert tab.troubles == []  # 探せない言葉があると、Worker は、何も見つからなかったと答え、コンソールに書く
        return found


def listen(page, troubles, inside):
    """起きた誤りと、inside で始まらないものへの要求を、troubles に集める

    次のページへ移って取り消された要求は、誤りではない
    """
    listeners = {
        "console": lambda m: troubles.append(f"console: {m.text}") if m.type in ("error", "warning") else None,
        "pageerror": lambda e: troubles.append(f"pageerror: {e}"),
        "requestfailed": lambda r: (
            troubles.append(f"失敗した要求: {r.url}") if r.failure != "net::ERR_ABORTED" else None
        ),
        "response": lambda r: troubles.append(f"{r.status}: {r.url}") if r.status >= 400 else None,
        "request": lambda r: troubles.append(f"外への要求: {r.url}") if not r.url.startswith(inside) else None,
    }
    for event, listener in listeners.items():
        page.on(event, listener)
    return listeners


class Tab:
    """使い回すページを、開いたばかりと同じにして使い、起きた誤りを集める"""

    def __init__(self, browser, width, scheme):
        self.page = shared(browser)
        self.page.set_viewport_size({"width": width, "height": 900})
        self.page.emulate_media(media="null", color_scheme=scheme, reduced_motion="null")
        self.troubles = []
        self.listeners = listen(self.page, self.troubles, ("http://127.0.0.1:", "file:", "data:", "blob:", "about:"))

    def open(self, url, quiet=False):
        """quiet なら、読み終えてから、通信が止まるまで待つ。混んでいると、通信は、読み終える前にも止まる"""
        visit(self.page, url)
        if quiet:
            self.page.wait_for_load_state("networkidle")
        return self.page

    def __enter__(self):
        return self

    def __exit__(self, failed, *_):
        for event, listener in self.listeners.items():
            self.page.remove_listener(event, listener)
        if failed:
            shared.cache_clear()
            self.page.context.close()
            return
        self.page.evaluate("() => { localStorage.clear(); sessionStorage.clear() }")
        self.page.unroute_all()
        self.page.mouse.move(0, 0)
        self.page.goto("about:blank")


class Desk:
    """書き換える机 (docs/_site/script/): 欄、帯、判定"""

    def __init__(self, page, name, kind="edit"):
        self.page, self.kind, self.name = page, kind, name
        self.open = page.locator(f'[data-{kind}="{name}"]')
        self.block = page.locator(".highlight", has=self.open)

    def start(self):
        self.page.evaluate(
            "e => { const tab = e.closest('.tabbed-block'); if (tab) tab.parentElement.previousElementSibling"
            ".children[[...tab.parentElement.children].indexOf(tab)].click() }",
            self.open.element_handle(),
        )
        self.open.click()
        self.wait()
        return self

    def wait(self):
        self.field = self.page.locator(f'[data-run-source="{self.name}"]').last
        self.field.wait_for()
        self.block = self.page.locator(".highlight", has=self.field)
        self.verdict = self.block.locator("[data-run-verdict]")
        self.box = self.field.get_by_role("textbox")

    def load(self, told="コンパイラの用意ができた"):
        """初めて読み込む: ボタンに書いてある大きさ (MB)。読み込むと told と言う"""
        button = self.block.get_by_role("button", name="MBを読み込む")
        said = button.inner_text()
        button.click()
        self.block.locator(".edit__gate:empty").wait_for(state="attached")
        self.verdict.filter(has_text=told).wait_for()
        return int(said.split()[0])

    def ready(self):
        """コンパイラの用意ができるまで待つ。前のテストが読み込んだものが残っていれば、押さなくても始まる"""
        ask = self.block.get_by_role("button", name="MBを読み込む")
        ready = self.verdict.filter(has_text="コンパイラの用意ができた")
        ask.or_(ready).first.wait_for()
        if ask.count():
            ask.click()
        ready.wait_for()

    def press(self, name):
        """押して、終わるまで待つ: 判定の文"""
        self.block.get_by_role("button", name=name).press("Enter")  # 行の高さが測り直されて、押す間に動くことがある
        self.page.wait_for_function(
            "e => e.querySelector('.run [aria-disabled], .listing > [aria-disabled]') === null",
            arg=self.block.element_handle(),
        )
        return self.verdict.inner_text()

    def run(self):
        return self.press("▶")

    def line(self, text):
        """text のある行の終わりに、カーソルを置く"""
        self.field.locator(".cm-line", has_text=text).first.click()
        self.page.keyboard.press("End")

    def saved(self):
        with self.page.expect_download() as download:
            self.block.get_by_role("button", name=".cu を保存する").press("Enter")
        return download.value
