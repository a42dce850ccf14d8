"""Markdown の拡張: 図、動く図、記録の表、課題、リストの帯、節の一覧、用語の説明。MkDocs には頼らない。

ページに書く目印は次の通り。書き間違えるとビルドが止まる。囲みの中に書いても止まる。`…` の中では、どれも目印にならない。
  ![図の説明](images/5.2-fold.svg)       images/ の SVG をページに埋め込む (1 行だけの段落に書く)
  ![…](images/….svg){: play="5.3-strided-8" }   その図を、images/traces/ の記録で動かせるようにする (player.py)。
      空白で分けて 2 つ書けば、切り替えて動かせる
  <!-- measured: 5.1 atomic, 5.2 -->     docs/measured/ の記録を表にする (tables.py の同じ名前の関数)
  <!-- source: counters.json -->         <div class="measured" markdown> の中に書いた表の、注の初め:
      記録の装置、版、命令。名前がなければ、make measure のもの
  <!-- each: n in library, float -->| {{ @n as power }} | {{ us[library, float, @n] }} |
  <!-- /each -->                         囲んだ所を、記録の欄の値の数だけ並べ、@n をその値にする。
      <!-- each: way = copy | nccl --> のように、値を並べてもよい。表の行にも、行の中の列にも書ける。
      初めのほかに何もない行 (| 2 枚 | | |) は、下の行の見出しになる
  <!-- experiment: modulo, instructions, read, n>=2^22 -->  docs/measured/experiments の実験を表にする。
      後ろは、計数器の名前と、行を選ぶことば
  <!-- output: 5.3 -->                  docs/measured/ の実行結果を、装置ごとのタブにする。
      初めのリストは全部、ほかのリストは判定の 1 行
  <!-- both: 5.1 race, 5.1 atomic -->    2 つのリストを、1 つのボタンで並べて動かす。違う行だけを見せる
  <!-- wgsl: 5.3 sequential -->          リストのカーネルを、ブラウザの GPU の言葉に直したもの
  <!-- exercise: 5.3/3-sequential -->    make exercise が作る課題のカーネル (前に字下げがあれば、それに合わせる)。
      5.3/exercises/1-max なら、問題の文とヒントも
  ```question 5.3-barrier 題 …          問い。正解は記録から求める (questions.py)
  <!-- answers -->  <!-- exercises -->   節の exercises/ の全部の課題の、答えと解説、一覧
  <!-- sections -->                      節の一覧
  <!-- fetch: make run CH=5.2 -->        本を手に入れて、動かすまでの命令 (edition.py)
  {{ 式 }}                               記録から取った値。文、表、箇条書き、折り畳みの中に書く (values.py)
  <!-- claim: 式 < 式 --> 文 <!-- /claim -->    囲んだ文が言う順番や向き。文だけを表示する。
      tests/test_claims.py が記録と比べる。1 つの文に、いくつ並べてもよい
  <!-- typed: 理由 -->                   手で打ってよい数のある行の終わりか、
      そういう表や段落のすぐ上の行に書く (tests/test_typed.py)

式は、本文の装置の記録から値を取り、+ - * / ( ) で計算する。定数は 4、2^22、0.5、10 µs、4 B、16 MiB、5 % のように書く。
  us[5.3 sequential, 2^22]               欄[ことば, …]: ことばを全部持つ行の欄。合う行がないか、いくつもあれば止まる
  gbs[5.7 vector, 2^28]  share[…]        帯域、理論帯域に対する割合 (時間と型から求める)
  us[modulo, 剰余を & に, 2^22]          初めのことばが実験の名前なら、その実験の行。
      時計がいくつもあれば read などを足す
  instructions[counters, 5.3 strided]    初めのことばが記録のファイルの名前なら、その行。
      空白があれば、times と ladder
  sum(requests[cpu/blocks, 5.3 strided, block=256, op=write, partial>0])   欄=値、欄>値。
      cpu/counts のように、cpu/ は CPU デバイスの記録
  us[…] / us[…]                          時間の比は 1.33倍 になる。単位の違う値は足せず、比べられない。
      バイト ÷ 時間は帯域になる
  max(cub_us[library] / us[library])     min, max, sum, geomean, median, count: 同じ行どうしを計算してから、まとめる
  max(us[5.2 in-place] / us[5.3 sequential] for every n)   違う行どうしは、そろえる欄を書く。
      every n, type のように、いくつでも
  floor_gbs, peak_gbs                    床の帯域 (いちばん速かった記録) と、理論帯域。床は 4 B * 2^22 / floor_gbs
  device, driver, cuda, cub, date        装置の名前と版、測った日 (machine.json)
  edition, released                      この本の版と、その日 (CITATION.cff)
書き方は、後ろに足す。初めは、時間は 13.9 µs か 1.22 ms、比は 1.33倍、割合は 88.3%、有効数字 3 桁くらいになる。
  {{ us[…] as ms }}  as %  as 倍  as number            単位を選ぶ。(1 - us[…] / us[…]) as % は、何 % 短いか。
      number は数だけ
  {{ us[…] to 1 }}  to 0.01                          刻みを選ぶ
主張は、比べるもの (< > <= >= = !=、a < b < c とも書ける) か、sure[…] のような真偽の欄。for で、いくつもの場合を言う。
  <!-- claim: us[5.7 vector] < us[5.6 shuffle] for n = 2^22, 2^24, 2^28 -->
  <!-- claim: us[5.3 sequential] < us[5.3 interleaved] for every n -->    「どの長さでも」: 記録にある長さの全部
< と > は、測り直したときの動きより大きい差を言う (docs/measured/claims.py)。
<= と >= は、どの記録でもそうだったことだけを言う。
"""

