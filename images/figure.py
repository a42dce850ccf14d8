"""図を描く小さな部品。標準ライブラリだけで SVG を書く。

色は CSS の変数で書く。ページに埋め込むとサイトの明るい配色と暗い配色に従い、
単独で開くと , の後ろの色 (白い紙に黒い字) になる。

    python3 images/figure.py            全部の図の SVG を書き直す
    python3 images/figure.py 5.2-fold   1 つだけ: 5.2-fold.py の f を、5.2-fold.svg に書く

誰がどこに触れるかは、図のスクリプトに書かず、リストを動かした記録 traces/*.json から読む (作り方は trace.py)。
"""

import json
import math
import re
import runpy
import sys
from html import escape, unescape
from pathlib import Path

HERE = Path(__file__).parent
sys.path.append(str(HERE.parent / "docs/measured"))
import records

INK = "var(--fig-ink, #1f2924)"  # 字と枠
MUTED = "var(--fig-muted, #55625c)"  # 補足の字
LINE = "var(--fig-line, #a9b5af)"  # 補助の線
FRONT = "var(--fig-front, #bfe3d5)"  # 前半、残るもの
BACK = "var(--fig-back, #fbd7b5)"  # 後半、足されるもの
REST = "var(--fig-rest, #e8ecea)"  # 使わないもの
WARN = "var(--fig-warn, #b3261e)"  # 失敗
ACCENT = "var(--fig-accent, #12664f)"  # 何本もある線のうち、見てほしい 1 本
PAPER = "var(--fig-paper, #fff)"  # 紙
PHONE = 358  # 幅 390 px の画面での、図の幅。いちばん小さい字も、そこで 12 px になる


def values(name):
    """記録 traces/名前.json の行: 終わりの 3 つは、読んだ (場所, 値)、書いた (場所, 値)、行"""
    return json.loads((HERE / f"traces/{name}.json").read_text(encoding="utf-8"))["rows"]


def trace(name):
    """記録の行: (起動, ブロック, 段, スレッド, 読んだ場所, 書いた場所)。ほとんどの図は、場所だけを見て値を見ない"""
    numbers = lambda places: {array: [i for i, _ in touched] for array, touched in places.items()}
    return [(*key, numbers(read), numbers(write)) for *key, read, write, _ in values(name)]


def device(*names):
    """その記録が全部ある、最初の装置: (名前, 床を決める帯域, その記録の行)"""
    folder = next(f for f in records.gpus() if all((f / name).exists() for name in names))
    rows = [r for name in names for r in records.load(folder / name)]
    return unescape(records.device(folder)), records.floor_gbs(folder), rows


def adds(name):
    """記録から、段ごとの足し算 [(スレッド, 左, 右), …] を取り出す。左は読んで書いた番号、右は読んだだけの番号"""
    steps = {}
    for launch, _, step, thread, read, write in trace(name):
        for array in read.keys() & write.keys():
            only = [right for right in read[array] if right not in write[array]]
            for left in sorted({*read[array]} & {*write[array]}):
                steps.setdefault((launch, step), []).extend((thread, left, right) for right in only)
    return [steps[key] for key in sorted(steps)]


def strides(name):
    """記録から、段ごとの足し算 {左と右の番号の差: [(スレッド, 左, 右), …]}"""
    return {step[0][2] - step[0][1]: step for step in adds(name)}


