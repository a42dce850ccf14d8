"""2 つのスレッドの「読む、足して書く」の並べ方の全部と、その結果"""

from itertools import combinations

from figure import BACK, FRONT, INK, WARN, Figure

START, ADD = 10, (3, 4)  # out の初めの値と、スレッド 0、1 が足す数。5.0 の図と同じ
SLOTS = 2 * len(ADD)


def run(order):
    """order[k] は k 番目の手を打つスレッド。どのスレッドも、1 手目で読み、2 手目で書く"""
    out, seen, steps = START, {}, []
    for t in order:
        if t in seen:
            out = seen[t] + ADD[t]
            steps.append((t, f"{out} を書く"))
        else:
            seen[t] = out
            steps.append((t, f"{out} を読む"))
    return steps, out


orders = [tuple(int(k not in zeros) for k in range(SLOTS)) for zeros in combinations(range(SLOTS), SLOTS // 2)]
results = sorted((run(order) for order in orders), key=lambda r: (-r[1], r[0][0][0]))
right = sum(out == START + sum(ADD) for _, out in results)
wrong = sorted({out for _, out in results} - {START + sum(ADD)})

LEFT, W, ROW, TOP = 4, 86, 36, 66
f = Figure(
    TOP + ROW * len(results) + 28,
    f"2 つのスレッドの手の並べ方は {len(results)} 通り。正しいのは {right} 通り",
    f"out は {START}。スレッド 0 は {ADD[0]} を、スレッド 1 は {ADD[1]} を足す。手の並べ方は {len(results)} 通りで、"
    f"片方が書き終えてからもう片方が読む {right} 通りだけが {START + sum(ADD)} になる。"
    f"残りは {'か '.join(map(str, wrong))} になり、片方の分が消える。",
)
for t, fill in enumerate((FRONT, BACK)):
    f.box(LEFT + 186 * t, 6, 16, 16, fill)
    f.note(LEFT + 186 * t + 22, 20, f"スレッド {t}: {ADD[t]} を足す", fill=INK)
f.note(LEFT, 54, f"out は {START} から")
f.line(LEFT + 110, 49, LEFT + SLOTS * W, 49, stroke=INK, arrow=True)
f.note(416, 54, "結果", anchor="end")
for k, (steps, out) in enumerate(results):
    y, ok = TOP + ROW * k, out == START + sum(ADD)
    for slot, (t, label) in enumerate(steps):
        f.cell(LEFT + slot * W, y, W - 4, 28, label, BACK if t else FRONT)
    f.text(416, y + 20, str(out), size=16, fill=INK if ok else WARN, anchor="end", weight="bold")
    f.note(384, y + 20, "○" if ok else "×", anchor="end", fill=INK if ok else WARN)
f.note(LEFT, TOP + ROW * len(results) + 18, "左から右へ、1 手ずつ進む")
