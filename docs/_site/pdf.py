"""作ったサイトを 1 冊の PDF にする: pdf.py サイトのフォルダ 書き出す PDF

ページ番号は、刷ってみないと決まらない。1 度刷ってリンクの先のページを読み、目次と答えの番号に入れて、刷り直す。
"""

import re
import shutil
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "measured"))
import edition
import pages

HERE = Path(__file__).parent
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]


def chromium():
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


def compose(page, site, numbers=None):
    """開いたページの中身を、1 冊に置き換える"""
    page.emulate_media(media="print", color_scheme="light")
    page.goto((site / "index.html").absolute().as_uri())
    setting = lambda name: re.search(rf"(?m)^{name}: (.*)$", (pages.ROOT / "mkdocs.yml").read_text(encoding="utf-8"))[1]
    page.evaluate(
        (HERE / "pdf.js").read_text(encoding="utf-8"),
        {
            "title": setting("site_name"),
            "edition": "第{edition}版 ({released})".format(**edition.facts()),
            "description": setting("site_description"),
            "copyright": setting("copyright"),
            "pages": [
                {"name": p.stem, "html": (site / f"{p.stem}.html").read_text(encoding="utf-8")} for p in pages.ordered()
            ],
            "numbers": numbers or {},
        },
    )


def numbers_in(pdf):
    """{リンクの先の id: ページ番号}"""
    import pikepdf

    with pikepdf.open(pdf) as printed:
        number = {page.objgen: k for k, page in enumerate(printed.pages, 1)}
        return {name.lstrip("/"): number[to[0].objgen] for name, to in printed.Root.Dests.items()}


def pack(part, pdf):
    """刷ったままの PDF は、読み上げのための印が 1 つずつ別の物なので、大きい。まとめて縮める"""
    import pikepdf

    with pikepdf.open(part) as printed:
        printed.save(pdf, object_stream_mode=pikepdf.ObjectStreamMode.generate, recompress_flate=True)
    part.unlink()


def write(browser, site, pdf):
    page = browser.new_page()
    part, numbers = pdf.with_suffix(".part"), {}
    for _ in range(4):
        compose(page, site, numbers)
        page.pdf(
            path=part, prefer_css_page_size=True, print_background=True, outline=bool(numbers), tagged=bool(numbers)
        )  # しおりと、読み上げのための印は 2 度目から
        before, numbers = numbers, numbers_in(part)
        if numbers == before:
            page.close()
            pack(part, pdf)
            return
    part.unlink()
    sys.exit("ページ番号が決まらない: 刷るたびに変わる所が docs/assets/print.css にないかを確かめる")


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
            sys.exit(
                "PDF を作るブラウザ (Chromium) が動かない: apt-get install chromium か .venv/bin/playwright "
                "install chromium で入れてから、もう一度 make pdf"
            )
        write(browser, Path(site), Path(pdf))
        browser.close()
    print(pdf)


if __name__ == "__main__":
    main(*sys.argv[1:])
