"""作ったサイトを読む道具と、本物のブラウザで見る道具。fixture の browser と address は conftest.py にある。"""

import functools
import http.server
import shutil
import threading
from html.parser import HTMLParser

WIDTHS = [1280, 390]
SCHEMES = {"light": "default", "dark": "slate"}
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]


class Page(HTMLParser):
    """ページの id、リンク、読み込むもの、<pre><code> の文字"""

    def __init__(self, path):
        super().__init__()
        self.ids, self.links, self.loads, self.codes, self.missing_alt = [], [], [], [], []
        self.in_pre = self.in_code = 0
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        a = dict(attributes)
        if a.get("id"):
            self.ids.append(a["id"])
        if tag == "a" and a.get("href") is not None:
            self.links.append(a["href"])
        for name in ("src", "data", "poster"):
            if a.get(name) and tag in (
                "img",
                "script",
                "iframe",
                "source",
                "audio",
                "video",
                "embed",
                "object",
                "track",
            ):
                self.loads.append(a[name])
        if a.get("srcset"):
            self.loads += [part.split()[0] for part in a["srcset"].split(",")]
        if tag == "link" and a.get("rel") not in ("canonical", "prev", "next", "alternate"):
            self.loads.append(a["href"])
        if tag in ("image", "use") and (a.get("href") or a.get("xlink:href")):
            self.loads.append(a.get("href") or a["xlink:href"])
        if tag == "img" and not a.get("alt"):
            self.missing_alt.append(a.get("src"))
        self.in_pre += tag == "pre"
        if tag == "code" and self.in_pre:
            self.in_code += 1
            self.codes.append("")

    def handle_endtag(self, tag):
        self.in_pre -= tag == "pre"
        self.in_code -= tag == "code" and self.in_code > 0

    def handle_data(self, data):
        if self.in_code:
            self.codes[-1] += data


def chromium():
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


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
    return browser.new_context().new_page()


class Tab:
    """使い回すページを、開いたばかりと同じにして使い、起きた誤りを集める"""

    def __init__(self, browser, width, scheme):
        self.page = shared(browser)
        self.page.set_viewport_size({"width": width, "height": 900})
        self.page.emulate_media(media="null", color_scheme=scheme, reduced_motion="null")
        self.troubles = []
        self.listeners = {
            "console": lambda m: self.troubles.append(f"console: {m.text}") if m.type in ("error", "warning") else None,
            "pageerror": lambda e: self.troubles.append(f"pageerror: {e}"),
            "requestfailed": lambda r: self.troubles.append(f"失敗した要求: {r.url}"),
            "response": lambda r: self.troubles.append(f"{r.status}: {r.url}") if r.status >= 400 else None,
            "request": lambda r: (
                self.troubles.append(f"外への要求: {r.url}")
                if not r.url.startswith(("http://127.0.0.1:", "data:", "blob:"))
                else None
            ),
        }
        for event, listener in self.listeners.items():
            self.page.on(event, listener)

    def open(self, url, until="load"):
        self.page.goto(url, wait_until=until)
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


LONG = 180000  # ページの中のコンパイラが初めて働くときは、ほかのテストと並んで、ずっとかかることがある [ミリ秒]


class Desk:
    """書き換える机 (docs/_site/editor/): 欄、帯、判定"""

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

    def load(self):
        """初めて読み込む: ボタンに書いてある大きさ (MB)"""
        button = self.block.get_by_role("button", name="MBを読み込む")
        said = button.inner_text()
        button.click()
        self.verdict.filter(has_text="コンパイラの用意ができた").wait_for(timeout=LONG)
        return int(said.split()[0])

    def press(self, name):
        """押して、終わるまで待つ: 判定の文"""
        self.block.get_by_role("button", name=name).click()
        self.page.wait_for_function(
            "e => e.querySelector('.run [aria-disabled], .listing > [aria-disabled]') === null",
            arg=self.block.element_handle(),
            timeout=LONG,
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
            self.block.get_by_role("button", name=".cu を保存する").click()
        return download.value
