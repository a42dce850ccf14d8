"""問い: ページの ```question の囲みを、選ぶか、数を書く問いにする。正解は手で書かず、記録から求める。

    ```question 5.3-barrier バリアを減らす
    問いの文。いくつかの段落でもよく、{{ 式 }} も書ける。
    code: 5.3/3-sequential              リストのカーネルを見せる。続けて、書き換える所を書ける
    < if (tid < stride)                 元のコード。その節のリストの 1 か所だけにあること
    > if (tid <= stride)                書き換えたもの。なければ、その行を消す
    run: --n 9 --input integers         make sanitize で動かした記録を、[here] で引ける
    - 選択肢 | 条件 | 説明              条件 (values.py の主張) は、1 つだけで成り立つこと
    @ コードの行 | 説明                 見せたコードの行を選ぶ。検査の報告が初めに言った行が、正しい
    = 式                                数を書く。続く「- 式 | 説明」は、よくある誤り
    * 正しいわけ
    ```

    ```blocks 5.3/3-sequential          課題の答えの行に、誤った行を混ぜて、並べる問いにする
    誤った行                            判定は、課題と同じ judge がする
    ```

説明には、その選択肢を選ぶ人が何を思い違えているかを書く。名前は「節-名前」で、本の中に 1 つだけ。
記録 cpu/questions の行は、question のほかに、次の欄を持つ (record_cpu.py)。
    gpu、cpu  合計     agree  CPU の合計と一致したか     line  報告が初めに言った行。報告がなければ 0
    race 競合   stuck バリアや待つ相手の誤り   outside 配列の外   unwritten 未初期化 (どれも真偽)
"""

import hashlib
import re
import textwrap
from typing import NamedTuple

import exercises
import listings
import runnable
import values
from records import Missing

from listing import regions

FENCE = re.compile(
    r"(?m)^(?P<in>[ \t]*)(?P<ticks>`{3,})(?P<kind>question|blocks) (?P<name>\S+)(?: (?P<title>.+))?\n"
    r"(?P<source>(?:.*\n)*?)(?P=in)(?P=ticks)[ \t]*$"
)
PART = re.compile(r"(code: |run: |[-<>@=*] ?)(.*)")


class Choice(NamedTuple):
    text: str  # 選択肢の文か、コードの行か、誤った数の式
    right: bool
    why: str


