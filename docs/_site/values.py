"""記録から値を取る小さな言語。ページの {{ 式 }} と <!-- claim: 式 --> が使う (書き方は markers.py)。

値は (数, 単位) で持つ。時間は µs、帯域は GB/s、大きさはバイト、割合は 1 を 100 % とした数にそろえる。
参照 欄[ことば, …] は、ことばを全部持つ記録の行がちょうど 1 つあるとき、その欄の値である。
なければ、いくつもあれば、止まる。
"""

import functools
import itertools
import math
import re

import edition
import records
from records import Missing, device, floor_gbs, gpus, load, machine, natural, peak_gbs, size

SCALES = {
    "us": ("us", 1),
    "µs": ("us", 1),
    "ms": ("us", 1e3),
    "ns": ("us", 1e-3),
    "秒": ("us", 1e6),
    "gbs": ("gbs", 1),
    "GB/s": ("gbs", 1),
    "TB/s": ("gbs", 1e3),
    "pct": ("%", 0.01),
    "%": ("%", 0.01),
    "倍": ("x", 1),
    "ratio": ("x", 1),
    "share": ("%", 1),
    "bytes": ("B", 1),
    "dram_read": ("B", 1),
    "B": ("B", 1),
    "KiB": ("B", 1 << 10),
    "mib": ("B", 1 << 20),
    "MiB": ("B", 1 << 20),
    "GiB": ("B", 1 << 30),
}
PLAIN = {"", "x", "%"}  # 大きさのない単位
WRITTEN = "µs|us|ms|ns|秒|GB/s|TB/s|%|倍|KiB|MiB|GiB|B"
NUMBER = r"\d+(?:\.\d+)?(?:\^\d+)?"
TOKEN = re.compile(
    rf"\s*(?:(?P<field>[A-Za-z_][\w.]*)\[(?P<words>[^\]]*)\]|(?P<number>{NUMBER})(?:"
    rf"\s*(?P<unit>{WRITTEN})(?![A-Za-z0-9_]))?|(?P<name>[A-Za-z_]\w*)|(?P<op><=|>=|!=|[-+*/()<>=,]))"
)
COMPARE = {
    "<": lambda a, b: a < b,
    ">": lambda a, b: a > b,
    "<=": lambda a, b: a <= b,
    ">=": lambda a, b: a >= b,
    "=": lambda a, b: math.isclose(a, b, rel_tol=1e-6),
    "!=": lambda a, b: not math.isclose(a, b, rel_tol=1e-6),
}
TOGETHER = {
    "min": min,
    "max": max,
    "sum": sum,
    "count": lambda v: sum(map(bool, v)),
    "mean": lambda v: sum(v) / len(v),
    "geomean": lambda v: math.exp(sum(map(math.log, v)) / len(v)),
}

COUNTERS = {
    "launches": "起動",
    "instructions": "命令",
    "thread_instructions": "スレッドの命令",
    "divergent_branches": "分岐",
    "lanes": "レーン",
    "lanes_on": "働いたレーン",
    "registers": "レジスタ",
    "shared_ld": "共有 読む",
    "shared_st": "共有 書く",
    "conflicts_ld": "競合 読む",
    "conflicts_st": "競合 書く",
    "global_ld_requests": "読む要求",
    "global_ld_sectors": "読むセクタ",
    "global_st_requests": "書く要求",
    "global_st_sectors": "書くセクタ",
    "red_requests": "足す要求",
    "dram_read": "DRAM 読む",
    "warps_pct": "載ったワープ",
    "issue_pct": "命令を出した割合",
    "dram_pct": "DRAM",
    "stall_barrier": "バリアの待ち",
    "stall_memory": "メモリの待ち",
    "ns": "Nsight Compute の時間",
}  # 表の列の見出し


def number(text):
    base, _, power = text.partition("^")
    return int(base) ** int(power) if power else float(base) if "." in base else int(base)


# ---------------------------------------------------------------- 記録の行
@functools.lru_cache(64)
def flat(file, stamp):
    """記録の行。入れ子は 名前.名前 にし、実験の計数器の値は、行の欄にする"""
    rows = []
    for row in load(file):
        row = row | row.get("counters", {})
        more = {f"{k}.{name}": v for k, inner in row.items() if isinstance(inner, dict) for name, v in inner.items()}
        rows.append(row | more)
    return rows


