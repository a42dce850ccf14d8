"""本文の言葉と用語集。サイトを作る側 (docs/_site/glossary.py) とはコードを共有せず、元の Markdown を読む。"""

import re

import book

DOCS = book.ROOT / "docs"
PAGES = sorted(DOCS.glob("[0-9]*.md"), key=lambda p: ("-" in p.stem, book.number(p.stem))) + [  # 実験室は節の後
    DOCS / "appendix.md",
    DOCS / "measuring.md",
    DOCS / "appendix-sum.md",
]
CUDA_NAME = re.compile(r"cuda[A-Z]\w*|__[a-z]\w*|atomic[A-Z]\w*|(?:thread|block|grid)(?:Idx|Dim)")


def prose(page):
    """コードの囲みを除いた本文"""
    return re.sub(r"^[ \t]*```.*?^[ \t]*```", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)


class Entry:
    """用語集の 1 項目"""

    def __init__(self, head, lines, absent):
        self.term, readings = re.fullmatch(r"(.*?)(?: \((.*)\))?", head).groups()
        self.code = self.term.startswith("`")
        self.term = self.term.strip("`")
        self.readings = readings.split("、") if readings else []
        text, self.label, self.target = re.fullmatch(r"(.*)\[([^\]]+)\]\(([^)]+)\)", lines[0]).groups()
        self.text = text.replace("`", "").strip()
        self.page = "glossary.html" if absent else re.sub(r"\.md(#.*)?$", ".html", self.target)
        names = lambda head: [n for line in lines if line.startswith(head) for n in line[len(head) :].split("、")]
        self.elsewhere = names("ほかの本では: ")  # 本文では使わない呼び方
        self.others = self.elsewhere + names("似た言葉: ")


def entries():
    found, absent = [], False
    for part in re.split(r"\n\s*\n", (DOCS / "glossary.md").read_text(encoding="utf-8")):
        head, *lines = part.strip().splitlines()
        absent = "{#absent}" in head or absent and "{#" not in head
        if lines and lines[0].startswith(":   "):
            found.append(Entry(head, [line[4:] for line in lines], absent))
    return found


TERMS = {e.term: e for e in entries() if not e.code}


def expected(texts):
    """本文に出てくる言葉。長い言葉から取り、残りを見る"""
    found, text = set(), "\n".join(texts)
    for term in sorted(TERMS, key=len, reverse=True):
        edge = "[ァ-ヴー]" if re.search("[ァ-ヴー]", term) else "[A-Za-z0-9_]"
        whole = re.compile(rf"(?<!{edge}){re.escape(term)}(?!{edge})")
        if whole.search(text):
            found.add(term)
            text = whole.sub("\n", text)
    return found