import html
import itertools
import re
import sys
import textwrap
from pathlib import Path

from click import ClickException
from markdown.extensions import Extension
from markdown.postprocessors import Postprocessor
from markdown.preprocessors import Preprocessor
from markdown.treeprocessors import Treeprocessor

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1] / "measured")]
import edition
import exercises
import glossary
import listings
import pages
import player
import questions
import tables
import values
from records import ROOT, Missing

MARKERS = {f.__name__: f for f in (tables.measured, tables.defects, tables.summary, tables.experiment)}
MARKERS |= {f.__name__: f for f in (exercises.exercise, exercises.answers, pages.sections, edition.fetch)}
MARKERS |= {f.__name__: f for f in (listings.output, listings.both, listings.wgsl)}
MARKERS |= {"source": tables.cited, "exercises": exercises.table}


class Stop(ClickException, SystemExit):
    """1 文を言って終わる。make serve は、文を出したまま、直すのを待つ"""


FENCED = r"^(?P<in>[ \t>]*)(?P<fence>`{3,}|~{3,})[^\n]*\n(?:.*\n)*?[ \t>]*(?P=fence)[`~]*[ \t]*$"
INLINE = r"(?<!`)(?P<tick>`+)(?!`)(?:(?!\n[ \t]*\n)[\s\S])+?(?<!`)(?P=tick)(?!`)"
CODE = rf"(?P<code>{FENCED}|{INLINE})"
COMMENT = r"(?P<indent>[ \t]*)(?P<comment><!--\s*(?P<name>[^\s:]*):?\s*(?P<value>[\s\S]*?)\s*-->)"
MARKER = re.compile(rf"{CODE}|{COMMENT}|" r"(?P<figure>\{\{(?P<source>[^{}]*)\}\})", re.M)
HIDDEN = ("claim", "/claim", "typed")  # 読者には見せない目印
# 全部の場合を言うことば。「同じだけ」「だけで」のように、数を言うのではないものは除く
EVERY = re.compile(
    r"いつも|必ず|最も|いちばん|どの[^、。]*?も|どれも|どれで[^、。]*?も|ほとんどの|[いるたくすつむ]ほど"
    r"|(?<!同じ)だけ(?:が|は|である|だった)"
)
ALL = re.compile(r"for every|min\(|max\(|count\(|<.*<|>.*>")  # 全部を比べる式。a < b < c は「大きいほど」


