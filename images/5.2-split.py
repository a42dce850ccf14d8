"""len = 9 を remain = 5 と reduce = 4 に分ける。足す組は in-place の記録の 1 回目から読む"""

from figure import BACK, FRONT, Figure, adds

LEN, W, H, LEFT, Y = 9, 44, 40, 12, 96
launch = adds("5.2-in-place-9")[0]
pairs = [(left, right) for _, left, right in launch]
REDUCE = len(pairs)
REMAIN = LEN - REDUCE
[alone] = set(range(LEN)) - {i for pair in pairs for i in pair}  # 足す相手のない 1 個
listed = lambda numbers: "、".join(map(str, numbers))
f = Figure(
    236,
    f"len = {LEN} を remain = {REMAIN} と reduce = {REDUCE} に分ける",
    f"要素 {listed(r for _, r in pairs)} を、それぞれ要素 {listed(l for l, _ in pairs)} に足す。"
    f"真ん中の要素 {alone} には足す相手がなく、そのまま残る。",
)
f.text(210, 18, "x[i] += x[i + remain]")
middle = lambda i: LEFT + i * W + W / 2
for left, right in pairs:
    a, b = middle(right), middle(left)
    f.path_(f"M{a:g} {Y - 2}C{a - 30:g} {Y - 62} {b + 30:g} {Y - 62} {b:g} {Y - 3}", arrow=True)
for i in range(LEN):
    f.cell(LEFT + i * W, Y, W, H, f"{i}", BACK if i in {r for _, r in pairs} else FRONT)
f.brace(LEFT + 4, LEFT + REMAIN * W - 4, Y + H + 10, f"remain = {REMAIN}")
f.brace(LEFT + REMAIN * W + 4, LEFT + LEN * W - 4, Y + H + 10, f"reduce = {REDUCE}")
f.note(210, 204, f"要素 {alone} は足す相手がなく、そのまま残る", anchor="middle")
f.note(210, 226, f"次は len = {REMAIN} から同じことを繰り返す", anchor="middle")
