"""用語集 (docs/glossary.md) の言葉に、ページの中で説明を付ける。言葉も説明も用語集から読む。ここに一覧はない。

用語集の 1 項目は次の形に書く。括弧の中は読みか英語で、どちらもなくてよい。
リンクは、くわしく説明している見出しへ 1 つだけ。
  ワープ (warp)
  :   32個のスレッドの組。[5.1](5.1.md#race)
  :   ほかの本では: …                          この本では使わない呼び方。なくてもよい
  :   似た言葉: …                              同じではないが、ここが答えになる言葉。なくてもよい
"""

import functools
import html
import re

import markdown
from records import ROOT, Missing

GLOSSARY = ROOT / "docs/glossary.md"
ENTRY = re.compile(
    r"<dt>(.*?)(?: \((.*?)\))?</dt>\s*<dd>(.*?)</dd>"
    r"(?:\s*<dd>(ほかの本では: .*?)</dd>)?(?:\s*<dd>(似た言葉: .*?)</dd>)?",
    re.S,
)
LINK = re.compile(r'\s*<a href="([^"]+)">[^<]*</a>$')
# 言葉を探さない所
OTHERS = (
    r"<!--.*?-->|<(a|button|code|figure|h\d|label|pre|script|summary|svg|table)\b.*?</\1>"
    r'|<span class="filename">.*?</span>|<ul class="sections".*?</p>'
)


def plain(part):
    return html.unescape(re.sub(r"<[^>]*>", "", part))


def names(text):
    return text.split("、") if text else []


def entries(page):
    """用語集の項目を、検索が 1 つずつ見つけられるように見出しにする。

    返すのは (HTML、{言葉: (id, 説明)}、{説明している見出し: 検索で打たれそうな呼び方})。
    2 つ目に、コードの名前は入れない
    """
    terms, explained, ids = {}, {}, set()

    def entry(m):
        term, reading, meaning, *others = m.groups()
        others = [line for line in others if line]
        link, code = LINK.search(meaning), "<code>" in term
        if not link:
            raise Missing(f"glossary.md: {plain(term)} の説明の終わりに、くわしく説明している見出しへのリンクがない")
        english = [n for n in [plain(term), *names(reading)] if n.isascii()]
        if not english:
            raise Missing(f"glossary.md: {term} の英語がない: 「{term} (英語)」と書く")
        # 「レーン (lane)」と `lane` がぶつからないように、コードの名前には頭に code- を付ける
        key = "code-" + english[0] if code else re.sub(r"[^a-z0-9]+", "-", english[-1].lower())
        if key in ids:
            raise Missing(f"glossary.md: {key} が 2 つある: 1 つにまとめるか、英語を変える")
        ids.add(key)
        if not code:
            terms[term] = (key, plain(meaning[: link.start()]))
        called = [name for line in others for name in names(line.partition(": ")[2])]
        absent = page[: m.start()].rpartition("{#")[2].startswith("absent}")  # この本にないなら、ないと言う項目が答え
        where = f"glossary.html#{key}" if absent else link[1].replace(".md", ".html")
        explained.setdefault(where, []).extend([plain(term), *names(reading), *called])
        read = f" <span>{reading}</span>" if reading else ""
        more = "".join(f'\n<p class="entry__others">{line}</p>' for line in others)
        return f'<h3 class="entry" id="{key}">{term}{read}</h3>\n<p>{meaning}</p>{more}'

    if m := re.search(r"<dt>([^\n]*)</dt>\s*(?!<dd>)<", page):
        raise Missing(f"glossary.md: {plain(m[1])} の説明がない")
    page = re.sub(r"</?dl>\n?", "", ENTRY.sub(entry, page))
    return page, terms, explained


@functools.lru_cache(1)
def rendered(text):
    return entries(markdown.markdown(text, extensions=["def_list"]))


def explain(page):
    """ページの言葉に説明を付ける。言葉の並び (dl) があるページは用語集なので、項目を見出しにする"""
    if "<dl>" in page:
        return entries(page)[0]
    return mark(page, rendered(GLOSSARY.read_text(encoding="utf-8"))[1], "glossary.html")


def explained():
    return rendered(GLOSSARY.read_text(encoding="utf-8"))[2]


def pattern(terms):
    """長い言葉から探す

    片仮名と英数字の言葉は、もっと長い言葉の一部なら違う言葉である (\\b は、仮名や漢字の隣では効かない)
    """

    def whole(term):
        for kind in ("[ァ-ヴー]", "[A-Za-z0-9_]"):
            before = f"(?<!{kind})" if re.match(kind, term) else ""
            after = f"(?!{kind})" if re.search(kind + "$", term) else ""
            term = before + term + after
        return term

    return "|".join(whole(t) for t in sorted(terms, key=len, reverse=True))


def mark(content, terms, href):
    """本文で最初に出た所だけを、用語集へのリンクにする

    太字にして説明している言葉は、そのままにする
    """
    seen, term = set(), pattern(terms)

    def link(m):
        said = m["told"] or m["term"]
        first = said and said not in seen
        seen.add(said)
        if not first or m["told"]:
            return m[0]
        key, meaning = terms[said]
        return f'<a class="term" href="{href}#{key}" aria-description="{html.escape(meaning)}">{said}</a>'

    every = rf"{OTHERS}|<strong>(?P<told>{term})</strong>|<[^>]*>|(?P<term>{term})"
    return re.sub(every, link, content, flags=re.S)
