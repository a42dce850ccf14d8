"""リストのファイルに書いてあることを読む。Python で読むのはここだけ。

使うのは、tests、docs/_site、docs/measured、images。

札: 初めに続く // の行の、2 行目からの「// 名前: 値」。名前に空白はない。同じ名前がいくつあってもよい。
    何があるかは、.github/CONTRIBUTING.md の表と「課題を足す」にある。
領域: // --8<-- [start:名前] から // --8<-- [end:名前] まで。印の行は中身ではない。
植えた誤り (tests/device): 「// 名前: 何を間違えたか」と、続く札から、次の名前まで。
    報告に出るべき行の終わりに「// ここ」。
動かさないと分からないこと (型、入力、深さ) は、実行ファイルに --describe で聞く。
"""

import functools
import re
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent


def natural(text):
    """5.10 が 5.9 の次に来る並べ方"""
    return [int(s) if s.isdigit() else s for s in re.split(r"(\d+)", str(text))]


def tags(text):
    """{札の名前: [値, …]}"""
    found, head = {}, re.match(r"(?://.*\n?)*", text)[0]
    for line in head.splitlines()[1:]:
        if m := re.fullmatch(r"// ([^\s:]+): (.+)", line):
            found.setdefault(m[1], []).append(m[2])
    return found


class Planted(NamedTuple):
    """植えた誤り 1 つ。引数に名前を書いて動かす"""

    path: Path
    name: str
    title: str
    tags: dict
    lines: list  # 報告に出るべき行の番号


def planted(path):
    text, found = path.read_text(encoding="utf-8"), []
    for part in re.split(r"^(?=// [a-z0-9-]+: )", text, flags=re.M)[1:]:
        name, title = re.match(r"// (\S+): (.+)", part).groups()
        first = text[: text.index(part)].count("\n") + 1
        lines = [k for k, line in enumerate(part.splitlines(), first) if line.endswith("// ここ")]
        found.append(Planted(path, name, title, tags(part), lines))
    return found


def numbered(text):
    """{領域の名前: [(行の番号, 行), …]}"""
    found, opened = {}, []
    for number, line in enumerate(text.splitlines(), 1):
        mark = re.search(r"--8<-- \[(start|end):([^\]]*)\]", line)
        if not mark:
            for name in opened:
                found[name].append((number, line))
        elif mark[1] == "start":
            if mark[2] in found:
                raise ValueError(f"{number} 行目: 領域 {mark[2]} が 2 つある")
            found[mark[2]] = []
            opened.append(mark[2])
        elif mark[2] in opened:
            opened.remove(mark[2])
        else:
            raise ValueError(f"{number} 行目: start のない end: {mark[2]}")
    if opened:
        raise ValueError(f"end のない start: {', '.join(opened)}")
    return found


def regions(text):
    """{領域の名前: 中身}"""
    return {name: "\n".join(line for _, line in lines) for name, lines in numbered(text).items()}


class Listing:
    def __init__(self, path):
        self.path = Path(path)
        self.text = self.path.read_text(encoding="utf-8")
        self.lines = self.text.splitlines()
        graded = self.path.parent.name == "exercises"
        self.section = self.path.parents[graded].name
        self.id = f"{self.section}/{'exercises/' * graded}{self.path.stem}"  # 5.3/3-sequential
        self.name = re.sub(r"^\d+-", "", self.path.stem)  # sequential: EX= に書く名前
        self.title = f"{self.section} {self.name}"  # 5.3 sequential: 報告と記録での名前
        self.tags = tags(self.text)
        needs = self.tags.get("必要", [])
        self.gpu_only = "GPU" in needs
        self.needs = next((n for n in needs if n in ("GPU", "MPI", "ファイル")), "")  # ページの中では動かない理由
        self.mpi = "MPI" in needs
        self.sm = max((int(n[3:]) for n in needs if n.startswith("sm_")), default=75)
        self.wrong = "わざと誤り" in self.tags
        self.sums = "book::run(" in self.text  # 総和を求めて、時間を測るリスト
        self.exercise = "[start:answer]" in self.text


def found(root, pattern):
    """「1-reduction copy.cu」のような名前のファイルは、リストではない (select.sh と同じ)"""
    paths = [p for p in (Path(root) / "code").glob(pattern) if re.fullmatch(r"\d+-[a-z0-9-]+", p.stem)]
    known = [listing(p, p.stat().st_mtime_ns) for p in paths]
    return sorted(known, key=lambda l: (natural(l.section), natural(l.path.name)))


@functools.lru_cache(1 << 10)
def listing(path, _):
    """サイトを作る間に何度も読むので、変わらない限り、前に読んだものを渡す"""
    return Listing(path)


def listings(root=ROOT):
    """読む順"""
    return found(root, "[0-9]*/*.cu")


def graded(root=ROOT):
    """節の exercises/ にある課題"""
    return found(root, "[0-9]*/exercises/*.cu")
