"""5.3 interleaved: tid が 2 * stride の倍数のスレッドが、隣の値を足す"""

from steps import draw

f = draw("隣り合う値から畳む (剰余で選ぶ)", "働くスレッドは飛び飛びである。", "5.3-interleaved-8")
