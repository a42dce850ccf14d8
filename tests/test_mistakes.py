"""ページの書き間違い: 目印も、式も、主張も、問いも、黙って消えずに、1 文を言って、サイトができない。"""

import re

import book
import pytest

if not book.have_mkdocs():
    pytest.skip("mkdocs と mkdocs-material がない (.venv には入る)", allow_module_level=True)
import markdown
import markers

ASKED = """```question 5.3-x 題
問いの文。
- 足す | 1 < 2 | 
- 足さない | 1 > 2 | 足さなくてよいと思っている
* わけ
```
"""
CODED = ASKED.replace("- 足す | 1 < 2 | ", "code: 5.3/3-sequential\n@ __syncthreads | ")
BLOCKS = "```blocks 5.3/3-sequential\n{}\n```\n"
CLAIM = "<!-- claim: us[5.3 sequential] < us[5.3 interleaved] for {} -->{}<!-- /claim -->"
MARKS = [
    ("<!-- measurd: 5.1 -->", "知らない目印 <!-- measurd: 5.1 -->: 使えるのは each、measured,"),
    ("<!--claims:1 < 2-->", "知らない目印"),
    ("<!-- typed -->", "<!-- typed -->: 式か理由がない"),
    ("<!-- measured: 5.99 -->", "<!-- measured: 5.99 -->: 5.99 というリストも節もない"),
    ("<!-- output: 5.3 nothing -->", "5.3 nothing というリストも節もない"),
    ("<!-- sections: 5.1 -->", "<!-- sections: 5.1 -->: sections() takes 0"),  # 名前を取らない目印
    ("<!-- exercises: 5.1 -->", "<!-- exercises: 5.1 -->: "),
    ("<!-- each: n in nothing -->@n<!-- /each -->", "に記録 nothing がない"),
    ("<!-- each: n = 1 | 2 -->@n", "知らない目印 <!-- each: n = 1 | 2 -->"),
    ("<!-- each: n = 1 -->{{ @m }}<!-- /each -->", "式「@m」が読めない"),
    ("<!-- experiment: aggregat -->", "aggregat という実験はない"),
    ("<!-- both: 5.1 race -->", "リストを 2 つ書く (5.1 race, 5.1 atomic)"),
    ("<!-- exercise: 5.1/1-race -->", "5.1/1-race という課題はない"),
    ('![図](images/5.2-fold.svg){: play="5.3-nowhere" }', "5.3-nowhere.json という記録がない"),
    ("![図](images/nowhere.svg)", "images/nowhere.svg という図はない"),
    ("文の中の ![図](images/5.2-fold.svg)", "だけの段落に書く"),
    ('```cuda title="code/5.2/9-nothing.cu"\nx\n```', "code/5.2/9-nothing.cu というリストはない"),
    ("## 目標 {#目標}", "見出しに ASCII の id がない: 目標"),
]
VALUES = [
    ("us[5.3 sequentia, 2^22]", "{{ us[5.3 sequentia, 2^22] }}: 記録 times に、5.3 sequentia、2^22 を持つ行がない"),
    ("use[5.3 sequential, 2^22]", "use という数の欄がない"),
    ("us[5.3 sequential]", "合う行が 6 つある: n (1024, 65536, "),
    ("us[5.5 early-exit]", "iterations (1, 10, 100, 1000) で選ぶ"),
    ("us[cpu/nothing, 2^22]", "cpu に記録 nothing がない"),
    ("us[5.3 sequential, 2^22] + 1", " µs + 1"),
    ("us[5.3 sequential, 2^22] as GB/s", "この値の単位は GB/s にできない"),
    ("us[5.3 sequential, 2^22] < 1 µs", "値である"),
    ("us[5.3 sequential, 2^22] ms", "式「us[5.3 sequential, 2^22] ms」が読めない"),
    ("print(1)", "が読めない"),
    ("us[5.3 sequential] / us[5.3 strided]", "まとめる行が、参照によって違う"),
    ("1 / 0", "0 で割る"),
    ("speed", "speed という値はない"),
    ("max(us[5.3 sequential] / us[5.2 in-place])", "まとめる行が、参照によって違う"),
    ("max(us[5.3 sequential, 2^22] for every n)", "場合が 1 つしかない"),
]
CLAIMS = [
    ("<!-- claim: -->速い。<!-- /claim -->", "<!-- claim: -->: 式か理由がない"),
    ("<!-- claim: us[5.3 sequentia] < 3 µs for every n -->速い。<!-- /claim -->", "for every n -->: 記録 times に"),
    ("<!-- claim: us[5.3 sequential, 2^22] < 3 -->速い。<!-- /claim -->", "単位の違う値は比べられない"),
    ("<!-- claim: 1 < 2 -->\n文", "<!-- /claim --> で終わっていない"),
    ("文 <!-- /claim -->", "1 つの段落の中の文を囲む"),
    ("<!-- claim: 1 < 2 --> <!-- /claim -->", "1 つの段落の中の文を囲む"),
    ("<!-- claim: 1 < 2 -->\n文\n\n文\n<!-- /claim -->", "1 つの段落の中の文を囲む"),
    ("<!-- claim: 1 < 2 -->文\n<!-- claim: 2 < 3 -->文<!-- /claim -->", "<!-- /claim --> で終わっていない"),
]
EVERY = ["どのNでも", "いつも", "いちばん", "ほとんどの形で", "Nが大きいほど", "これだけが"]
CLAIMS += [(CLAIM.format("n = 2^22", f"{word}速い。"), f"{word}速い。") for word in EVERY]
QUESTIONS = [
    (ASKED.replace("1 > 2", "1 < 2"), "正しい選択肢が 2 つある"),
    (ASKED.replace("1 < 2", "1 > 2"), "正しい選択肢が 0 つある"),
    (ASKED.replace("* わけ\n", ""), "正しいわけ (*) がない"),
    (ASKED.replace(" | 足さなくてよいと思っている", ""), "説明がない"),
    (ASKED.replace("1 > 2", "us[5.3 そんなリスト, 2^22] > 2"), "記録 times に"),
    (ASKED.replace("1 > 2", "line[here] > 2"), "を持つ行がない"),
    (ASKED.replace("* わけ", "* わけ\nあとの文"), "何かが分からない"),
    ("```question 5.3-x 題\n文\n= 1 + 1\n- 2 | 引いた\n* わけ\n```", "よくある誤り 2 が、正解である"),
    (CODED.replace("3-sequential", "9-no"), "5.3/9-no というリストはない"),
    (CODED.replace("@ ", "< __syncthreads();\n@ "), "か所ある"),
    (CODED, "という行は"),
    (BLOCKS.format("a").replace("3-sequential", "9-no"), "blocks 5.3/9-no: そういう課題はない"),
    (BLOCKS.format("}"), "blocks 5.3/3-sequential: 答えは 2 行から 14 行で"),
]
RIGHT = ["## 目標 {#goal}", ASKED, "{{ us[5.3 sequential, 2^22] }}"]
RIGHT += [CLAIM.format("every n", f"{word}速い。") for word in EVERY]
RIGHT += [CLAIM.format("n = 2^22", "{{ 1 }}つ速い。同じだけ速い。"), BLOCKS.format("a")]


def made(text):
    more = ["attr_list", "pymdownx.superfences", "pymdownx.highlight"]
    return markdown.markdown(text, extensions=[markers.Book(), *more])


MISTAKES = [*MARKS, *((f"{{{{ {value} }}}}", said) for value, said in VALUES), *CLAIMS, *QUESTIONS]


@pytest.mark.parametrize("text, said", MISTAKES, ids=range(len(MISTAKES)))
def test_a_mistake_is_told(text, said):
    with pytest.raises(markers.Stop, match=re.escape(said)):
        made(text)


@pytest.mark.parametrize("text", RIGHT, ids=range(len(RIGHT)))
def test_what_is_right_is_made(text):
    assert made(text)
