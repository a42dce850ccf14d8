"""主張 (<!-- claim: 式 --> 文 <!-- /claim -->) を、全部の GPU の記録と比べる: .venv/bin/python docs/measured/claims.py

本文の装置では成り立つはずの文 (tests/test_claims.py)。別の日に測り直した記録 (フォルダの again/) でも比べる。
ほかの装置では、成り立たない文と、記録が足りずに比べられない文を並べる。
"""

import functools
import math
import shutil
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "_site"))
import markers
import pages
import records
import values


@functools.cache
def again(folder):
    """装置のフォルダの写し。測り直した記録は、新しい方に置き換えてある"""
    copy = tempfile.TemporaryDirectory(prefix="again-")
    shutil.copytree(folder, copy.name, dirs_exist_ok=True)
    shutil.copy(folder / "gpus-again.jsonl", Path(copy.name, "gpus.jsonl"))  # 続けてもう 1 度、全部を測ったもの
    shutil.copytree(folder / "again", copy.name, dirs_exist_ok=True)
    return copy


def failed(text, folder):
    """その装置で成り立たない主張: (行の番号, 囲んだ文, わけ)"""
    found = []
    for line, words, sources in markers.claims(text):
        for source in sources:
            # 本文の装置にない記録は、それのある装置のもので比べる
            at = values.home(values.parse(source)) if folder == records.gpus()[0] else folder
            newer = Path(again(at).name) if (at / "again").exists() else None
            try:
                first = values.claim(source, at)
                second = values.claim(source, newer) if newer else []
            except records.Missing as e:
                found.append((line, words, f"{source}: 比べられない: {e}"))
                continue
            why = wrong(first) or [f"測り直すと {said}" for said in wrong(second)] or unsure(first, second)
            if why:
                found.append((line, words, f"{source}: {'、'.join(why)}"))
    return found


def wrong(results):
    return [f"{said} ({case})" if case else said for case, right, said, _ in results if not right]


def unsure(first, second):
    """差が、測り直したときの動きより大きくないもの: 2 回の平均が、その標準誤差の 2 倍に足りない。比の対数で見る"""
    again, found = {case: pairs for case, *_, pairs in second}, []
    for case, _, said, pairs in first:
        for (a, b), (c, d) in zip(pairs, again.get(case, [])):
            if min(a, b, c, d) > 0 and abs(math.log(a / b * c / d)) < 2 * abs(math.log(a / b * d / c)):
                ratios = f"比は {a / b:.4g} と {c / d:.4g} {case}"
                found.append(f"差が、測り直したときの動きより大きくない: {said}、{ratios}")
    return found


def report(folder):
    found = [(page.name, *f) for page in pages.ordered() for f in failed(page.read_text(encoding="utf-8"), folder)]
    total = sum(len(c[2]) for page in pages.ordered() for c in markers.claims(page.read_text(encoding="utf-8")))
    lines = [f"{records.device(folder)} ({folder.name}): この装置では成り立たない主張: {total} のうち {len(found)}"]
    return lines + [f"  {page}:{line} {sentence}\n      {why}" for page, line, sentence, why in found]


if __name__ == "__main__":
    for folder in records.gpus():
        print("\n".join(report(folder)))
