"""5.3 interleaved: tid が 2 * stride の倍数のスレッドが、隣の値を足す"""
from steps import BLOCK, draw

draw(__file__, "隣り合う値から畳む (剰余で選ぶ)",
     "8 個の値を 3 段で畳む。stride 1 ではスレッド 0、2、4、6 が、stride 2 では 0 と 4 が、stride 4 では 0 が、"
     "stride だけ右の値を自分の場所に足す。働くスレッドは飛び飛びである。",
     (1, 2, 4), lambda stride: [(tid, tid, tid + stride) for tid in range(BLOCK) if tid % (2 * stride) == 0])
