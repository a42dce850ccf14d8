"""文の言う順番や向き (<!-- claim: 式 -->) を、記録のある全部の GPU と比べる: .venv/bin/python docs/measured/claims.py

本文の装置では成り立つはずの文 (tests/test_claims.py)。
ほかの装置では、成り立たない文と、記録が足りずに比べられない文を並べる。
"""

import re
import sys
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


def failed(text, folder):
    """その装置で成り立たない主張: (行の番号, 文, わけ)"""
    for line, sentence, source in claims(text):
        try:
            wrong = [
                f"{said} ({case})" if case else said for case, right, said in values.claim(source, folder) if not right
            ]
            if wrong:
                yield line, sentence, f"{source}: {'、'.join(wrong)}"
        except records.Missing as e:
            yield line, sentence, f"{source}: 比べられない: {e}"


def report(folder):
    found = [(page.name, *f) for page in pages.ordered() for f in failed(page.read_text(encoding="utf-8"), folder)]
    total = sum(1 for page in pages.ordered() for _ in claims(page.read_text(encoding="utf-8")))
    lines = [f"{records.device(folder)} ({folder.name}): この装置では成り立たない文: {total} のうち {len(found)}"]
    return lines + [f"  {page}:{line} {sentence}\n      {why}" for page, line, sentence, why in found]


if __name__ == "__main__":
    for folder in records.gpus():
        print("\n".join(report(folder)))
