"""5.3 strided: 足す場所は同じで、働くスレッドだけを前に詰める"""

from steps import draw

f = draw(
    "働くスレッドを前に詰める",
    "足す場所と順番は interleaved と同じで、働くスレッドは小さい番号に詰まっている。触る場所は飛び飛びのままである。",
    "5.3-strided-8",
)