def stamped(file):
    """ファイルと、いつ書かれたか。読み直すかどうかは、これで決まる"""
    if not file.exists():
        raise Missing(f"{file.parent.name} に記録 {file.stem} がない")
    return file, file.stat().st_mtime_ns


@functools.lru_cache(4)
def suffixes(folders):
    return {
        f.stem: f.suffix for kind in (".json", ".jsonl") for d, _ in folders for f in d.iterdir() if f.suffix == kind
    }


def candidates(folder, words):
    """初めのことばが記録か実験の名前なら、その行のあるファイル。そうでなければ times (と ladder)。
    cpu/名前 は、CPU デバイスの記録"""
    first, rest = words[0] if words else "", words[1:]
    place, stem = (records.MEASURED / "cpu", first[4:]) if first.startswith("cpu/") else (folder, first)
    if first in records.experiments():
        return first, [folder / "experiments.json"], rest
    known = suffixes(tuple((d, d.stat().st_mtime_ns) for d in records.MEASURED.iterdir() if d.is_dir()))
    if place != folder or stem in known and stem != "times":
        return first, [place / f"{stem}{known.get(stem, '.json')}"], rest
    ladder = folder / "ladder.jsonl"
    files = [folder / "times.jsonl", *([ladder] if ladder.exists() else [])]
    return "times", files, rest if first == "times" else words


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


@functools.lru_cache(1 << 12)
def chosen(name, files, words):
    """ことばを全部持つ行"""
    rows = [r for file in files for r in flat(*file)]
    if files[0][0].name == "experiments.json":
        rows = [r for r in rows if r["experiment"] == name]
    for word in words:
        rows = [r for r in rows if has(r, word)]
        if not rows:
            raise Missing(f"記録 {name} に、{'、'.join(words)} を持つ行がない")
    return rows


@functools.lru_cache(1 << 16)
def picked(folder, name, files, words, field, case):
    rows = [r for r in chosen(name, files, words) if all(r.get(key) == value for key, value in case)]
    pairs = [(r, value) for r in rows if (value := value_of(r, field, folder)) is not None]
    if not pairs:
        where = "、".join([*words, *(f"{k}={v}" for k, v in case)])
        raise Missing(f"記録 {name} の {where or '行'} に、{field} という数の欄がない")
    return pairs


def found(folder, field, words, case=()):
    """参照に合う行と値"""
    name, files, rest = candidates(folder, words)
    return name, picked(folder, name, tuple(map(stamped, files)), tuple(rest), field, tuple(case))


def one(folder, field, words, case):
    name, pairs = found(folder, field, words, case)
    if len(pairs) > 1:
        keys = ("listing", "variant", "n", "clock", "type", "iterations", "threshold", "block", "hot", "active")
        differ = [key for key in keys if len({r.get(key) for r, _ in pairs}) > 1]
        choices = "、".join(
            f"{key} ({', '.join(sorted({str(r.get(key)) for r, _ in pairs}, key=natural))})" for key in differ
        )
        raise Missing(f"記録 {name} に合う行が {len(pairs)} つある: {choices or 'ほかのことば'} で選ぶ")
    return pairs[0][1]


