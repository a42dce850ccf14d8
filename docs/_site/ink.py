"""ページの字を短く書く: 字の幅だけ進む字は、1 つの並びにする。線と図形の場所は、小数 2 桁にする。

ブラウザは、字を 1 つずつ測って置く (<16> Tj 5.9142761 0 Td <0F> Tj)。
字の幅は PDF にあるので、並べて書けば、同じ所に刷られる。
"""

import math
import re

SLACK = 0.1  # 見えないずれ [px]。これより離れた字だけ、場所を書く
UPRIGHT = b"1 0 0 -1"  # 傾いていない字
BLOCK = re.compile(rb"(?ms)^BT\n(.*?)^ET\n")
BETWEEN = re.compile(rb"(?m)^ET\n((?:[\d. ]+ RG [\d. ]+ rg\n|/G\d+ gs\n)*)BT\n")  # 色だけを変える切れ目
PLACED = re.compile(rb"(?m)^[-\d. ]+ (?:m|l|c|re)$")
LONG = re.compile(rb"-?\d+\.\d{3,}")


def short(value):
    return (b"%.2f" % value).rstrip(b"0").rstrip(b".")


def widths(font):
    """{字の番号: 幅 (字の大きさの 1/1000)} と、番号の桁数"""
    if "/DescendantFonts" not in font:
        # 1000 に分けていない字の幅は、ビューアによって違う (crbug.com/1226960)
        agreed = abs(font.get("/FontMatrix", [0.001])[0] - 0.001) < 1e-6
        return (dict(enumerate(map(float, font["/Widths"]), font["/FirstChar"])) if agreed else {}), 2
    known, rows = {}, iter(font["/DescendantFonts"][0].get_object().get("/W", []))
    for start in rows:
        then = next(rows)
        if isinstance(then, list):
            known |= dict(enumerate(map(float, then), start))
        else:
            known |= dict.fromkeys(range(start, then + 1), float(next(rows)))
    return known, 4


def lettering(block, fonts):
    """BT から ET までの字を、並びにする"""
    out, shown = [b"BT"], []  # shown は、1 つの並びになる字と、字の間
    font, size = b"", 0.0
    matrix = line = pen = None  # 字の傾き、行の初め、次の字をビューアが置く所

    def flush():
        if shown:
            out.append(b"".join([b"[", *shown, b"]TJ"]).replace(b"><", b""))
            shown.clear()

    for row in block.replace(b" Td ", b" Td\n").splitlines():
        *args, op = row.split(b" ")
        if op == b"Tm":
            lean, x, y = b" ".join(args[:4]), float(args[4]), float(args[5])
        elif op == b"Td":
            x, y = x + float(args[0]), y - float(args[1])
        elif op == b"Tj":
            if lean != matrix or (lean != UPRIGHT and y != pen[1]):
                flush()
                out.append(b"%s %s %s Tm" % (lean, short(x), short(y)))
                matrix, line = lean, (float(short(x)), float(short(y)))
                pen = line
            elif abs(y - pen[1]) > SLACK or abs(x - pen[0]) > size:
                flush()
                right, down = short(x - line[0]), short(line[1] - y)
                out.append(b"%s %s Td" % (right, down))
                line = line[0] + float(right), line[1] - float(down)
                pen = line
            elif abs(x - pen[0]) > SLACK:
                gap = round((pen[0] - x) / size * 1000)
                shown.append(b"%d" % gap)
                pen = pen[0] - gap * size / 1000, pen[1]
            shown.append(args[0])
            known, digits = fonts[font]
            codes = re.findall(rb"\w" * digits, args[0])
            pen = pen[0] + sum(known.get(int(code, 16), math.inf) for code in codes) * size / 1000, pen[1]
        else:
            flush()
            if op == b"Tf":
                font, size = args[0], float(args[1])
                row = b"%s %s Tf" % (font, short(size))
            out.append(row)
    flush()
    return b"\n".join([*out, b"ET", b""])


def rewritten(data, fonts):
    """ページの中身を、短く書き直す。fonts は {名前: widths の答え}"""
    data = PLACED.sub(lambda m: LONG.sub(lambda n: short(float(n[0])), m[0]), BETWEEN.sub(rb"\1", data))
    return BLOCK.sub(lambda m: lettering(m[1], fonts), data)
