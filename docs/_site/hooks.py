"""サイトを作るときに MkDocs に足すもの: ページの順番、図、測定の表、節の一覧。

ページに書く目印は次の 3 つ。書き間違えるとビルドが止まる。
  ![図の説明](images/5.2-fold.svg)       images/ の SVG をページに埋め込む (1 行だけの段落に書く)
  <!-- measured: 5.1 atomic, 5.2 -->     docs/measured/h200/times.jsonl から、リストか節を選んで表にする
  <!-- sections -->                      節の一覧
"""
import html
import json
import re
from pathlib import Path

from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File

ROOT = Path(__file__).parents[2]
BYTES = {"int": 4, "float": 4, "double": 8}


def natural(text):
    """5.10 が 5.9 の次に来る並べ方"""
    return [int(s) if s.isdigit() else s for s in re.split(r"(\d+)", str(text))]


def on_files(files, config):
    for svg in sorted((ROOT / "images").glob("*.svg")):
        files.append(File.generated(config, f"images/{svg.name}", abs_src_path=str(svg)))
    pages = [f.src_uri for f in files.documentation_pages() if f.inclusion.is_in_nav()]
    config.nav = sorted(pages, key=lambda p: (p != "index.md", natural(p)))
    return files


def on_page_markdown(markdown, page, config, files):
    def replace(m):
        name, value = m.group(1), m.group(2)
        if name == "measured" and value:
            return measured([v.strip() for v in value.split(",")], Path(config.docs_dir) / "measured/h200/times.jsonl", page)
        if name == "sections" and not value:
            return m.group(0)  # 全ページの題がそろう on_env で置き換える
        raise PluginError(f"{page.file.src_uri}: 知らない目印 {m.group(0)}: 使えるのは measured: 節かリスト と sections")

    return re.sub(r"<!--\s*([^\s:]*):?\s*(.*?)\s*-->", replace, markdown)


def on_page_content(content, page, config, files):
    def figure(m):
        svg = files.get_file_from_path(f"images/{m.group(2)}")
        if svg is None:
            raise PluginError(f"{page.file.src_uri}: images/{m.group(2)} という図はない")
        return f"<figure data-search-exclude>{svg.content_string}<figcaption>{m.group(1)}</figcaption></figure>"

    content = re.sub(r'<p>\s*<img alt="([^"]+)" src="images/([^"]+\.svg)"\s*/?>\s*</p>', figure, content)
    if 'src="images/' in content:
        raise PluginError(f"{page.file.src_uri}: 図は ![説明](images/名前.svg) だけの段落に書く")
    if m := re.search(r'<h\d id="([^"]*[^\x00-\x7f"][^"]*)"', content):
        raise PluginError(f"{page.file.src_uri}: 見出しに ASCII の id がない: {m.group(1)} に {{#id}} を付ける")
    return "".join(s if s.startswith("<pre") else join_lines(s) for s in re.split(r"(<pre.*?</pre>)", content, flags=re.S))


def join_lines(text):
    """日本語の文の途中の改行を消す。残すと、ブラウザが空白を 1 つ入れる"""
    return re.sub(r"(?<=[^\x00-\x7f])\n(?=\S)|(?<=\S)\n(?=[^\x00-\x7f])", "", text)


def on_env(env, config, files):
    pages = [files.get_file_from_path(p).page for p in config.nav]
    for here in pages:
        links = "".join(
            f'<li><a href="{p.file.url_relative_to(here.file)}">{p.title}</a><br>{html.escape(p.meta.get("description", ""))}</li>'
            for p in pages if not p.is_homepage)
        here.content = re.sub(r"<!--\s*sections\s*-->", f'<ul class="sections">{links}</ul>', here.content)
    return env


# ---------------------------------------------------------------- 測定の表
def listings():
    """code/5.1/2-atomic.cu を "5.1 atomic" と呼ぶ (実行したときの 1 行目と同じ名前)"""
    files = sorted(ROOT.glob("code/*/*.cu"), key=lambda f: natural(f.relative_to(ROOT)))
    return [f"{f.parent.name} {f.stem.lstrip('0123456789-')}" for f in files]


def measured(wanted, path, page):
    if not path.exists():
        raise PluginError(f"{page.file.src_uri}: 測定の記録 {path.relative_to(ROOT)} がない")
    record = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    names = [name for w in wanted for name in listings() if name == w or name.startswith(w + " ")]
    for w in wanted:
        if not any(name == w or name.startswith(w + " ") for name in names):
            raise PluginError(f"{page.file.src_uri}: 測定の表に書いた {w} というリストも節もない")
    for name in names:
        if not any(r["listing"] == name for r in record):
            raise PluginError(f"{page.file.src_uri}: {name} の測定が {path.relative_to(ROOT)} にない")
    rows = [r for r in record if r["listing"] in names]
    base = next((n for n in names if all(r["agree"] for r in rows if r["listing"] == n)), None)

    body = ""
    for n in sorted({r["n"] for r in rows}):
        body += f'<tr><th colspan="5" scope="rowgroup">N = {power(n)}</th></tr>'
        same = {r["listing"]: r for r in rows if r["n"] == n}
        for name in filter(same.get, names):
            ms, peak = same[name]["kernel_ms"], same[name]["peak_gbs"]
            gbs = n * BYTES[same[name]["type"]] / ms / 1e6
            share = f"{digits(100 * gbs / peak)} %" if peak else "—"
            ratio = "不一致" if not same[name]["agree"] else digits(same[base]["kernel_ms"] / ms) + " 倍" if base in same else "—"
            body += f"<tr><td>{name}</td><td>{digits(ms)} ms</td><td>{digits(gbs)}</td><td>{share}</td><td>{ratio}</td></tr>"
    first = rows[0]
    note = f'{first["device"]} (理論帯域 {first["peak_gbs"]:.0f} GB/s)、{first["repeat"]} 回の中央値。'
    note += f"比は {base} を 1 とした速さ。" if base else ""
    return ('<div class="measured"><table><thead><tr><th>リスト</th><th>時間</th><th>GB/s</th><th>理論帯域比</th><th>比</th></tr></thead>'
            f"<tbody>{body}</tbody></table><p>{note}</p></div>\n")


def power(n):
    return f"2<sup>{n.bit_length() - 1}</sup>" if n & (n - 1) == 0 else str(n)


def digits(v):
    """有効数字 3 桁くらい"""
    return f"{v:.3g}" if v < 0.1 else f"{v:.3f}" if v < 1 else f"{v:.2f}" if v < 10 else f"{v:.1f}" if v < 100 else f"{v:.0f}"
