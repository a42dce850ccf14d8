"""作ったサイトを 1 冊の PDF にする: pdf.py サイトのフォルダ 書き出す PDF"""

import io
import shutil
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "measured"))
import edition
import pages

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]


def chromium():
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


def compose(page, site):
    """開いたページの中身を、1 冊に置き換える"""
    page.emulate_media(media="print", color_scheme="light")
    page.goto((site / "index.html").absolute().as_uri())
    made = [{"name": p.stem, "html": (site / f"{p.stem}.html").read_text(encoding="utf-8")} for p in pages.ordered()]
    said = "第{edition}版 ({released})".format(**edition.facts())
    script = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")
    page.evaluate(script, {"edition": said, "pages": made})


def write(browser, site, pdf):
    import pikepdf

    page = browser.new_page()
    compose(page, site)
    printed = page.pdf(prefer_css_page_size=True, print_background=True, outline=True, tagged=True)
    page.close()
    # 刷ったままの PDF は、読み上げのための印が 1 つずつ別の物なので、大きい。まとめて縮める
    with pikepdf.open(io.BytesIO(printed)) as book:
        book.save(pdf, object_stream_mode=pikepdf.ObjectStreamMode.generate, recompress_flate=True)


def main(site, pdf):
    try:
        import pikepdf  # noqa: F401
        from playwright.sync_api import Error, sync_playwright
    except ImportError:
        sys.exit("PDF を作る playwright か pikepdf がない: PYTHON を付けずに make pdf とする")
    with sync_playwright() as playwright:
        try:
            browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        except Error:
            how = "apt-get install chromium か .venv/bin/playwright install chromium で入れてから、もう一度 make pdf"
            sys.exit(f"PDF を作るブラウザ (Chromium) が動かない: {how}")
        write(browser, Path(site), Path(pdf))
        browser.close()
    print(pdf)


if __name__ == "__main__":
    main(*sys.argv[1:])
