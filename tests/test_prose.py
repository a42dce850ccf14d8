"""本文: 日本語の技術文書の規則 (textlint.yml) と、書き方の統一 (prh.yml と用語集)。

textlint は、本文に 1 回、書き方の統一だけを見るコードの注釈と図に 1 回動かす。
"""

import json
import re
from pathlib import Path

import book
import markers
import pytest
import questions
import runnable
from words import entries

TOOLS = book.ROOT / "tests/node_modules"
OTHERS = [book.ROOT / "README.md", book.ROOT / ".github/CONTRIBUTING.md"]
JAPANESE = re.compile("[ぁ-んァ-ヶ一-龠]")


def plain(text):
    """サイトだけの書き方をほどいて、普通の Markdown にする。行の番号は変えない。記録の値は、読者が読む文字にする"""
    while markers.EACH.search(text):  # 表の行
        text = markers.EACH.sub(lambda m: "\n" * m[0].count("\n"), text)
    text = markers.MARKER.sub(lambda m: markers.replace(m) if m["figure"] else m[0], text)
    lines, opened, head = [], [], text.startswith("---\n")
    for k, line in enumerate(text.splitlines()):
        if head:  # 先頭の設定のうち、読者が読むのは description だけ
            head = k == 0 or line != "---"
            lines.append(line.partition("description: ")[2])
            continue
        indent = len(line) - len(line.lstrip())
        while line.strip() and opened and indent < opened[-1] + 4:
            opened.pop()
        line = line[4 * len(opened) :]
        if m := re.match(r'( *)(?:\?\?\?\+?|!!!|===)\s+(?:\w+\s+)?"(.*)"$', line):  # 折り畳みとタブの中は、字下げを戻す
            opened.append(indent)
            line = f"{m[1]}#### {m[2]}"
        if line.startswith(":   "):  # 用語の説明
            line = "" if re.match(":   (ほかの本では|似た言葉): ", line) else "* " + line[4:]
        line = re.sub(r"!\[([^\]]*)\]\([^)]*\)", r"\1", line)  # 図の説明
        lines.append(re.sub(r"\s*\{[#.:][^}]*\}$", "", line))
    return "\n".join(lines) + "\n"


OTHER_NAMES = {name: e.term for e in entries() for name in e.elsewhere}
BAD = [
    ("no-mix-dearu-desumasu", "カーネルを起動します。"),
    ("sentence-length", "GPUは" + "足し算の順番を決めずに" * 9 + "足す。"),
    ("max-ten", "読み、足し、書き、待ち、また読む。"),
    ("no-doubled-joshi", "ブロックが数が多い。"),
    ("no-dropping-the-ra", "この値は見れる。"),
    ("ja-no-redundant-expression", "検査を行うことができる。"),
    ("ja-no-mixed-period", "句点がない\n\n次の段落である。"),
    ("ja-no-weak-phrase", "速くなるかもしれない。"),
    ("no-unmatched-pair", "括弧を閉じない (ここまでである。"),
    ("ja-space-between-half-and-full-width", "この GPU である。"),
    ("ja-space-around-code", "変数`i`である。"),
    ("prh", "メモリーである。"),
    (
        "prh",
        '=== "GPUがある"\n\n    1. 畳む。\n\n        ??? note "答え"\n            Sharedメモリである。',
    ),  # 字下げの奥
    ("prh", "---\ndescription: コンパイラーを使う。\n---\n本文である。"),
    ("prh", "![図はメモリーである。](images/x.svg)"),
]


def asked(text):
    """問いの囲みを、同じ行数の文にする"""

    def said(line):
        if re.match(r"(code|run): |[<>=]", line):
            return ""
        if line[:2] in ("- ", "@ "):
            choice, *condition, why = line[2:].split(" | ")  # 条件がなければ、コードか式
            return "* " + "。".join([choice] * bool(condition) + [why] * bool(why.strip())) + "。"
        return line

    lines = lambda m: map(said, m["source"].splitlines()) if m["kind"] == "question" else [""] * m["source"].count("\n")
    return questions.FENCE.sub(lambda m: "\n".join(["", *lines(m), ""]), text)


