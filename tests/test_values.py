"""記録から値を取る小さな言語 (docs/_site/values.py)。正しい値は、ここで JSON から別に求める。"""

import json
import math
import re

import book
import markers
import pytest
import records
import tables
import values

N = 1 << 22


def lines(name, folder=book.FIRST):
    text = (folder / name).read_text(encoding="utf-8")
    return json.loads(text) if name.endswith(".json") else [json.loads(line) for line in text.splitlines()]


def chosen(*names, **where):
    """合う行"""
    return [r for name in names for r in lines(name) if all(r.get(k) == v for k, v in where.items())]


def one(key, *names, **where):
    [r] = chosen(*names, **where)
    return r[key]


def ms(listing, n=N):
    return one("kernel_ms", "times.jsonl", "ladder.jsonl", listing=listing, n=n)


def library(value, name="library.jsonl"):
    return [value(r) for r in lines(name)]


def first_number(text):
    return float(re.match(r"[-\d.,]+", text)[0].replace(",", ""))


EX = "experiments.json"
EXPERIMENTS = lines(EX)
MODULO = {"experiment": "modulo", "variant": "5.3 interleaved"}
BEFORE, NOW, LONG, WIDE = (
    ms("5.2 in-place"),
    ms("5.3 sequential"),
    ms("5.3 sequential", 1 << 28),
    ms("5.7 vector", 1 << 28),
)
GBS, PEAK = 4 * 2**28 / WIDE / 1e6, lines("times.jsonl")[0]["peak_gbs"]
STRIDED = {"listing": "5.3 strided"}
WRITES = STRIDED | {"block": 256, "space": "shared", "op": "write"}
CPU = book.MEASURED / "cpu"
RATIOS = library(lambda r: r["cub_us"] / r["us"])
AGAIN = zip(library(lambda r: r["us"]), library(lambda r: r["us"], "library-again.jsonl"))


@pytest.mark.parametrize(
    "source, right, unit",
    [
        ("us[5.3 sequential, 2^22]", NOW * 1e3, " µs"),
        ("us[5.3 sequential, 2^28]", LONG, " ms"),
        ("us[5.3 sequential, 2^22] as number", NOW * 1e3, ""),
        ("us[5.2 in-place, 2^22] / us[5.3 sequential, 2^22]", BEFORE / NOW, "倍"),
        ("us[5.2 in-place, 2^22] - us[5.3 sequential, 2^22]", 1e3 * (BEFORE - NOW), " µs"),
        ("(1 - us[5.3 sequential, 2^22] / us[5.2 in-place, 2^22]) as %", 100 * (1 - NOW / BEFORE), "%"),
        ("2 * us[5.3 sequential, 2^22] + 1 µs - 0.001 ms", 2e3 * NOW, " µs"),
        ("gbs[5.7 vector, 2^28]", GBS, " GB/s"),
        ("4 B * 2^28 / us[5.7 vector, 2^28]", GBS, " GB/s"),
        ("share[5.7 vector, 2^28]", 100 * GBS / PEAK, "%"),
        ("4 B * 2^28 / peak_gbs as ms", 4 * 2**28 / PEAK / 1e6, " ms"),
        ("ns[counters, 5.3 strided]", one("ns", "counters.json", **STRIDED) / 1e3, " µs"),
        (
            "sum(requests[cpu/blocks, 5.3 strided, block=256, space=shared, op=write, partial>0])",
            sum(r["requests"] for r in lines("blocks.json", CPU) if r["partial"] and WRITES.items() <= r.items()),
            "",
        ),
        ("cpu.ms[cpu/overhead, 5.1 race]", lines("overhead.json", CPU)[0]["cpu"]["ms"], " ms"),
        ("us[library, float, 2^24]", one("us", "library.jsonl", type="float", n=1 << 24), " µs"),
        ("us[hot, 2^22, hot=true]", one("us", "hot.jsonl", hot=True, n=N), " µs"),
        ("max(cub_us[library] / us[library])", max(RATIOS), "倍"),
        ("min(cub_us[library] / us[library]) to 0.001", min(RATIOS), "倍"),
        ("geomean(cub_us[library] / us[library])", math.prod(RATIOS) ** (1 / len(RATIOS)), "倍"),
        ("count(us[library] < us[library-again] for every type, n)", sum(a < b for a, b in AGAIN), ""),
        (
            "max(us[5.2 in-place] / us[5.3 sequential] for n = 2^22, 2^24)",
            max(BEFORE / NOW, ms("5.2 in-place", 4 * N) / ms("5.3 sequential", 4 * N)),
            "倍",
        ),
        ("serial[error, 2^28]", one("serial", "error.jsonl", n=1 << 28), ""),
        ("instructions[modulo, 5.3 interleaved]", one("counters", EX, **MODULO, clock=None)["instructions"], ""),
        (
            "us[modulo, 5.3 interleaved, 2^22, read] / us[modulo, 5.3 interleaved, 2^28, read]",
            one("us", EX, **MODULO, clock="read", n=N) / one("us", EX, **MODULO, clock="read", n=1 << 28),
            "倍",
        ),
    ],
)
def test_value(source, right, unit):
    text = values.written(source)
    assert abs(first_number(text) / right - 1) < 6e-3 and re.fullmatch(r"-?[\d.,]+" + re.escape(unit), text), text


