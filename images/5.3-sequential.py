"""5.3 sequential: 後半を前半に足す。スレッドも触る場所も前に詰まる"""

from steps import draw

f = draw(
    "前半と後半を足す (続いた場所を読む)", "働くスレッドも触る場所も、番号の小さい方に続いている。", "5.3-sequential-8"
)
