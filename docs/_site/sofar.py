"""ここまでの速さ: 節の終わりの目印 <!-- sofar: リスト --> を、読む順に集めた表。

どのページも、自分のリストだけを書く。初めの目印のリストを 1 とする。
"""

import re

import pages
from records import BYTES, Missing, gpus, load
from tables import listings, share, source, table
from values import digits, power

MARKER = re.compile(r"<!--\s*sofar:\s*(.*?)\s*-->")


def named():
    """目印のリストを、ページを読む順に並べる"""
    return [name for page in pages.ordered() for name in MARKER.findall(page.read_text(encoding="utf-8"))]


def sofar(name):
    """このリストまでの時間、速さ、理論帯域比。N は、どのリストでも合計が一致する、いちばん長いもの"""
    if listings([name]) != [name]:
        raise Missing(f"{name} はリスト 1 つの名前ではない")
    order = named()
    wanted = order[: order.index(name) + 1] if name in order else [name]
    rows = {}
    for r in load(gpus()[0] / "times.jsonl"):
        if r["listing"] in wanted and r["agree"] and r["type"] in BYTES:
            rows.setdefault(r["n"], {})[r["listing"]] = r
    for listing in wanted:
        if not any(listing in found for found in rows.values()):
            raise Missing(f"{listing} の、合計の一致する GPU の記録がない: make measure で記録するまで、目印を書かない")
    same = [n for n, found in rows.items() if len(found) == len(wanted)]
    if not same:
        raise Missing(f"{'、'.join(wanted)} の合計が、どれも一致する N の記録がない")
    n = max(same)
    first = rows[n][wanted[0]]["kernel_ms"]
    body = []
    for listing in wanted:
        ms = rows[n][listing]["kernel_ms"]
        body.append((listing, f"{digits(ms)} ms", f"{digits(first / ms)} 倍", share(rows[n][listing])))
    return table(
        ("ここまで", "時間", "速さ", "理論帯域比"),
        body,
        f"N = {power(n)}、{source(gpus()[0])}。速さは {wanted[0]} を 1 とする。",
    )