@pytest.fixture(scope="module")
def findings(tmp_path_factory):
    """{ファイル: [(行, 規則, 言い分)]}。ページのほかに、わざと悪く書いたものも読ませる"""
    if runnable.lacking():
        pytest.skip(f"{runnable.lacking()} がない (make setup で入る)")
    at = tmp_path_factory.mktemp("prose")
    config = (book.ROOT / "tests/textlint.yml").read_text(encoding="utf-8")
    (at / "pages.yml").write_text(config, encoding="utf-8")
    (at / "spelled.yml").write_text("rules:\n" + config[config.index("  prh:") :], encoding="utf-8")
    rules = "".join(f"  - {{ expected: {term}, pattern: {name} }}\n" for name, term in OTHER_NAMES.items())
    (at / "prh.yml").write_text((book.ROOT / "tests/prh.yml").read_text(encoding="utf-8") + rules, encoding="utf-8")

    texts = {p: plain(asked(p.read_text(encoding="utf-8"))) for p in [*book.ROOT.glob("docs/*.md"), *OTHERS]}
    # コードのコメントと図の字。記号の多い行なので、見るのは書き方の統一だけ
    spelled = [
        p
        for kind in ("code/**/*.c*", "code/**/*.h", "images/*.svg", "docs/_site/*.py", "Makefile")
        for p in book.ROOT.glob(kind)
    ]
    texts |= {
        p: "\n".join(s if JAPANESE.search(s) else "" for s in p.read_text(encoding="utf-8").splitlines())
        for p in spelled
    }
    files = {p.relative_to(book.ROOT).as_posix(): text for p, text in texts.items()}
    files |= {f"bad/{k}.md": plain(text) for k, text in enumerate(text for _, text in BAD)}
    files["bad/terms.md"] = "\n\n".join(f"{name}である。" for name in OTHER_NAMES)
    for name, text in files.items():
        to = at / (f"pages/{name}" if name.endswith(".md") else f"spelled/{name}.txt")
        to.parent.mkdir(parents=True, exist_ok=True)
        to.write_text(text, encoding="utf-8")
    found = {}
    for kind in ("pages", "spelled"):
        given = ["--config", at / f"{kind}.yml", "--rules-base-directory", TOOLS, "-f", "json", at / kind]
        done = book.call([TOOLS / ".bin/textlint", *given], cwd=at)
        assert done.returncode in (0, 1) and done.stdout.startswith("["), done.stderr
        for result in json.loads(done.stdout):
            name = Path(result["filePath"]).relative_to(at / kind).as_posix().removesuffix(".txt")
            found[name] = [(m["line"], m["ruleId"], " ".join(m["message"].split())) for m in result["messages"]]
    assert found.keys() == files.keys()
    return found


def test_prose(findings):
    told = [
        f"{name}:{line}: {says} ({rule})"
        for name, all in findings.items()
        if not name.startswith("bad/")
        for line, rule, says in all
    ]
    assert not told, "\n".join(told)


@pytest.mark.parametrize("k, rule", [(k, rule) for k, (rule, _) in enumerate(BAD)])
def test_bad_prose_is_seen(findings, k, rule):
    """上の検査が失敗できること"""
    assert rule in [r.split("/")[-1] for _, r, _ in findings[f"bad/{k}.md"]]


def test_other_names_are_seen(findings):
    """用語集の「ほかの本では」の呼び方は、本文では使えない"""
    names = list(OTHER_NAMES)
    assert names
    seen = {line for line, rule, _ in findings["bad/terms.md"] if rule == "prh"}
    assert [name for k, name in enumerate(names) if 2 * k + 1 not in seen] == []
