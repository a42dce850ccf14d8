"""用語集 (docs/glossary.md) の言葉に、ページの中で説明を付ける。言葉も説明も用語集から読む。ここに一覧はない。

用語集の 1 項目は次の形に書く。括弧の中は読みか英語で、どちらもなくてよい。リンクは、くわしく説明している見出しへ 1 つだけ。
  ワープ (warp)
  :   32個のスレッドの組。[5.1](5.1.md#race)
  :   ほかの本では: …                          この行はなくてもよい
"""
import html
import json
import re
from pathlib import Path

from mkdocs.exceptions import PluginError

ENTRY = re.compile(r"<dt>(.*?)(?: \((.*?)\))?</dt>\s*<dd>(.*?)</dd>(?:\s*<dd>ほかの本では: (.*?)</dd>)?", re.S)
LINK = re.compile(r'\s*<a href="([^"]+)">[^<]*</a>$')
TAG = re.compile(r"(<!--.*?-->|<[^>]*>)", re.S)
VOID = {"br", "col", "hr", "img", "input", "wbr"}
PROSE = {"p", "li"}
NOT_PROSE = {"a", "button", "code", "figure", "h1", "h2", "h3", "h4", "h5", "h6", "label", "pre", "summary", "svg", "table"}
explained = {}  # {説明している見出し: その言葉の、検索で打たれそうな呼び方}


def plain(part):
    return html.unescape(TAG.sub("", part)).strip()


def names(text):
    return text.split("、") if text else []


def entries(page):
    """用語集の項目を、検索が 1 つずつ見つけられるように見出しにする。返すのは {言葉: (id, 説明)}。コードの名前は入れない"""
    found, ids = {}, set()

    def entry(m):
        term, reading, meaning, others = m.groups()
        link, code = LINK.search(meaning), "<code>" in term
        if not link:
            raise PluginError(f"glossary.md: {plain(term)} の説明の終わりに、くわしく説明している見出しへのリンクがない")
        english = [n for n in [plain(term), *names(reading)] if n.isascii()]
        if not english:
            raise PluginError(f"glossary.md: {term} の英語がない: 「{term} (英語)」と書く")
        # 「レーン (lane)」と `lane` がぶつからないように、コードの名前には頭に code- を付ける
        key = "code-" + english[0] if code else re.sub(r"[^a-z0-9]+", "-", english[-1].lower())
        if key in ids:
            raise PluginError(f"glossary.md: {key} が 2 つある: 1 つにまとめるか、英語を変える")
        ids.add(key)
        if not code:
            found[term] = (key, plain(meaning[: link.start()]))
        explained.setdefault(link[1], []).extend([plain(term), *names(reading), *names(others)])
        return (f'<h3 class="entry" id="{key}">{term}' + (f" <span>{reading}</span>" if reading else "") + f"</h3>\n<p>{meaning}</p>"
                + (f'\n<p class="entry__others">ほかの本では: {others}</p>' if others else ""))

    if m := re.search(r"<dt>([^\n]*)</dt>\s*(?!<dd>)<", page.content):
        raise PluginError(f"glossary.md: {plain(m[1])} の説明がない")
    page.content = re.sub(r"</?dl>\n?", "", ENTRY.sub(entry, page.content))
    return found


def pattern(terms):
    """長い言葉から探す。片仮名と英数字の言葉は、もっと長い言葉の一部なら違う言葉である (\\b は、仮名や漢字の隣では効かない)"""
    def whole(term):
        for kind in ("[ァ-ヴー]", "[A-Za-z0-9_]"):
            before = f"(?<!{kind})" if re.match(kind, term) else ""
            after = f"(?!{kind})" if re.search(kind + "$", term) else ""
            term = before + term + after
        return term

    return re.compile("|".join(whole(t) for t in sorted(terms, key=len, reverse=True)))


def mark(content, terms, href):
    """本文 (段落と箇条書き) で最初に出た所だけを、用語集へのリンクにする。太字にして説明している言葉は、そのままにする"""
    seen, opened, parts, find = set(), [], TAG.split(content), pattern(terms)

    def link(m):
        term = m.group(0)
        if term in seen:
            return term
        seen.add(term)
        key, meaning = terms[term]
        return f'<a class="term" href="{href}#{key}" aria-description="{html.escape(meaning)}">{term}</a>'

    for k, part in enumerate(parts):
        if tag := re.match(r"<(/?)([a-zA-Z][\w-]*)", part):
            if tag[1]:
                while opened and opened.pop() != tag[2]:
                    pass
            elif tag[2] not in VOID and not part.endswith("/>"):
                opened.append(tag[2])
        elif part in terms and parts[k - 1] == "<strong>" and parts[k + 1] == "</strong>":
            seen.add(part)
        elif PROSE.intersection(opened) and not NOT_PROSE.intersection(opened):
            parts[k] = find.sub(link, part)
    return "".join(parts)


def on_env(pages):
    explained.clear()
    glossary = next((p for p in pages if p.file.src_uri == "glossary.md"), None)
    terms = entries(glossary) if glossary else {}
    for page in pages:
        if terms and page is not glossary:
            page.content = mark(page.content, terms, glossary.file.url_relative_to(page.file))


def on_post_build(config):
    """検索: 用語集の言葉を、それを説明している見出しのタグにする。その言葉が出てくるだけの所より、前に並ぶ"""
    file = Path(config.site_dir, "search/search_index.json")
    index = json.loads(file.read_text(encoding="utf-8"))
    for section in index["docs"]:
        if section["location"] in explained:
            section["tags"] = explained.pop(section["location"])
    if explained:
        raise PluginError(f"glossary.md: {'、'.join(explained)} という見出しはない: 説明しているページか、その見出しへリンクする")
    file.write_text(json.dumps(index, ensure_ascii=False, separators=(",", ":")), encoding="utf-8")
