"""CPU デバイスにないものと、代わりにすることの表。言うことは、code/cpu のコンパイルエラーの文から読む。"""

import html
import re

from records import ROOT, Missing
from tables import table

SENTENCE = re.compile(r'([^"\\]*?)は CPU デバイスで?に?は(?:ない|動かない): ([^"\\]+)')
LIBRARY = re.compile(r'\{"[^"]+", "([^":]+)"\},')  # 名前だけのもの。文は、最後に 1 度だけ書いてある


def absent():
    """CPU デバイスで動かないものを使うプログラムに、言うこと"""
    rows = {}  # {代わりにすること: [ないもの, …]}
    for file in sorted((ROOT / "code/cpu").rglob("*.*")):
        if file.suffix not in (".h", ".cpp"):
            continue
        text = re.sub(r"(?m)//.*", "", file.read_text(encoding="utf-8"))
        text = re.sub(r'"\s*\n\s*"', "", text)
        said = (line for line in text.splitlines() if "CPU デバイス" in line)
        for what, instead in (pair for line in said for pair in SENTENCE.findall(line)):
            what = what.rpartition("。")[2].replace("のこのヘッダ", "の、ここにないヘッダ")
            rows.setdefault(instead, []).extend([what.strip()] if what.strip() else LIBRARY.findall(text))
    if not rows:
        raise Missing("code/cpu に、ないものを言う文が見つからない")
    return table(
        ("ないもの", "代わりにすること"),
        [(html.escape("、".join(dict.fromkeys(what))), html.escape(instead)) for instead, what in rows.items()],
        kind="words",
    )


MARKERS = {"absent": absent}