class Markers(Preprocessor):
    """目印を、表やコードや値に置き換える"""

    def run(self, lines):
        text = "\n".join(lines)
        for _, words, sources in claims(text):
            said = EVERY.search(re.sub(r"\{\{.*?\}\}", "", words))
            if said and not ALL.search(" ".join(sources)):
                raise Missing(
                    f"「{said[0]}」と言うのに、主張が全部の場合を比べていない (for every か min か max): {words}"
                )
        return filled(text).split("\n")


def claims(text):
    """ページの主張: (行の番号, 囲んだ文, [式, …])"""
    sources, start = [], None
    for m in MARKER.finditer(text):
        if m["name"] == "claim":
            if start is not None and text[start : m.start()].strip():
                raise Missing(f"{m['comment']}: 前の主張の文が、<!-- /claim --> で終わっていない")
            sources, start = [*sources, m["value"]], m.end()
        elif m["name"] == "/claim":
            words = re.sub(r"<!--.*?-->", "", text[start : m.start()]).strip() if sources else ""
            if not words or re.search(r"\n[ >]*\n", words):
                raise Missing(f"主張は、1 つの段落の中の文を囲む: <!-- claim: 式 --> 文 <!-- /claim -->: {words}")
            yield text.count("\n", 0, start) + 1, words, sources
            sources, start = [], None
    if sources:
        raise Missing(f"{sources[-1]}: 主張の文が、<!-- /claim --> で終わっていない")


EACH = re.compile(
    r"<!-- each: (\w+) (=|in) ((?:(?!-->).)+?) -->((?:(?!<!-- each: )[\s\S])*?)"
    r"(?:(?<=\n)<!-- /each -->\n|<!-- /each -->)"
)


def filled(text):
    def rows(m):
        """each の囲んだ所を、値の数だけ並べる"""
        known = m[3].split(" | ") if m[2] == "=" else values.every(m[1], m[3])
        return "".join(re.sub(rf"@{m[1]}\b", str(value), m[4], flags=re.A) for value in known)

    while EACH.search(text):  # 内側から
        text = EACH.sub(rows, text)
    text = re.sub(r"(?m)^[ \t]*\0\n", "", MARKER.sub(replace, text))
    text = re.sub(r"(?m)^([ \t]*(?:[*-]|\d+\.))\0\n[ \t]*", r"\1 ", text)  # 箇条書きの印の後の目印
    return text.replace("\0", "")


def replace(m):
    if m["code"]:
        if asked := m["fence"] and questions.fenced(m["code"]):
            return filled(asked)
        names = "|".join((*MARKERS, *HIDDEN, "each"))
        if m["fence"] and (marker := re.search(rf"<!--\s*(?:{names})\b[\s\S]*?-->", m["code"])):
            raise Missing(f"囲みの中の {marker[0]} は、目印にならない: 囲みの外に書く")
        return m[0]
    if m["figure"]:
        try:
            return values.written(m["source"].strip())
        except Missing as e:
            raise Missing(f"{m['figure']}: {e}")
    indent, marker, name, value = m["indent"], m["comment"], m["name"], m["value"]
    if name not in (*MARKERS, *HIDDEN):
        raise Missing(f"知らない目印 {marker}: 使えるのは each、{', '.join((*MARKERS, *HIDDEN))}")
    try:
        if name in HIDDEN:
            if not value and name != "/claim":
                raise Missing("式か理由がない")
            if name == "claim":
                values.claim(value)
            return "\0"
        return textwrap.indent(MARKERS[name](*[v.strip() for v in value.split(",") if v.strip()]), indent)
    except (Missing, TypeError) as e:
        raise Missing(f"{marker}: {e}")


