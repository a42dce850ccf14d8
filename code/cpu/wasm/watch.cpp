// wasm/watch.cpp: 見張る OS スレッドはない。終わらないプログラムは、動かしているページが Worker ごと止める。