# ---------------------------------------------------------------- 式
class Parser:
    """式 := 比較 [for 回し方]。読んだものは、(種類, …) の組の木になる"""

    def __init__(self, text):
        self.tokens, at = [], 0
        text = text.strip()
        while at < len(text):
            m = TOKEN.match(text, at)
            if not m:
                raise Missing(f"「{text[at:]}」が読めない")
            self.tokens.append(m)
            at = m.end()

    def peek(self):
        return self.tokens[0][0].strip() if self.tokens else ""

    def take(self, *wanted):
        if self.peek() in wanted:
            return self.tokens.pop(0)[0].strip()

    def need(self, *wanted):
        if not (got := self.take(*wanted)):
            raise Missing(f"{' か '.join(wanted)} が要る所に「{self.peek() or '終わり'}」がある")
        return got

    def whole(self):
        tree = self.looped()
        if self.tokens:
            raise Missing(f"「{self.peek()}」から後が読めない")
        return tree

    def looped(self):
        tree = self.comparison()
        return ("loop", tree, self.loop()) if self.take("for") else tree

    def loop(self):
        if self.take("every"):
            keys = [self.name()]
            while self.take(","):
                keys.append(self.name())
            return keys, None
        key, _ = self.name(), self.need("=")
        values = [self.value()]
        while self.take(","):
            values.append(self.value())
        return [key], [(v,) for v in values]

    def name(self):
        if not self.tokens or not self.tokens[0]["name"]:
            raise Missing(f"欄の名前が要る所に「{self.peek() or '終わり'}」がある")
        return self.tokens.pop(0)["name"]

    def value(self):
        return number(self.tokens.pop(0)["number"]) if self.tokens and self.tokens[0]["number"] else self.name()

    def comparison(self):
        parts, ops = [self.terms()], []
        while op := self.take(*COMPARE):
            ops.append(op)
            parts.append(self.terms())
        return ("compare", ops, parts) if ops else parts[0]

    def terms(self, ops=("+", "-")):
        inner = self.atom if ops == ("*", "/") else lambda: self.terms(("*", "/"))
        tree = inner()
        while op := self.take(*ops):
            tree = ("op", op, tree, inner())
        return tree

    def atom(self):
        if self.take("("):
            tree = self.comparison()
            self.need(")")
            return tree
        if not self.tokens or self.tokens[0]["op"]:
            raise Missing(f"値が要る所に「{self.peek() or '終わり'}」がある")
        m = self.tokens.pop(0)
        if m["number"]:
            unit, scale = SCALES[m["unit"]] if m["unit"] else ("", 1)
            return "number", number(m["number"]) * scale, unit
        if m["field"]:
            return "ref", m["field"], tuple(w.strip() for w in m["words"].split(",") if w.strip())
        if m["name"] in TOGETHER and self.take("("):
            inner = [self.looped()]
            while self.take(","):
                inner.append(self.comparison())
            self.need(")")
            return "together", m["name"], inner
        return "name", m["name"]


parse = functools.lru_cache(None)(lambda text: Parser(text).whole())


def refs(tree):
    if tree[0] == "ref":
        yield tree
    for part in tree[1:]:
        for inner in part if isinstance(part, list) else [part]:
            if isinstance(inner, tuple):
                yield from refs(inner)


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
    return all(COMPARE[op](x, y) for op, (x, _), (y, _) in zip(ops, values, values[1:]))


def cases(tree, loop, folder, case=()):
    """for で回す場合。every は、どの参照の記録にもある場合の全部"""
    keys, values = loop
    if values is None:
        sets = [
            {tuple(r.get(k) for k in keys) for r, _ in found(folder, field, words, case)[1]}
            for _, field, words in refs(tree)
        ]
        values = sorted(set.intersection(*sets), key=str) if sets else []
        values = sorted((v for v in values if None not in v), key=lambda v: [natural(str(x)) for x in v])
        if len(values) < 2:
            raise Missing(f"for every {', '.join(keys)} で回る場合が {len(values)} つしかない")
    return [(*case, *zip(keys, v)) for v in values]


def evaluate(tree, folder, case=(), at=None):
    """at は、行ごとに計算しているときの、その行での参照の値"""
    kind = tree[0]
    if kind == "number":
        return tree[1:]
    if kind == "ref":
        return at[tree] if at else one(folder, tree[1], tree[2], case)
    if kind == "op":
        return combine(tree[1], evaluate(tree[2], folder, case, at), evaluate(tree[3], folder, case, at))
    if kind == "compare":
        return compared(tree[1], [evaluate(t, folder, case, at) for t in tree[2]]), ""
    if kind == "together":
        values = together(tree[2], folder, case)
        unit = "" if tree[1] == "count" else values[0][1]
        return TOGETHER[tree[1]]([v for v, _ in values]), unit
    if kind == "loop":
        raise Missing("for は、claim か、min( ) などの中に書く")
    name = tree[1]
    if name in dict(case):
        return dict(case)[name], ""
    if name in ("floor_gbs", "peak_gbs"):
        return {"floor_gbs": floor_gbs, "peak_gbs": peak_gbs}[name](folder), "gbs"
    if name == "device":
        return device(folder), "word"
    if name in edition.NAMES:
        return edition.facts()[name], "word"
    if name in machine(folder):
        return machine(folder)[name], "word"
    raise Missing(f"{name} という値はない")


