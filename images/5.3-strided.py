"""5.3 strided: 足す場所は同じで、働くスレッドだけを前に詰める"""
from steps import BLOCK, draw

draw(__file__, "働くスレッドを前に詰める",
     "足す場所と順番は前の図と同じ。働くスレッドは、stride 1 では 0、1、2、3、stride 2 では 0 と 1、stride 4 では 0 であり、"
     "番号の小さい方に詰まっている。触る場所は飛び飛びのままである。",
     (1, 2, 4), lambda stride: [(tid, 2 * stride * tid, 2 * stride * tid + stride)
                                for tid in range(BLOCK) if 2 * stride * tid < BLOCK])