def shuffles(name):
    """記録の初めの起動のブロック 0 で、ワープごとに畳む段の前半: {レーン: 値をくれるレーン} の列

    後の半分は、ワープの答えを畳む段
    """
    steps = {}
    for launch, block, step, thread, read, _ in trace(name):
        if "lane" in read and (launch, block) == (0, 0):
            steps.setdefault(step, {})[thread] = read["lane"][0]
    return [steps[k] for k in sorted(steps)][: (len(steps) + 1) // 2]


def raised(text, size):
    """2^24 の右肩の数を、小さく上げる"""
    out = []
    for k, part in enumerate(re.split(r"\^(-?\d+)", text)):
        small = f'<tspan dy="{-0.35 * size:.1f}" font-size="{0.75 * size:.1f}">{part.replace("-", "−")}</tspan>'
        back = f'<tspan dy="{0.35 * size:.1f}">{escape(part)}</tspan>' if k and part else escape(part)
        out.append(small if k % 2 else back)
    return "".join(out)


class Figure:
    name = ""  # 描いている図

    def __init__(self, height, title, desc, width=420):
        self.id = "fig-" + self.name.replace(".", "-")
        self.width, self.height, self.title, self.desc = width, height, title, desc
        self.smallest = math.ceil(120 * width / PHONE) / 10
        self.items = []

    def add(self, item):
        self.items.append("  " + item)

    def text(self, x, y, s, size=15, fill=INK, anchor="middle", weight="normal"):
        size = max(size, self.smallest)
        self.add(
            f'<text x="{x:g}" y="{y:g}" font-size="{size}" font-weight="{weight}" text-anchor="{anchor}" '
            f'fill="{fill}">{raised(s, size)}</text>'
        )

    def note(self, x, y, s, anchor="start", fill=MUTED):
        """補足の小さな字"""
        self.text(x, y, s, 14, fill, anchor)

    def heading(self, x, y, s):
        self.text(x, y, s, anchor="start", weight="bold")

    def time(self, x, y):
        """左から右へ進む時間の軸"""
        self.line(x, y, 414, y, arrow=True)
        self.note(4, y + 5, "時間")

    def box(self, x, y, w, h, fill="none", stroke=INK, dash=""):
        dash = f' stroke-dasharray="{dash}"' if dash else ""
        self.add(
            f'<rect x="{x:g}" y="{y:g}" width="{w:g}" height="{h:g}" rx="3" fill="{fill}" stroke="{stroke}" '
            f'stroke-width="1.5"{dash}/>'
        )

    def cell(self, x, y, w, h, label, fill="none", stroke=INK):
        """真ん中に字のある箱"""
        self.box(x, y, w, h, fill, stroke)
        self.text(x + w / 2, y + h / 2 + 5.5, label)

    def boxes(self, corners, w, h, fill, stroke, width, more=""):
        """同じ大きさの箱の並び。場所は前の箱からの距離で書く: 同じ字の繰り返しは、送るときに縮む"""
        d, x, y = "", 0, 0
        for a, b in corners:
            d += f"m{a - x:g} {b - y:g}h{w:g}v{h:g}h-{w:g}z"
            x, y = a, b
        if d:
            self.add(f'<path d="{d}" fill="{fill}" {more}stroke="{stroke}" stroke-width="{width}"/>')

    def path_(self, d, stroke=INK, dash="", arrow=False, width=1.5):
        dash = f' stroke-dasharray="{dash}"' if dash else ""
        head = f' marker-end="url(#{self.id}-{"warn" if stroke == WARN else "ink"})"' if arrow else ""
        self.add(f'<path d="{d}" fill="none" stroke="{stroke}" stroke-width="{width:g}"{dash}{head}/>')

    def line(self, x1, y1, x2, y2, stroke=INK, dash="", arrow=False):
        self.path_(f"M{x1:g} {y1:g}L{x2:g} {y2:g}", stroke, dash, arrow)

    def curve(self, points, stroke=INK, width=2.5, dash=""):
        self.path_("M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points), stroke, dash, width=width)

    def dot(self, x, y, fill, r=5, width=1.5):
        self.add(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{r}" fill="{fill}" stroke="{INK}" stroke-width="{width:g}"/>')

    def axes(self, x, y, w, h, left, below, up, right):
        """グラフの軸。left と below は目盛り [(場所, 字), …]、up と right は縦軸と横軸の名前"""
        for at, label in left:
            self.line(x, at, x + w, at, stroke=LINE, dash="3 4")
            self.text(x - 8, at + 5, label, size=14, fill=MUTED, anchor="end")
        for at, label in below:
            self.text(at, y + 20, label, size=14, fill=MUTED)
            self.line(at, y, at, y + 4)
        self.line(x, y, x + w, y)
        self.line(x, y, x, y - h)
        self.note(x + 8, y - h - 8, up)
        self.note(x + w, y + 44, right, anchor="end")

    def brace(self, first, last, y, label):
        """first から last までを、下からくくる"""
        self.path_(f"M{first:g} {y}v8H{last:g}v-8")
        self.text((first + last) / 2, y + 28, label, weight="bold")

    def svg(self):
        head = lambda name, color: (
            f'<marker id="{self.id}-{name}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" '
            f'markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0L8 4L0 8z" fill="{color}"/></marker>'
        )
        return f"""<svg xmlns="http://www.w3.org/2000/svg" width="{self.width}" height="{self.height}" \
viewBox="0 0 {self.width} {self.height}" role="img" aria-labelledby="{self.id}-title {self.id}-desc" \
font-family="sans-serif">
  <title id="{self.id}-title">{escape(self.title)}</title>
  <desc id="{self.id}-desc">{escape(self.desc)}</desc>
  <defs>{head("ink", INK)}{head("warn", WARN)}</defs>
  <rect width="{self.width}" height="{self.height}" fill="{PAPER}"/>
{chr(10).join(self.items)}
</svg>
"""


def draw(name):
    """images/名前.py の f の SVG"""
    Figure.name = name
    return runpy.run_path(str(HERE / f"{name}.py"))["f"].svg()


if __name__ == "__main__":
    from figure import draw  # 図のスクリプトが読むものと、同じモジュールのもの

    for name in sys.argv[1:] or [path.stem for path in HERE.glob("[0-9]*.py")]:
        (HERE / f"{name}.svg").write_bytes(draw(name).encode())
