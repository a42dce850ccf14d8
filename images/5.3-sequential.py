"""5.3 sequential: 後半を前半に足す。スレッドも触る場所も前に詰まる"""
from steps import BLOCK, draw

draw(__file__, "前半と後半を足す (続いた場所を読む)",
     "8 個の値を 3 段で畳む。stride 4 ではスレッド 0 から 3 が、場所 4 から 7 の値を場所 0 から 3 に足す。stride 2、1 と半分になる。"
     "働くスレッドも触る場所も、番号の小さい方に続いている。",
     (4, 2, 1), lambda stride: [(tid, tid, tid + stride) for tid in range(BLOCK) if tid < stride])
