"""ページの順番と、節の一覧。docs/ にページを置くだけで、どちらにも入る。"""

import html
import re

from records import ROOT, natural

DOCS = ROOT / "docs"


def ordered():
    """読む順。目次が最初、用語集が最後"""
    return sorted(DOCS.glob("*.md"), key=lambda p: (p.stem != "index", p.stem == "glossary", natural(p.stem)))


def sections():
    def line(page):
        text = page.read_text(encoding="utf-8")
        title = re.search(r"(?m)^# (.*?)(?: *\{#[^}]*\})?$", text)[1]
        description = re.search(r"(?m)\A---\n(?:.*\n)*?description: (.*)\n(?:.*\n)*?---\n", text)
        return (
            f'<li><a href="{page.stem}.html">{html.escape(title)}</a><br>'
            f"{html.escape(description[1]) if description else ''}</li>"
        )

    return f'<ul class="sections" data-search-exclude>{"".join(map(line, ordered()[1:]))}</ul>'
