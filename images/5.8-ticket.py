"""部分和を書いたブロックは札を取る。最後の札を取ったブロックが仕上げる"""

from figure import BACK, FRONT, REST, Figure

LEFT = 92
length = [96, 148, 62, 122]  # ブロックが部分和を書き終えるまで
order = sorted(range(4), key=lambda b: length[b])
f = Figure(
    262,
    "最後の札を取ったブロックだけが残って仕上げる",
    "4 つのブロックが、それぞれ部分和を書き終えると札を取る。先に終わったブロック 2、0、3 は札 0、1、2 を取って終わる。"
    "いちばん後に終わったブロック 1 は札 3 を取り、4 つの部分和を番号の順に足す。",
)
f.heading(4, 18, "ブロックが終わる順番は決まっていない")
for b in range(4):
    y, ticket = 32 + b * 42, order.index(b)
    last = ticket == 3
    f.text(4, y + 20, f"ブロック {b}", anchor="start")
    f.cell(LEFT, y, length[b], 30, "部分和", FRONT)
    f.cell(LEFT + length[b] + 6, y, 30, 30, str(ticket), BACK if last else REST)
    if last:
        f.line(LEFT + length[b] + 36, y + 15, LEFT + length[b] + 52, y + 15, arrow=True)
        f.cell(LEFT + length[b] + 54, y, 62, 30, "仕上げ", BACK)
    else:
        f.note(LEFT + length[b] + 46, y + 20, "終わる")
f.time(LEFT, 212)
f.note(4, 246, "数は取った札。4 ブロックなら、札 3 が最後である")