def together(trees, folder, case):
    if len(trees) > 1:
        return [evaluate(t, folder, case) for t in trees]
    [tree] = trees
    if tree[0] == "loop":
        return [evaluate(tree[1], folder, c) for c in cases(tree[1], tree[2], folder, case)]
    pairs = {ref: found(folder, *ref[1:], case)[1] for ref in refs(tree)}
    if len({tuple(id(row) for row, _ in column) for column in pairs.values()}) != 1:
        raise Missing("まとめる行が、参照によって違う: for every で、そろえる欄を書く")
    columns = [[value for _, value in column] for column in pairs.values()]
    return [evaluate(tree, folder, case, dict(zip(pairs, values))) for values in zip(*columns)]


# ---------------------------------------------------------------- 書き方
def digits(v):
    """有効数字 3 桁くらい"""
    return (
        f"{v:#.3g}"
        if v < 0.1
        else f"{v:.3f}"
        if v < 1
        else f"{v:.2f}"
        if v < 10
        else f"{v:.1f}"
        if v < 100
        else f"{v:.0f}"
    )


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
        text = digits(float(f"{v:.3g}") if v < 1000 else v)
    return re.sub(r"(?<=\d)(?=(\d{3})+(?!\d))", ",", text) if len(text.partition(".")[0]) > 4 else text


def show(value, unit="", to=""):
    """本の書き方の文字列にする。unit が空なら、大きさで選ぶ"""
    v, u = value
    if u == "word":
        return v
    sign, v = "-" if v < 0 else "", abs(v)
    if unit == "2^":
        if v != int(v) or int(v) & (int(v) - 1) or v < 1:
            raise Missing(f"{v:g} は 2 のべき乗ではない")
        return power(int(v))
    if not unit:
        unit = {
            "us": "ms" if v >= 999.5 else "µs",
            "gbs": "GB/s",
            "%": "%",
            "x": "倍",
            "": "number",
            "B": next(name for name in ("GiB", "MiB", "KiB", "B") if v >= SCALES[name][1] or name == "B"),
        }[u]
    elif unit != "number" and SCALES[unit][0] != u and not {SCALES[unit][0], u} <= PLAIN:
        raise Missing(f"この値の単位は {unit} にできない")
    v = v / SCALES[unit][1] if unit != "number" else v
    text = (
        rounded(v, to)
        if to or u in ("", "B") or unit == "number" and u == ""
        else digits(float(f"{v:.3g}") if v < 1000 else v)
    )
    return sign + text + {"number": "", "倍": "倍", "%": "%", "秒": "秒"}.get(unit, f" {unit}")


def written(source, folder=None):
    """{{ 式 [as 単位] [to 刻み] }} の中身を、文字列にする"""
    m = re.fullmatch(rf"(.*?)(?:\s+as\s+(number|2\^|{WRITTEN}))?(?:\s+to\s+(\d+(?:\.\d+)?))?\s*", source, re.S)
    value = evaluate(parse(m[1]), folder or gpus()[0])
    if isinstance(value[0], bool):
        raise Missing("文に書けるのは、比べた結果ではなく、値である")
    return show(value, {"us": "µs"}.get(m[2], m[2] or ""), m[3] or "")


# ---------------------------------------------------------------- 主張
def claim(source, folder=None):
    """主張を、場合ごとに確かめる: [(場合, 成り立つか, 値を入れた式)]"""
    folder = folder or gpus()[0]
    tree = parse(source)
    tree, every = (tree[1], cases(tree[1], tree[2], folder)) if tree[0] == "loop" else (tree, [()])
    results = []
    for case in every:
        if tree[0] == "compare":
            values = [evaluate(t, folder, case) for t in tree[2]]
            said = " ".join(
                itertools.chain.from_iterable(itertools.zip_longest(map(show, values), tree[1], fillvalue=""))
            )
            right = compared(tree[1], values)
        else:
            value = evaluate(tree, folder, case)
            right, said = bool(value[0]), str(value[0])
        results.append(("、".join(f"{k} = {v}" for k, v in case), right, said.strip()))
    return results