class Figures(Treeprocessor):
    """画像だけの段落を、SVG を埋め込んだ図にする。番号は、題の番号と、ページの中での順番から付ける: 図5.3-2"""

    def run(self, root):
        title = "".join(h.itertext()) if (h := root.find("h1")) is not None else ""
        section = m[0] + "-" if (m := re.match(r"\d+\.\d+", title)) else ""
        numbers = itertools.count(1)
        for parent in [*root.iter()]:
            for img in [e for e in parent if e.tag == "img" and e.get("src").startswith("images/")]:
                svg = ROOT / img.get("src")
                if not svg.is_file():
                    raise Missing(f"images/{svg.name} という図はない")
                if parent.tag != "p" or len(parent) > 1 or f"{parent.text or ''}{img.tail or ''}".strip():
                    raise Missing(f"images/{svg.name}: 図は ![説明](images/名前.svg) だけの段落に書く")
                # 予備の色や名前空間は、SVG だけを開いたときのもの。書かなくても同じ属性も落とす
                drawing = re.sub(r"(var\(--fig-\w+), #\w+\)", r"\1)", svg.read_text(encoding="utf-8"))
                drawing = re.sub(r' (xmlns="[^"]*"|font-weight="normal"|text-anchor="start")', "", drawing)
                said = re.sub(r"&lt;(/?sup)&gt;", r"<\1>", html.escape(img.get("alt"), quote=False))
                caption = f"<figcaption><b>図{section}{next(numbers)}</b> {said}</figcaption>"
                names = img.get("play", "").split()
                for name in names:
                    player.record(name)  # 動かせないものは、ここで断る
                play = f' data-play="{" ".join(names)}"' * bool(names)
                figure = f"<figure data-search-exclude{play}>{drawing}{caption}</figure>"
                parent.text = self.md.htmlStash.store(figure)
                parent.remove(img)


class Finish(Postprocessor):
    """できた HTML に、リストの帯、用語の説明を付け、日本語に合わせる"""

    def run(self, text):
        text = text.replace('"admonition question"', '"admonition question" data-search-exclude')  # 誤った説明もある
        text = re.sub(r"<th([^>]*)></th>", r"<td\1></td>", text)  # 何もない見出しは、読み上げでは見出しにならない
        # 初めのほかに何もない行は、下の行の見出しである
        text = re.sub(r"<tr>\s*<td>(.+)</td>((?:\s*<td></td>)+)\s*</tr>", heading, text)
        if m := re.search(r'<h\d id="([^"]*[^\x00-\x7f"][^"]*)"', text):
            raise Missing(f"見出しに ASCII の id がない: {m[1]} に {{#id}} を付ける")
        text = listings.add(text)
        # コードの、色の付かない印。これで印は半分になる
        text = re.sub(r'<span class="[nwpo]">([^<]*)</span>', r"\1", text)
        # 日本語の文の途中の改行を消す。残すと、ブラウザが空白を 1 つ入れる
        broken = r"(<pre.*?</pre>)|(?<=[^\x00-\x7f])\n *(?=\S)|(?<=\S)\n *(?=[^\x00-\x7f])"
        text = re.sub(broken, r"\1", text, flags=re.S)
        return glossary.explain(text)


def heading(row):
    return f'<tr><th colspan="{1 + row[2].count("<td>")}" scope="rowgroup">{row[1]}</th></tr>'


class Book(Extension):
    def extendMarkdown(self, md):
        def convert(source, convert=md.convert):
            try:
                return convert(source)
            except Missing as e:
                raise Stop(str(e))

        md.convert = convert
        md.preprocessors.register(Markers(md), "book", 40)  # コードの囲みと取り込みより先
        md.treeprocessors.register(Figures(md), "book", 1)  # サイトを作る道具がリンクを直すより先
        md.postprocessors.register(Finish(), "book", -1)  # いちばん後
