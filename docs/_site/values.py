"""記録から値を取る小さな言語。ページの {{ 式 }} と <!-- claim: 式 --> が使う (書き方は markers.py)。

値は (数, 単位) で持つ。時間は µs、帯域は GB/s、大きさはバイト、割合は 1 を 100 % とした数にそろえる。
参照 欄[ことば, …] は、ことばを全部持つ記録の行の、その欄の値である。合う行がいくつもあれば、同じ行どうしを計算する。
文や主張に書くものは 1 つの値になっていなければならない: なければ、いくつもあれば、止まる。
"""

import ast
import functools
import math
import re

import edition
import records
from records import Missing, device, floor_gbs, gpus, load, machine, natural, peak_gbs, size

UNITS = {  # 値の単位: {欄の名前か、書く単位: その 1 つ分}
    "us": {"us": 1, "µs": 1, "ms": 1e3, "ns": 1e-3, "秒": 1e6},
    "gbs": {"gbs": 1, "GB/s": 1},
    "%": {"pct": 0.01, "%": 0.01, "share": 1},
    "x": {"倍": 1, "ratio": 1},
    "B": {"B": 1, "bytes": 1, "dram_read": 1, "dram_write": 1, "KiB": 2**10, "MiB": 2**20, "mib": 2**20, "GiB": 2**30},
}
SCALES = {name: (unit, scale) for unit, names in UNITS.items() for name, scale in names.items()}
PLAIN = {"", "x", "%"}  # 大きさのない単位
WRITTEN = "µs|us|ms|ns|秒|GB/s|%|倍|KiB|MiB|GiB|B"
NUMBER = r"\d+(?:\.\d+)?(?:\^\d+)?"
TOKEN = re.compile(
    rf"(?P<field>[A-Za-z_][\w.]*)\[(?P<words>[^\]]*)\]|(?P<number>{NUMBER})(?:\s*(?P<unit>{WRITTEN})(?![A-Za-z0-9_]))?"
    r"|\bfor\s+(?:every\s+(?P<every>\w+(?:\s*,\s*\w+)*)|(?P<key>\w+)\s*=(?P<values>[^()]*))"
    r"|(?P<equal>(?<![<>!])=)|[A-Za-z_]\w*"
)
COMPARE = {
    "<": lambda a, b: a < b,
    ">": lambda a, b: a > b,
    "<=": lambda a, b: a <= b,
    ">=": lambda a, b: a >= b,
    "=": lambda a, b: math.isclose(a, b, rel_tol=1e-6),
    "!=": lambda a, b: not math.isclose(a, b, rel_tol=1e-6),
}
OPERATORS = ast.Lt, ast.Gt, ast.LtE, ast.GtE, ast.Eq, ast.NotEq, ast.Add, ast.Sub, ast.Mult, ast.Div
SIGNS = dict(zip(OPERATORS, (*COMPARE, *"+-*/")))
TOGETHER = {
    "min": min,
    "max": max,
    "sum": sum,
    "count": lambda v: sum(map(bool, v)),
    "geomean": lambda v: math.exp(sum(map(math.log, v)) / len(v)),
    "median": lambda v: sorted(v)[len(v) // 2],
}


def number(text):
    base, _, power = text.partition("^")
    return int(base) ** int(power) if power else float(base) if "." in base else int(base)


# ---------------------------------------------------------------- 記録の行
def candidates(folder, words):
    """(記録の名前, ファイル, 残りのことば)。初めのことばが、実験か記録の名前である。cpu/名前 は、CPU デバイスの記録。
    空白のあることば (5.3 sequential) はリストの名前なので、times (と ladder)"""
    name, *rest = words
    if name in records.experiments():
        return name, [folder / "experiments.json"], rest
    if " " in name:
        name, rest = "times", words
    place, _, stem = name.rpartition("/")
    place = records.MEASURED / place if place else folder
    lines = place / f"{stem}.jsonl"
    files = [lines if lines.exists() else place / f"{stem}.json"]
    return name, files + [f for f in [place / "ladder.jsonl"] if name == "times" and f.exists()], rest


def has(row, word):
    """行がことばを持つか: 個数、欄=値、文字列の欄の値"""
    if re.fullmatch(NUMBER, word):
        return row.get("n") == number(word)
    if m := re.fullmatch(r"(\w[\w.]*)\s*(<=|>=|!=|=|<|>)\s*(.+)", word):
        value = row.get(m[1])
        if re.fullmatch(NUMBER, m[3]) and isinstance(value, (int, float)):
            return COMPARE[m[2]](value, number(m[3]))
        same = value is not None and (str(value).lower() if isinstance(value, bool) else str(value)) == m[3]
        return m[2] in ("=", "!=") and same == (m[2] == "=")
    return any(value == word for value in row.values() if isinstance(value, str))


def value_of(row, field, folder):
    """欄の値。us、gbs、share は、なければ、ほかの欄から求める"""
    scale = next((SCALES[part] for part in [field, *reversed(re.split(r"[._]", field))] if part in SCALES), ("", 1))
    if field in row:
        return (row[field] * scale[1], scale[0]) if isinstance(row[field], (int, float)) else None
    if field == "us" and "kernel_ms" in row:
        return row["kernel_ms"] * 1e3, "us"
    if field in ("gbs", "share") and size(row) and (us := value_of(row, "us", folder)):
        gbs = size(row) / us[0] / 1e3
        return (gbs, "gbs") if field == "gbs" else (gbs / peak_gbs(folder), "%")


def chosen(folder, words):
    """(記録の名前, ことばを全部持つ行)"""
    name, files, rest = candidates(folder, words)
    for file in files:
        if not file.exists():
            raise Missing(f"{file.parent.name} に記録 {file.stem} がない")
    return name, filtered(name, tuple((file, file.stat().st_mtime_ns) for file in files), tuple(rest))


@functools.lru_cache(1 << 12)
def filtered(name, files, words):
    rows = [r for file, _ in files for r in load(file)]
    if files[0][0].name == "experiments.json":
        rows = [r for r in rows if r["experiment"] == name]
    for word in words:
        rows = [r for r in rows if has(r, word)]
        if not rows:
            raise Missing(f"記録 {name} に、{'、'.join(words)} を持つ行がない")
    return rows


def found(folder, field, words, case=()):
    """参照に合う [(行, 値)]"""
    name, rows = chosen(folder, words)
    rows = [r for r in rows if all(r.get(key) == value for key, value in case)]
    pairs = [(r, value) for r in rows if (value := value_of(r, field, folder)) is not None]
    if not pairs:
        where = "、".join([*words, *(f"{k}={v}" for k, v in case)])
        raise Missing(f"記録 {name} の {where} に、{field} という数の欄がない")
    return pairs


# ---------------------------------------------------------------- 式
def python(m):
    """式の 1 語を、Python の書き方にする: 定数は (数, 単位)、参照は ref(欄, ことば, …)、回し方は内包表記"""
    split = lambda text: [w.strip() for w in text.split(",") if w.strip()]
    if m["field"]:
        return f"ref{(m['field'], *split(m['words']))}"
    if m["number"]:
        unit, scale = SCALES[m["unit"]] if m["unit"] else ("", 1)
        return repr((number(m["number"]) * scale, unit))
    if m["every"]:
        return f" for every in {split(m['every'])}"
    if m["key"]:
        return f" for {m['key']} in {[number(v) if re.fullmatch(NUMBER, v) else v for v in split(m['values'])]}"
    return "==" if m["equal"] else m[0]


@functools.lru_cache(None)
def parse(text):
    """Python の構文の木"""
    try:
        return ast.parse(f"({TOKEN.sub(python, text)})", mode="eval").body
    except SyntaxError:
        raise Missing(f"式「{text.strip()}」が読めない")


def refs(tree):
    """参照: (欄, ことば, …)"""
    calls = (e for e in ast.walk(tree) if isinstance(e, ast.Call) and getattr(e.func, "id", "") == "ref")
    return [tuple(word.value for word in call.args) for call in calls]


def home(tree):
    """式の言う記録が全部ある、最初の GPU のフォルダ"""
    have = (f for f in gpus() if all(file.exists() for _, *words in refs(tree) for file in candidates(f, words)[1]))
    return next(have, gpus()[0])


# 値の列は [(元の行, 値), …]。行のない値は、1 つだけの列である
def each(make, *columns):
    """同じ行の値どうしを計算する。1 つだけの値は、どの行とも計算できる"""
    longest = max(columns, key=len)
    if any(len(c) > 1 and [id(r) for r, _ in c] != [id(r) for r, _ in longest] for c in columns):
        raise Missing("まとめる行が、参照によって違う: for every で、そろえる欄を書く")
    return [(row, make(*(c[k % len(c)][1] for c in columns))) for k, (row, _) in enumerate(longest)]


def alone(column):
    """1 つの値"""
    if len(column) > 1:
        keys = ("listing", "variant", "n", "clock", "type", "iterations", "threshold", "block", "hot", "active")
        known = {key: sorted({str(r.get(key)) for r, _ in column}, key=natural) for key in keys}
        choices = "、".join(f"{key} ({', '.join(values)})" for key, values in known.items() if len(values) > 1)
        raise Missing(f"合う行が {len(column)} つある: {choices or 'ほかのことば'} で選ぶ")
    return column[0][1]


def single(source):
    """式の値"""
    tree = parse(source)
    return alone(evaluate(tree, home(tree)))


def combine(op, a, b):
    (x, u), (y, v) = a, b
    if op in "+-" and (u == v or {u, v} <= PLAIN):
        return (x + y if op == "+" else x - y), u or v
    if op == "*" and (u in PLAIN or v in PLAIN):
        return x * y, (u or v) if {u, v} <= PLAIN else u if v in PLAIN else v
    if op == "*" and {u, v} == {"us", "gbs"}:
        return x * y * 1e3, "B"
    if op == "/":
        if not y:
            raise Missing("0 で割る")
        if {u, v} == {""} or v in PLAIN and u not in PLAIN:
            return x / y, u
        if u == v or {u, v} <= PLAIN:
            return x / y, "x"
        if u == "B" and v in ("us", "gbs"):
            return x / y / 1e3, "gbs" if v == "us" else "us"
    raise Missing(f"単位の違う値は計算できない: {show(a)} {op} {show(b)}")


def compared(ops, values):
    for op, (x, u), (y, v) in zip(ops, values, values[1:]):
        if u != v and not {u, v} <= PLAIN:
            raise Missing(f"単位の違う値は比べられない: {show((x, u))} {op} {show((y, v))}")
    return all(COMPARE[op](x, y) for op, (x, _), (y, _) in zip(ops, values, values[1:])), ""


def cases(tree, folder, case=()):
    """for で回す場合。every は、どの参照の記録にもある場合の全部"""
    loop = tree.generators[0]
    keys, values = [loop.target.id], [(v,) for v in ast.literal_eval(loop.iter)]
    if keys == ["every"]:
        keys = [v for (v,) in values]
        rows = [found(folder, field, words, case) for field, *words in refs(tree.elt)]
        sets = [{tuple(r.get(k) for k in keys) for r, _ in pairs} for pairs in rows] or [set()]
        values = [v for v in set.intersection(*sets) if None not in v]
        values.sort(key=lambda v: [natural(str(x)) for x in v])
        if len(values) < 2:
            raise Missing(f"for every {', '.join(keys)} で回る場合が {len(values)} つしかない")
    return [(*case, *zip(keys, v)) for v in values]


def evaluate(tree, folder, case=()):
    """値の列。case は for の今の場合"""
    inner = lambda part: evaluate(part, folder, case)
    match tree:
        case ast.Tuple([ast.Constant(value), ast.Constant(unit)]):
            return [(None, (value, unit))]
        case ast.Call(ast.Name("ref")):
            [(field, *words)] = refs(tree)
            if field in OF_DEVICE:  # その記録の装置のもの
                return chosen(folder, words) and [(None, named(field, folder))]
            return found(folder, field, words, case)
        case ast.BinOp(a, op, b) if type(op) in SIGNS:
            return each(functools.partial(combine, SIGNS[type(op)]), inner(a), inner(b))
        case ast.Compare(first, ops, rest) if {*map(type, ops)} <= {*SIGNS}:
            return each(lambda *v: compared([SIGNS[type(op)] for op in ops], v), *map(inner, (first, *rest)))
        case ast.Call(ast.Name(name), [ast.GeneratorExp(elt=said) as loop]) if name in TOGETHER:
            return together(name, [alone(evaluate(said, folder, one)) for one in cases(loop, folder, case)])
        case ast.Call(ast.Name(name), args) if name in TOGETHER and args:
            return together(name, [alone(inner(a)) for a in args] if args[1:] else [v for _, v in inner(args[0])])
        case ast.GeneratorExp():
            raise Missing("for は、claim か、min( ) などの中に書く")
        case ast.Name(name):
            return [(None, named(name, folder))]
    raise Missing(f"式「{ast.unparse(tree)}」が読めない")


def together(name, values):
    return [(None, (TOGETHER[name]([v for v, _ in values]), "" if name == "count" else values[0][1]))]


OF_DEVICE = {"floor_gbs": (floor_gbs, "gbs"), "peak_gbs": (peak_gbs, "gbs"), "device": (device, "word")}


def named(name, folder):
    if name in OF_DEVICE:
        value, unit = OF_DEVICE[name]
        return value(folder), unit
    words = machine(folder) | edition.facts()
    if name in words:
        return words[name], "word"
    raise Missing(f"{name} という値はない")


# ---------------------------------------------------------------- 書き方
def digits(v):
    """有効数字 3 桁くらい"""
    return f"{v:#.3g}".rstrip(".") if v < 100 else f"{v:.0f}"


def power(n):
    return f"2<sup>{n.bit_length() - 1}</sup>" if n & (n - 1) == 0 else str(n)


def rounded(v, to):
    if to:
        decimals = len(to.partition(".")[2])
        text = f"{round(v / float(to)) * float(to):.{decimals}f}"
    elif v == int(v):
        text = str(int(v))
    elif v < 1e-3:
        base, exponent = f"{v:.2e}".split("e")
        return f"{base} × 10<sup>{int(exponent)}</sup>"
    else:
        text = digits(v)
    return re.sub(r"(?<=\d)(?=(\d{3})+(?!\d))", ",", text) if len(text.partition(".")[0]) > 4 else text


def show(value, unit="", to=""):
    """本の書き方の文字列にする。unit が空なら、大きさで選ぶ"""
    v, u = value
    if u == "word":
        return v
    sign, v = v < 0, abs(v)
    if not unit:
        known = {"us": "ms" if v >= 999.5 else "µs", "gbs": "GB/s", "x": "倍", "%": "%", "": "number"}
        unit = known.get(u) or next(name for name in ("GiB", "MiB", "KiB", "B") if v >= SCALES[name][1] or name == "B")
    elif unit == "power":
        return power(v)
    elif unit != "number" and SCALES[unit][0] != u and not {SCALES[unit][0], u} <= PLAIN:
        raise Missing(f"この値の単位は {unit} にできない")
    v = v / SCALES[unit][1] if unit != "number" else v
    text = rounded(v, to) if to or u in ("", "B") else digits(v)
    after = "" if unit == "number" else unit if unit in ("倍", "%", "秒") else f" {unit}"
    return "-" * (sign and bool(text.strip("0."))) + text + after


def written(source):
    """{{ 式 [as 単位] [to 刻み] }} の中身を、文字列にする"""
    m = re.fullmatch(rf"(.*?)(?:\s+as\s+(number|power|{WRITTEN}))?(?:\s+to\s+(\d+(?:\.\d+)?))?\s*", source, re.S)
    value = single(m[1])
    if isinstance(value[0], bool):
        raise Missing("文に書けるのは、比べた結果ではなく、値である")
    return show(value, {"us": "µs"}.get(m[2], m[2] or ""), m[3] or "")


def every(key, words):
    """記録の行の、欄の値の全部。記録の順に"""
    tree = parse(f"{key}[{words}]")
    [(_, *asked)] = refs(tree)
    return dict.fromkeys(str(r[key]) for r in chosen(home(tree), asked)[1])


# ---------------------------------------------------------------- 主張
def claim(source, folder=None):
    """主張を、場合ごとに確かめる: [(場合, 成り立つか, 値を入れた式, 大小を比べた 2 つの値の列)]"""
    tree, results = parse(source), []
    folder = folder or home(tree)
    loop = isinstance(tree, ast.GeneratorExp)
    said = tree.elt if loop else tree
    compares = isinstance(said, ast.Compare)
    ops = [SIGNS[type(op)] for op in said.ops] if compares else []
    for case in cases(tree, folder) if loop else [()]:
        right, _ = alone(evaluate(said, folder, case))
        sides = [alone(evaluate(part, folder, case)) for part in (said.left, *said.comparators)] if compares else []
        words = " ".join(f"{op} {show(side)}" for op, side in zip(["", *ops], sides)).strip() or str(right)
        pairs = [(a, b) for op, (a, _), (b, _) in zip(ops, sides, sides[1:]) if op in "<>"]
        results.append(("、".join(f"{k} = {v}" for k, v in case), bool(right), words, pairs))
    return results
