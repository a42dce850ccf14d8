"""Markdown の拡張: 図、動く図、記録の表、課題、リストの帯、節の一覧、用語の説明。MkDocs には頼らない。

ページに書く目印は次の 6 つ。書き間違えるとビルドが止まる。
  ![図の説明](images/5.2-fold.svg)       images/ の SVG をページに埋め込む (1 行だけの段落に書く)
  <!-- player: 5.3-strided-8 -->        すぐ前の図を、images/traces/ の記録で動かせるようにする (player.py)
  <!-- measured: 5.1 atomic, 5.2 -->     docs/measured/ の記録を表にする (tables.py の同じ名前の関数)
  <!-- output: 5.3 -->                  docs/measured/ の実行結果を、装置ごとのタブにする
  <!-- exercise: 5.3/3-sequential -->    make exercise が作る課題のカーネル (前に字下げがあれば、それに合わせる)
  <!-- sections -->                      節の一覧
"""
import functools
import html
import re
import sys
import textwrap
from pathlib import Path

from click import ClickException
from markdown.extensions import Extension
from markdown.postprocessors import Postprocessor
from markdown.preprocessors import Preprocessor
from markdown.treeprocessors import Treeprocessor

sys.path.insert(0, str(Path(__file__).parent))
import glossary  # noqa: E402
import listings  # noqa: E402
import pages  # noqa: E402
import player  # noqa: E402
import tables  # noqa: E402
from records import ROOT, Missing  # noqa: E402

MARKERS = tables.MARKERS | player.MARKERS | {"exercise": listings.exercise, "output": listings.output}
SECTIONS = "<!-- sections -->"


class Stop(ClickException, SystemExit):
    """1 文を言って終わる。make serve は、文を出したまま、直すのを待つ"""


def told(run):
    """書き間違いを 1 文にする"""
    @functools.wraps(run)
    def inner(self, source):
        try:
            return run(self, source)
        except Missing as e:
            raise Stop(str(e))
    return inner


class Markers(Preprocessor):
    """目印を、表やコードに置き換える"""

    @told
    def run(self, lines):
        return re.sub(r"([ \t]*)(<!--\s*([^\s:]*):?\s*(.*?)\s*-->)", self.replace, "\n".join(lines)).split("\n")

    def replace(self, m):
        indent, marker, name, value = m.groups()
        if marker == SECTIONS:
            return m[0]  # 一覧の中に用語の印が付かないように、最後に置き換える
        if name not in MARKERS:
            raise Missing(f"知らない目印 {marker}: 使えるのは sections と {', '.join(MARKERS)}")
        try:
            return textwrap.indent(MARKERS[name](*[v.strip() for v in value.split(",") if v.strip()]), indent)
        except (Missing, TypeError) as e:
            raise Missing(f"{marker}: {e}")


class Figures(Treeprocessor):
    """画像だけの段落を、SVG を埋め込んだ図にする"""

    @told
    def run(self, root):
        for p in root.iter("p"):
            if len(p) == 1 and p[0].tag == "img" and p[0].get("src").startswith("images/") and not f'{p.text or ""}{p[0].tail or ""}'.strip():
                svg = ROOT / p[0].get("src")
                if not svg.is_file():
                    raise Missing(f"images/{svg.name} という図はない")
                drawing = re.sub(r"(var\(--fig-\w+), #\w+\)", r"\1)", svg.read_text(encoding="utf-8"))  # 予備の色は、SVG だけを開いたときのもの
                p.text = self.md.htmlStash.store(f'<figure data-search-exclude>{drawing}<figcaption>' f'{html.escape(p[0].get("alt"), quote=False)}</figcaption></figure>')
                p.remove(p[0])
        for img in root.iter("img"):
            if img.get("src").startswith("images/"):
                raise Missing(f'{img.get("src")}: 図は ![説明](images/名前.svg) だけの段落に書く')


class Finish(Postprocessor):
    """できた HTML に、図の記録、リストの帯、用語の説明を付け、日本語に合わせる"""

    def __init__(self, repo_url):
        self.repo_url = repo_url

    @told
    def run(self, text):
        text = player.into_figures(text)
        text = re.sub(r"<th([^>]*)></th>", r"<td\1></td>", text)  # 何もない見出しは、読み上げでは見出しにならない
        if m := re.search(r'<h\d id="([^"]*[^\x00-\x7f"][^"]*)"', text):
            raise Missing(f"見出しに ASCII の id がない: {m[1]} に {{#id}} を付ける")
        text = listings.add(text, self.repo_url)
        text = re.sub(r'<span class="[nw]">([^<]*)</span>', r"\1", text)  # コードの、色の付かない印。これで印は半分になる
        text = "".join(s if s.startswith("<pre") else join_lines(s) for s in re.split(r"(<pre.*?</pre>)", text, flags=re.S))
        return glossary.explain(text).replace(SECTIONS, pages.sections())


def join_lines(text):
    """日本語の文の途中の改行を消す。残すと、ブラウザが空白を 1 つ入れる"""
    return re.sub(r"(?<=[^\x00-\x7f])\n(?=\S)|(?<=\S)\n(?=[^\x00-\x7f])", "", text)


class Book(Extension):
    def __init__(self, **settings):
        self.config = {"repo_url": ["", "リポジトリの場所"]}
        super().__init__(**settings)

    def extendMarkdown(self, md):
        md.preprocessors.register(Markers(md), "book", 40)  # コードの囲みと取り込みより先
        md.treeprocessors.register(Figures(md), "book", 1)  # サイトを作る道具がリンクを直すより先
        md.postprocessors.register(Finish(self.getConfig("repo_url")), "book", -1)  # いちばん後


def makeExtension(**settings):
    return Book(**settings)
