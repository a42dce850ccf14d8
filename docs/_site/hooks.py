"""サイトを作るときに MkDocs に足すもの: ページの順番、図、記録の表、節の一覧、用語の説明。

ページに書く目印は次の 5 つ。書き間違えるとビルドが止まる。
  ![図の説明](images/5.2-fold.svg)       images/ の SVG をページに埋め込む (1 行だけの段落に書く)
  <!-- player: 5.3-strided-8 -->        すぐ前の図を、images/traces/ の記録で動かせるようにする (player.py)
  <!-- measured: 5.1 atomic, 5.2 -->     docs/measured/ の記録を表にする (tables.py の同じ名前の関数)
  <!-- exercise: 5.3/3-sequential -->    make exercise が作る課題のカーネル (前に字下げがあれば、それに合わせる)
  <!-- sections -->                      節の一覧
"""
import html
import re
import subprocess
import sys
import textwrap
from pathlib import Path

from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File

sys.path.insert(0, str(Path(__file__).parent))
import glossary  # noqa: E402
import listings  # noqa: E402
import player  # noqa: E402
import tables  # noqa: E402
from listing import Listing, regions  # noqa: E402

ROOT = tables.ROOT
MARKERS = tables.MARKERS | player.MARKERS
natural = tables.natural


def on_config(config):
    if "polyfills" in config.extra:  # offline プラグインが足す、外の script の代わり
        config.extra["polyfills"] = ["assets/iframe-worker.js"]
    if config.repo_url:
        config.edit_uri = f"edit/{listings.BRANCH}/docs/"
    return config


def on_files(files, config):
    for svg in sorted((ROOT / "images").glob("*.svg")):
        files.append(File.generated(config, f"images/{svg.name}", abs_src_path=str(svg)))
    for listing in listings.files(config):
        files.append(listing)
    pages = [f.src_uri for f in files.documentation_pages() if f.inclusion.is_in_nav()]
    config.nav = sorted(pages, key=lambda p: (p != "index.md", p == "glossary.md", natural(p)))  # 用語集は最後
    return files


def on_page_markdown(markdown, page, config, files):
    def replace(m):
        name, value = m.group(1), m.group(2)
        if name in MARKERS:
            try:
                return MARKERS[name](*[v.strip() for v in value.split(",") if v.strip()])
            except (tables.Missing, TypeError) as e:
                raise PluginError(f"{page.file.src_uri}: {m.group(0)}: {e}")
        if name == "exercise":
            return textwrap.indent(exercise(value, page), m.group(0)[: m.group(0).index("<")])
        if name == "sections" and not value:
            return m.group(0)  # 全ページの題がそろう on_env で置き換える
        raise PluginError(f"{page.file.src_uri}: 知らない目印 {m.group(0)}: 使えるのは sections, exercise と {', '.join(MARKERS)}")

    return re.sub(r"(?m)(?:^[ \t]+(?=<!--\s*exercise:))?<!--\s*([^\s:]*):?\s*(.*?)\s*-->", replace, markdown)


def exercise(name, page):
    """課題のカーネル。切り出し方は make exercise と同じ cut.awk が決める"""
    listing = ROOT / f"code/{name}.cu"
    if not listing.is_file() or not Listing(listing).exercise:
        raise PluginError(f"{page.file.src_uri}: {name} という課題はない")
    cut = subprocess.run(["awk", "-f", ROOT / "code/exercise/cut.awk", listing], capture_output=True, check=True).stdout.decode()
    return f'```cuda title="work/{name}.cu"\n{regions(cut)["kernel"]}\n```\n'


def on_page_content(content, page, config, files):
    def figure(m):
        svg = files.get_file_from_path(f"images/{m.group(2)}")
        if svg is None:
            raise PluginError(f"{page.file.src_uri}: images/{m.group(2)} という図はない")
        drawing = re.sub(r"(var\(--fig-\w+), #\w+\)", r"\1)", svg.content_string)  # 予備の色は、SVG だけを開いたときのもの
        return f"<figure data-search-exclude>{drawing}<figcaption>{m.group(1)}</figcaption></figure>"

    content = re.sub(r'<p>\s*<img alt="([^"]+)" src="images/([^"]+\.svg)"\s*/?>\s*</p>', figure, content)
    try:
        content = player.into_figures(content)
    except tables.Missing as e:
        raise PluginError(f"{page.file.src_uri}: {e}")
    content = re.sub(r"<th([^>]*)></th>", r"<td\1></td>", content)  # 何もない見出しは、読み上げでは見出しにならない
    if 'src="images/' in content:
        raise PluginError(f"{page.file.src_uri}: 図は ![説明](images/名前.svg) だけの段落に書く")
    if m := re.search(r'<h\d id="([^"]*[^\x00-\x7f"][^"]*)"', content):
        raise PluginError(f"{page.file.src_uri}: 見出しに ASCII の id がない: {m.group(1)} に {{#id}} を付ける")
    try:
        content = listings.add(content, config)
    except tables.Missing as e:
        raise PluginError(f"{page.file.src_uri}: {e}")
    content = re.sub(r'<span class="[nw]">([^<]*)</span>', r"\1", content)  # コードの、色の付かない印。これで印は半分になる
    return "".join(s if s.startswith("<pre") else join_lines(s) for s in re.split(r"(<pre.*?</pre>)", content, flags=re.S))


def join_lines(text):
    """日本語の文の途中の改行を消す。残すと、ブラウザが空白を 1 つ入れる"""
    return re.sub(r"(?<=[^\x00-\x7f])\n(?=\S)|(?<=\S)\n(?=[^\x00-\x7f])", "", text)


def on_env(env, config, files):
    pages = [files.get_file_from_path(p).page for p in config.nav]
    glossary.on_env(pages)
    for here in pages:
        links = "".join(
            f'<li><a href="{p.file.url_relative_to(here.file)}">{p.title}</a><br>{html.escape(p.meta.get("description", ""))}</li>'
            for p in pages if not p.is_homepage)
        here.content = re.sub(r"<!--\s*sections\s*-->", f'<ul class="sections" data-search-exclude>{links}</ul>', here.content)
    return env


def on_post_build(config):
    glossary.on_post_build(config)
