// editor.js: 初めて書き換えるときに読み込む入口。書き換える欄 (CodeMirror) と、コンパイルする Worker の中身。
// COMPILER は、まとめるとき (runnable.py) に決まる: {source: Worker の中身, sizes: {名前: 大きさ}, version}
import { Field } from "./view.js";

globalThis.bookEditor = { compiler: COMPILER, Field };