@pytest.mark.parametrize(
    "source, text",
    [
        ("13.87 µs to 1", "14 µs"),
        ("999.4 µs", "999 µs"),
        ("1234 µs", "1.23 ms"),
        ("9.996 µs", "10.0 µs"),
        ("4246.6 GB/s", "4247 GB/s"),
        ("4246.6 GB/s to 10", "4250 GB/s"),
        ("88.34 %", "88.3%"),
        ("88.34 % to 1", "88%"),
        ("4 / 3 as 倍", "1.33倍"),
        ("4 / 3 as 倍 to 0.1", "1.3倍"),
        ("2 µs / 1 µs", "2.00倍"),
        ("1 - 1.25", "-0.250"),
        ("2^16", "65,536"),
        ("0", "0"),
        ("0.000000563", "5.63 × 10<sup>-7</sup>"),
        ("12345.6", "12,346"),
        ("4 B * 2^22", "16 MiB"),
        ("4 µs * 2 GB/s", "7.81 KiB"),
    ],
)
def test_writing(source, text):
    assert values.written(source) == text


def test_a_record_of_another_gpu():
    """本文の装置にない記録は、それのある装置から。床も、その装置のもの"""
    rows = lines("rows.jsonl", (other := records.having("rows.jsonl")))
    [row] = [r for r in rows if (r["each"], r["rows"], r["columns"]) == ("row", 4096, 4096)]
    assert other != book.FIRST and values.written("device[rows]") == row["device"]
    share = row["bytes"] / row["us"] / 1e3 / records.floor_gbs(other)
    cell = "rows, row, rows=2^12, columns=2^12"
    assert values.written(f"bytes[{cell}] / us[{cell}] / floor_gbs as % to 0.01") == f"{share:.2%}"
    assert values.written("device[5.3 sequential]") == lines("times.jsonl")[0]["device"]
    with pytest.raises(records.Missing, match="rows"):
        values.claim(f"us[{cell}] > 0 µs", book.FIRST)


def test_floor():
    """床の帯域は、L2 を冷まして測ったどの総和よりも遅くなく、理論帯域より遅い"""
    gbs = [
        r["n"] * 4 / r["kernel_ms"] / 1e6
        for r in lines("times.jsonl")
        if r["type"] in ("int", "float") and r["agree"] and "iterations" not in r
    ]
    for name in ("library", "library-again", "library-newest"):  # 行列の合計は、ほかの GPU で測った
        gbs += library(lambda r: r["bytes"] / r["us"] / 1e3, f"{name}.jsonl")
    assert math.isclose(records.floor_gbs(book.FIRST), max(gbs)) and max(gbs) < lines("times.jsonl")[0]["peak_gbs"]
    assert values.written("4 B * 2^26 / floor_gbs") == f"{2**28 / max(gbs) / 1e3:.1f} µs"


@pytest.mark.parametrize(
    "source, right",
    [
        ("us[5.3 sequential] < us[5.3 interleaved] for n = 2^22, 2^24", [True, True]),
        ("us[5.3 sequential] > us[5.3 interleaved] for n = 2^22, 2^24", [False, False]),
        ("0 µs < us[5.3 sequential, 2^22] < 10 ms", [True]),
        ("1 < 2 < 2", [False]),
        ("1 != 2", [True]),
        ("5 % < 0.06", [True]),
        ("us[library] > 0 µs for every type, n", [True] * 60),
    ],
)
def test_claim(source, right):
    assert [ok for _, ok, *_ in values.claim(source)] == right


def test_claim_runs_over_every_length():
    lengths = lambda listing: {r["n"] for r in lines("times.jsonl") + lines("ladder.jsonl") if r["listing"] == listing}
    results = values.claim("us[5.3 sequential] < us[5.2 in-place] for every n")
    assert [ok for _, ok, *_ in results] == [
        ms("5.3 sequential", n) < ms("5.2 in-place", n) for n in sorted(lengths("5.2 in-place"))
    ] and len({ok for _, ok, *_ in results}) == 2


