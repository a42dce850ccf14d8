"""Markdown の拡張 (markers.py) にはできないこと: どれもページの中身ではなく、MkDocs のサイト全体のこと。"""

import json
import re
import sys
from pathlib import Path

from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File

sys.path.insert(0, str(Path(__file__).parent))
import edition
import glossary
import listings
import pages
import runnable


def on_config(config):
    config.nav = [p.name for p in pages.ordered()]  # MkDocs の並べ方では 5.10 が 5.9 より前に来る
    if config.repo_url:
        config.edit_uri = f"edit/{listings.BRANCH}/docs/"  # 場所が分からないときに書くと、行き先のないリンクになる
    if "polyfills" in config.extra:  # offline プラグインが足す、外の script の代わり
        config.extra["polyfills"] = ["assets/iframe-worker.js"]


def on_files(files, config):
    """リストのファイル、ページの中で動くプログラム、書庫、ノートブックは docs/ の外にあるので、配るものに足す"""
    for path, content in [*listings.files(), *runnable.files(), *edition.downloads().items()]:
        files.append(File.generated(config, path, content=content))


def on_post_page(output, page, config):
    """テーマの HTML の字下げを消す。コードの中はそのまま。動く図のないページは、図を動かす部品を読み込まない"""
    if 'class="player-data"' not in output:
        output = re.sub(r'<(script src|link rel="stylesheet" href)="[^"]*assets/player[^"]*">(</script>)?', "", output)
    parts = re.split(r"(<pre.*?</pre>|<script.*?</script>)", output, flags=re.S)
    return "".join(p if p.startswith(("<pre", "<script")) else re.sub(r"\n\s+", "\n", p) for p in parts)


def lighter(file):
    """自分の CSS と JavaScript の、注釈と字下げを消す。行は残すので、ブラウザの言う行の番号は変わらない"""
    text = file.read_text(encoding="utf-8")
    if file.suffix == ".css":
        text = re.sub(r"/\*.*?\*/", lambda m: "\n" * m[0].count("\n"), text, flags=re.S)
    file.write_text(re.sub(r"(?m)^[ \t]*(?://.*)?", "", text), encoding="utf-8")


def on_post_build(config):
    for file in Path(config.site_dir, "assets").glob("*.*s"):
        lighter(file)
    tag(config)


def tag(config):
    """検索: 用語集の言葉を、それを説明している見出しのタグにする。その言葉が出てくるだけの所より、前に並ぶ"""
    file = Path(config.site_dir, "search/search_index.json")
    index, explained = json.loads(file.read_text(encoding="utf-8")), glossary.explained()
    for section in index["docs"]:
        if section["location"] in explained:
            section["tags"] = explained.pop(section["location"])
    if explained:
        raise PluginError(
            f"glossary.md: {'、'.join(explained)} という見出しはない: 説明しているページか、その見出しへリンクする"
        )
    file.write_text(json.dumps(index, ensure_ascii=False, separators=(",", ":")), encoding="utf-8")