class Question:
    """text: 問いの文、choices: 選択肢 (数を書く問いでは、よくある誤り)、number: 正しい数 (選ぶ問いでは None)"""

    def __init__(self, name, title, source, answers=True):
        self.name, self.title = name, title
        found = [(PART.fullmatch(line), line) for line in source.splitlines()]
        parts = [(m[1].strip(": "), m[2]) if m else ("", line) for m, line in found]
        told = lambda mark: [said for kind, said in parts if kind == mark]
        if lost := [said for (before, _), (kind, said) in zip(parts, parts[1:]) if before and not kind]:
            raise Missing(f"{name}: 「{lost[0]}」が何かが分からない: 問いの文は、初めにまとめて書く")
        self.text, self.why, self.run = "\n".join(told("")), "\n".join(told("*")), "".join(told("run"))
        self.listing, self.edits, self.choices, self.number = None, [], [], None
        for code in told("code"):
            self.listing = runnable.known(code)
            if not self.listing:
                raise Missing(f"{name}: {code} というリストはない")
        for mark, said in parts:
            if mark == "<":
                self.edits.append((said, []))
            elif mark == ">":
                self.edits[-1][1].append(said)
        self.code = self.listing and self.edited()
        if not answers:
            return
        for mark, said in parts:
            if mark and mark in "-@=":
                self.add(mark, *(cell.strip() for cell in said.split(" | ")))
        if not self.why or not self.text.strip():
            raise Missing(f"{name}: 問いの文か、正しいわけ (*) がない")
        right = [c.text for c in self.choices if c.right]
        if len(right) != (self.number is None):
            raise Missing(f"{name}: 正しい選択肢が {len(right)} つある: {'、'.join(right)}")

    def edited(self):
        """見せて動かす、書き換えたリストの全部"""
        text = self.listing.text
        for before, after in self.edits:
            if text.count(before) != 1:
                raise Missing(f"{self.name}: 「{before}」は {self.listing.id} に {text.count(before)} か所ある")
            whole = re.escape(before) if after else rf".*{re.escape(before)}.*\n"
            text = re.sub(whole, lambda _, new="\n".join(after): new, text)
        return text

    def known(self, source, holds=False):
        """式を、記録から計算する。holds: 主張が成り立つか"""
        asked = source.replace("[here", f"[cpu/questions, {self.name}")
        try:
            return all(right for _, right, *_ in values.claim(asked)) if holds else values.single(asked)[0]
        except Missing as e:
            raise Missing(f"{self.name}: {source}: {e}")

    def add(self, kind, text, *more):
        if kind == "=":
            self.number = self.known(text)
            return
        if len(more) != (2 if kind == "-" and self.number is None else 1):
            raise Missing(f"{self.name}: 「{text}」に、条件か説明がないか、多すぎる")
        if kind == "@":
            at = [k for k, line in enumerate(self.code.splitlines(), 1) if text in line]
            if len(at) != 1:
                raise Missing(f"{self.name}: 「{text}」という行は {len(at)} 行ある")
            self.choices.append(Choice(f"`{text}`", self.known("line[here]") == at[0], more[0]))
        elif self.number is None:
            self.choices.append(Choice(text, self.known(more[0], holds=True), more[1]))
        else:
            wrong = self.known(text)
            if wrong == self.number:
                raise Missing(f"{self.name}: よくある誤り {text} が、正解である")
            self.choices.append(Choice(values.show((wrong, ""), "number"), False, more[0]))

    def answer(self):
        """正しい選択肢か数"""
        if self.number is not None:
            return values.show((self.number, ""), "number")
        return next(c.text for c in self.choices if c.right)

    def markdown(self):
        key = self.number if self.number is not None else next(k for k, c in enumerate(self.choices) if c.right)
        said, *more = self.text.strip().split("\n\n", 1)
        wrong = f' data-wrong="{" ".join(c.text.replace(",", "") for c in self.choices)}"' * (self.number is not None)
        body = f'{said}\n{{: #{self.name} data-question="{self.name}" data-key="{key}"{wrong} }}\n\n'
        body += "".join(f"{m}\n\n" for m in more)
        if self.code:
            before, now = regions(self.listing.text), regions(self.code)
            shown = [now[name] for name in ("kernel", "host") if now.get(name) != before.get(name)]
            if self.edits and not shown:
                raise Missing(f"{self.name}: 書き換えた所が、kernel にも host にもない")
            code = exercises.answered("\n\n".join(shown or [now["kernel"]]))
            marked = " (左に線のある行)" * any(after for _, after in self.edits)
            title = self.listing.id + (listings.EDITED + marked) * bool(self.edits)
            body += f'```cuda title="{title}"\n{code}\n```\n\n'
        if self.number is None:
            body += "".join(f"1. {c.text}\n" for c in self.choices) + "\n"
        whys = "".join(f"* <b>{c.text}:</b> {c.why}\n" for c in self.choices if not c.right)
        body += '??? note "答え"\n' + textwrap.indent(f"<b>{self.answer()}:</b> {self.why}\n\n{whys}", "    ")
        return f'!!! question "{self.title}"\n' + textwrap.indent(body, "    ") + "\n"


def blocks(name, wrong):
    """並べる問い: 課題の答えの行に、誤った行を混ぜる。並べたものを判定するのは、課題の judge である"""
    if not (listing := runnable.known(name)) or not listing.exercise:
        raise Missing(f"blocks {name}: そういう課題はない")
    todo = re.search(r"\[start:answer\] (.*?)(?: \(\d+ 行\))?$", listing.text, re.M)[1]
    answer = textwrap.dedent(exercises.answered(regions(listing.text)["answer"]))
    right = [code for line in answer.splitlines() if (code := line.partition("  //")[0].strip())]
    if not wrong or not 2 <= len(right) <= 14 or {*wrong} & {*right}:
        raise Missing(f"blocks {name}: 答えは 2 行から 14 行で、誤った行が 1 つ以上あり、答えの行とは違うこと")
    lines = sorted(right + wrong, key=lambda line: hashlib.sha256(f"{name} {line}".encode()).digest())
    return f"""!!! question "並べる: {todo}"
    `TODO` の所に入る{len(right)}行を、正しい順に並べる。誤った行が{len(wrong)}つ混ざっている。
    {{: data-blocks="{listing.section}/{listing.name}" }}

{textwrap.indent("".join(f"1. `{line}`{chr(10)}" for line in lines), "    ")}
    ??? note "答え"
        ```cuda
{textwrap.indent(answer, " " * 8)}
        ```
"""


def programs(text):
    """ページの問いの、動かすもの: (名前, リスト, 本文, 指定)。記録がまだなくても読める"""
    for m in FENCE.finditer(text):
        if m["kind"] == "question" and re.search(r"(?m)^[ \t]*run: ", m["source"]):
            question = Question(m["name"], m["title"], textwrap.dedent(m["source"]), answers=False)
            yield question.name, question.listing, question.code, question.run


def fenced(code):
    """問いの囲みなら、それを表す Markdown"""
    if m := FENCE.fullmatch(code):
        source = textwrap.dedent(m["source"])
        ask = blocks(m["name"], source.splitlines()) if m["kind"] == "blocks" else None
        return textwrap.indent(ask or Question(m["name"], m["title"], source).markdown(), m["in"])