def test_claim_runs_over_the_lengths_of_both():
    here = {r["n"] for r in lines("times.jsonl") + lines("ladder.jsonl") if r["listing"] == "5.3 sequential"}
    there = {r["n"] for r in lines("library.jsonl") if r["type"] == "float"}
    results = values.claim("us[library, float] < us[5.3 sequential] for every n")
    assert [case for case, *_ in results] == [f"n = {n}" for n in sorted(here & there)] and here & there < here | there


@pytest.mark.parametrize("name", sorted({r["experiment"] for r in EXPERIMENTS if "us" in r}))
def test_experiment_table(name):
    """実験の時間は、記録の全部である。比は、同じ長さと時計の最初の変種と。周によって向きが変わった比には、? がある"""
    rows = [r for r in EXPERIMENTS if r["experiment"] == name and "us" in r and (r["agree"] or not r["checked"])]
    first, ratios, unsure = {}, [], 0
    for r in rows:
        base = first.setdefault(str([r.get(k) for k in ("n", "clock", "iterations", "threshold")]), r)
        if base is not r:
            ratios.append(base["us"] / r["us"])
            pairs = list(zip(base["rounds_us"], r["rounds_us"]))
            unsure += not (all(a < b for a, b in pairs) or all(a > b for a, b in pairs))
    made = tables.experiment(name)
    cells = re.findall(r"<td>([\d.]+) ([µm])s(?:<br>([\d.]+) 倍)?", made)
    times = sorted(float(us) * (1000 if unit == "m" else 1) for us, unit, _ in cells)
    assert times == pytest.approx(sorted(r["us"] for r in rows), rel=6e-3)
    shown = sorted(float(ratio) for *_, ratio in cells if ratio)
    assert shown == pytest.approx(sorted(ratios), rel=6e-3, abs=1e-3) and made.count("倍?") == unsure
    assert f"record_experiments.py フォルダ {name}" in made and rows[0]["date"] in made


def test_machine_is_shown():
    machine = lines("machine.json")
    said = "ドライバ {driver}、CUDA {cuda}、CUB {cub}、{date}、<code>".format(**machine)
    for name, *words in [
        ("measured", "5.1"),
        ("summary", "5.2"),
        ("defects",),
    ]:
        assert said in getattr(tables, name)(*words), name
    assert machine["command"] in tables.measured("5.1") and "フォルダ library.jsonl" in tables.cited("library.jsonl")
    assert f"{lines('library.jsonl')[0]['date']}、<code>" in tables.cited("library.jsonl")
    assert values.written("cub") == machine["cub"]


def test_where_markers_are_read():
    """文、表、箇条書き、折り畳みの中で値になり、コードの中ではそのまま。見せない目印は、行を残さない"""
    text = """{{ 1 + 1 }}個と `{{ 1 + 1 }}` と ``{{ 1 + 1 }} ` <!-- nothing --> ``。
| {{ 2^4 }} | <!-- typed: わけ -->
    * {{ 6 / 2 }} <!-- claim: 1 < 2 -->
前
<!-- claim: 1 < 2 -->
後
```cuda
{{ 1 + 1 }} <!-- nothing: 1 -->
```
??? note "{{ 5 }}"
    ~~~text
    {{ 1 + 1 }}
    ~~~
    {{ 7 }}
"""
    assert (
        markers.filled(text)
        == """2個と `{{ 1 + 1 }}` と ``{{ 1 + 1 }} ` <!-- nothing --> ``。
| 16 |
    * 3
前
後
```cuda
{{ 1 + 1 }} <!-- nothing: 1 -->
```
??? note "5"
    ~~~text
    {{ 1 + 1 }}
    ~~~
    7
"""
    )


def test_each():
    """並べた値か、記録の欄の値の数だけ並ぶ。内側のものは、外側の値を使える"""
    rows = "<!-- each: n = 1 | 2 -->| @n |<!-- each: m = 3 | 4 --> {{ @n + @m }} |<!-- /each -->\n<!-- /each -->"
    assert markers.filled(f"前\n{rows}後") == "前\n| 1 | 4 | 5 |\n| 2 | 5 | 6 |\n後"
    lengths = {r["n"]: f"2<sup>{r['n'].bit_length() - 1}</sup>" for r in lines("library.jsonl") if r["type"] == "int"}
    cell = "{{ @n as power }} {{ us[library, int, @n] as number }}"
    made = markers.filled(f"<!-- each: n in library, int -->{cell}\n<!-- /each -->").splitlines()
    assert made == [f"{power} {values.written(f'us[library, int, {n}] as number')}" for n, power in lengths.items()]


def test_a_marker_in_a_fence_is_told():
    """囲みの中の目印は、黙って消えずに、止まる"""
    with pytest.raises(markers.Missing, match="囲みの中の <!-- output: 5.1 -->"):
        markers.filled("# 題\n\n```text\n出力\n<!-- output: 5.1 -->\n```\n")
