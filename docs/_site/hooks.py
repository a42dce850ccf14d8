"""Markdown の拡張 (markers.py) にはできないこと: どれもページの中身ではなく、MkDocs のサイト全体のこと。"""

import base64
import hashlib
import json
import os
import re
import sys
from pathlib import Path

import edition  # markers.py が、この場所を sys.path に足している
import glossary
import listings
import pages
import runnable
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File


def on_config(config):
    config.nav = [p.name for p in pages.ordered()]  # MkDocs の並べ方では 5.10 が 5.9 より前に来る
    if config.repo_url:
        config.edit_uri = f"edit/{listings.BRANCH}/docs/"  # 場所が分からないときに書くと、行き先のないリンクになる
    if "polyfills" in config.extra:  # offline プラグインが足す、外の script の代わり
        config.extra["polyfills"] = ["assets/search-worker.js"]
    if not runnable.programs():
        config.extra_javascript.clear()


def on_files(files, config):
    """リストのファイル、ページの中で動くプログラム、書庫、ノートブックは docs/ の外にあるので、配るものに足す"""
    archive, notebook = (edition.ARCHIVE, edition.packed()), (f"{edition.NAME}.ipynb", edition.notebook())
    for path, content in [*listings.files(), *runnable.files(), archive, notebook]:
        files.append(File.generated(config, path, content=content))


def mend_search(config):
    """検索の Worker (lunr) は、言葉の木の枝を、字と番号を区切らずに並べて比べる。数字の枝を取り違え、探すと止まる

    ファイルのまま開いたページは、ファイルから Worker を作れないので、Worker の中身を、文字で持つ
    """
    [worker] = Path(config.site_dir, "assets/javascripts/workers").glob("search.*.js")
    source, joined = worker.read_text("utf-8"), "e=e+s+o.id"
    if source.count(joined) != 1:
        raise PluginError(f"{worker.name}: lunr の TokenSet.toString が変わった。まだ区切らないなら、直し方を改める")
    source = source.replace(joined, f'{joined}+","')
    worker.write_text(source, encoding="utf-8")
    if runnable.OFFLINE:
        Path(config.site_dir, "assets/search-worker.js").write_text(
            'if (location.protocol === "file:") window.Worker = class extends Worker { constructor(url) {'
            f"super(/^blob:/.test(url) ? url : URL.createObjectURL(new Blob([{json.dumps(source)}]))) }} }};",
            encoding="utf-8",
        )


def on_page_markdown(markdown, page, config, files):
    """いまどのページかを、待っている人に見せる (code/progress.sh)"""
    if file := os.environ.get("PROGRESS"):
        all_pages = files.documentation_pages()
        Path(file).write_text(f"ページ {all_pages.index(page.file) + 1}/{len(all_pages)}", encoding="utf-8")


def on_post_page(output, page, config):
    """動かしてよいものを書く。見張りのサーバ (mkdocs serve) は、自分の script を後から足すので、書かない

    Material は、動き出してから表を囲む。親が本文だと、そのたびに本文の全部の見た目を求め直すので、表を箱に入れておく
    """
    output = re.sub(r"<table>.*?</table>", r"<div>\g<0></div>", output, flags=re.S)
    charset = '<meta charset="utf-8">'
    return output if "serve" in sys.argv else output.replace(charset, charset + allowed(output), 1)


def allowed(output):
    """ページが読み込み、動かしてよいもの: 自分のサイトのもの、ページに書いてある script、作ったプログラムと Worker"""
    written = re.findall(r"<script>(.*?)</script>", output, flags=re.S)
    hashes = {f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'" for text in written}
    own = "'self' file:" if runnable.OFFLINE else "'self'"
    rules = {
        "default-src": own,  # Firefox は、次のページを先に読む
        "script-src": f"{own} 'wasm-unsafe-eval' {' '.join(sorted(hashes))}",
        "worker-src": f"{own} blob:",
        "style-src": f"{own} 'unsafe-inline'",
        "img-src": f"{own} data:",
        "object-src": "'none'",
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    policy = "; ".join(f"{name} {value}" for name, value in rules.items())
    return f'<meta http-equiv="Content-Security-Policy" content="{policy}">'


def on_post_build(config):
    for style in Path(config.site_dir, "assets").glob("*.css") if runnable.programs() else ():
        style.write_text(runnable.esbuild(style), encoding="utf-8")
    tag(config)
    mend_search(config)


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
