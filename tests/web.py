"""サイトを本物のブラウザで見る道具。fixture の browser と address は conftest.py にある。"""
import functools
import http.server
import shutil
import threading

WIDTHS = [1280, 390]
SCHEMES = {"light": "default", "dark": "slate"}
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]


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


class Tab:
    """ページを 1 枚開き、起きた誤りを集める"""

    def __init__(self, browser, width, scheme):
        self.context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
        self.page = self.context.new_page()
        self.troubles = []
        self.page.on("console", lambda m: self.troubles.append(f"console: {m.text}") if m.type in ("error", "warning") else None)
        self.page.on("pageerror", lambda e: self.troubles.append(f"pageerror: {e}"))
        self.page.on("requestfailed", lambda r: self.troubles.append(f"失敗した要求: {r.url}"))
        self.page.on("response", lambda r: self.troubles.append(f"{r.status}: {r.url}") if r.status >= 400 else None)
        self.page.on("request", lambda r: self.troubles.append(f"外への要求: {r.url}") if not r.url.startswith(("http://127.0.0.1:", "data:", "blob:")) else None)

    def open(self, url, until="load"):
        self.page.goto(url, wait_until=until)
        return self.page

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.context.close()
