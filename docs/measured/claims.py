"""文の言う順番や向き (<!-- claim: 式 -->) を、記録のある全部の GPU と比べる: .venv/bin/python docs/measured/claims.py

本文の装置では成り立つはずの文 (tests/test_claims.py)。別の日に測り直した記録 (フォルダの again/) でも比べる。
ほかの装置では、成り立たない文と、記録が足りずに比べられない文を並べる。
"""

import functools
import re
import shutil
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "_site"))
import markers
import pages
import records
import values


def claims(text):
    """ページの主張: (行の番号, 文, 式)"""
    for m in markers.MARKER.finditer(text):
        if m["name"] == "claim":
            before = text[: m.start()].rstrip()
            line = before.rsplit("\n", 1)[-1].strip()
            yield text.count("\n", 0, m.start("comment")) + 1, re.sub(r"<!--.*?-->", "", line).strip(), m["value"]


EVERY = re.compile(r"いつも|最も|どの[^、。]*?も")


def unbounded(text):
    """全部の場合を言うのに、全部を比べる主張 (for every, min, max) のない文"""
    sources = {}
    for _, sentence, source in claims(text):
        sentence = sentence or next(reversed(sources), "")  # 続けて書いた主張は、同じ文のもの
        sources.setdefault(sentence, []).append(source)
    return [
        sentence
        for sentence, found in sources.items()
        if EVERY.search(sentence) and not re.search(r"for every|min\(|max\(", " ".join(found))
    ]


@functools.cache
def again(folder):
    """装置のフォルダの写し。測り直した記録は、新しい方に置き換えてある"""
    copy = tempfile.TemporaryDirectory(prefix="again-")
    shutil.copytree(folder, copy.name, dirs_exist_ok=True)
    shutil.copy(folder / "gpus-again.jsonl", Path(copy.name, "gpus.jsonl"))  # 続けてもう 1 度、全部を測ったもの
    shutil.copytree(folder / "again", copy.name, dirs_exist_ok=True)
    return copy


def failed(text, folder):
    """その装置で成り立たない主張: (行の番号, 文, わけ)"""
    found = failed_once(text, folder)
    if (folder / "again").exists():
        for line, (sentence, why) in failed_once(text, Path(again(folder).name)).items():
            found.setdefault(line, (sentence, f"測り直すと {why}"))
    return [(line, *said) for line, said in sorted(found.items())]


def failed_once(text, folder):
    found = {}
    for line, sentence, source in claims(text):
        try:
            wrong = [
                f"{said} ({case})" if case else said for case, right, said in values.claim(source, folder) if not right
            ]
            if wrong:
                found[line] = sentence, f"{source}: {'、'.join(wrong)}"
        except records.Missing as e:
            found[line] = sentence, f"{source}: 比べられない: {e}"
    return found


def report(folder):
    found = [(page.name, *f) for page in pages.ordered() for f in failed(page.read_text(encoding="utf-8"), folder)]
    total = sum(1 for page in pages.ordered() for _ in claims(page.read_text(encoding="utf-8")))
    lines = [f"{records.device(folder)} ({folder.name}): この装置では成り立たない文: {total} のうち {len(found)}"]
    return lines + [f"  {page}:{line} {sentence}\n      {why}" for page, line, sentence, why in found]


if __name__ == "__main__":
    for folder in records.gpus():
        print("\n".join(report(folder)))
