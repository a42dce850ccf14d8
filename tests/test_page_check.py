"""ページの中の検査: 書き換えたリストをページの中のコンパイラで作り、make sanitize と同じことを、同じ言葉で言う。

tests/device の誤りは、出るべき文と行を自分で言う (test_tools.py と同じ)。リストから待ち合わせを取り除いたものは、
make sanitize の報告と 1 字ずつ比べる。
"""

import hashlib
import json
import re

import book
import pytest
from engine import told

RUN = """
const output = jobs.map((job) => {
    const program = made(job);
    return job.runs.map((args) => execute(program, args));
});
console.log(JSON.stringify(output));
"""


def chosen(mutants):
    """取り除き方ごとに、1 つずつ。どれかは中身から決めるので、リストが増えても片寄らない"""
    first = {}
    for m in sorted(mutants, key=lambda m: hashlib.sha256(m[-1].encode()).digest()):
        first.setdefault(re.sub(r"\W.*", "", m[2]) + str("return" in m[-1]), m)
    return first.values()


def folder(kind):
    paths = sorted((book.ROOT / "tests/device" / kind).glob("*.cu"))
    return {p.relative_to(book.ROOT).as_posix(): p.read_text(encoding="utf-8") for p in paths}


CASES = {}  # 植えた誤り: {ファイル: [誤り, …]}
for p in [*book.planted("found-by-sanitize"), *book.planted("found-by-run")]:
    if p.name != "forgotten-delete":  # 検査では、カーネルの中の new を数えない
        CASES.setdefault(book.source(p.path), []).append(p)
MUTANTS = [(l, *m) for l in book.listings() if not l.wrong and not l.needs for m in book.removals(l)]
COVERED = {m[0].id for m in MUTANTS}
REST = [l for l in book.listings() if not l.needs and l.id not in COVERED]  # 取り除くもののないリスト
PROGRAMS = {
    "found-by-sanitize": folder("found-by-sanitize"),
    "found-by-run": folder("found-by-run"),
    "right": folder("right"),
    "removals": {f"code/{m[0].section}/mutant{k}.cu": m[-1] for k, m in enumerate(chosen(MUTANTS))},
    # まとめたほかのものまで、競合するように作らない
    "rest": {f"code/{l.id}.cu": l.text.replace("// わざと誤り", "//") for l in REST},
}
# よそのコード (test_foreign.py)。ページの中では、例外は使えず (wasm/throw.cpp)、いつも C++17 である
FOREIGN = {name: text for name, text in folder("foreign").items() if not re.search("throw std::|// 版: 20", text)}
LENGTHS = ["1003", "9"]  # 端数が配列の中に収まって、誤りにならない長さもある
TOGETHER = 50  # 1 つにまとめるプログラムの数
# カーネルの起動のあるヘッダは、どこから取り込んでも書き換える
ERRORS = """#include <cstdio>
#include "reduce/exact.cuh"
#include "reduce/reduce.cuh"
int main() {
    for (int i = 0; i < 11000; i++) {
        const cudaError_t e = cudaError_t(i);
        printf("%d %s: %s\\n", i, cudaGetErrorName(e), cudaGetErrorString(e));
    }
}
"""


@pytest.fixture(scope="module")
def in_page(pack):
    """どれもまとめて作り、動かす: {名前: [(終了コード, 出力, 誤り, JSON)]}"""
    runs = {name: [["--n", n] for n in LENGTHS] for name in PROGRAMS["removals"]}
    runs |= {name: [["--options"]] for name in PROGRAMS["rest"]}
    runs |= {name: [[p.name] for p in cases] for name, cases in CASES.items()}
    runs |= {name: [re.findall(r"^// 引数: (.*)$", text, re.M)] for name, text in FOREIGN.items()}
    whole = {name: text for name, text in FOREIGN.items() if book.names_the_top(text)}
    apart = {name: book.apart(text) for name, text in FOREIGN.items() if name not in whole}
    jobs, keys = [], []

    def add(tool, names, text, file, program):
        jobs.append({"file": file, "text": text, "tool": tool})
        jobs[-1]["runs"] = [[program(k), *args] for k, n in enumerate(names) for args in runs.get(n, [[]])]
        keys.extend(name for name in names for _ in runs.get(name, [[]]))

    rest = PROGRAMS["right"] | PROGRAMS["removals"] | PROGRAMS["rest"]
    planted = [("sanitize", PROGRAMS[kind]) for kind in ("found-by-sanitize", "found-by-run")]
    for tool, programs in [*planted, ("sanitize", rest), ("run", apart | {"code/errors.cu": ERRORS})]:
        for k in range(0, len(programs), TOGETHER):
            part = dict([*programs.items()][k : k + TOGETHER])
            text = book.bundled(part, book.ROOT / "code/bundle")
            add(tool, part, text, "code/bundle/0.cu", lambda k: f"listing-{k}")
    for name, text in whole.items():
        add("run", [name], text, name, lambda k: "listing")
    found = {}
    for key, run in zip(keys, (r for runs in json.loads(told(pack, RUN, jobs)) for r in runs), strict=True):
        found.setdefault(key, []).append(run)
    return found


# ---------------------------------------------------------------- 植えた誤り
def expected(tags):
    """出るべき文。配列の外とヌルポインタは、make run では触れて止まるが、検査は触れる前に自分の言葉で言う"""
    touched = any("触れてはいけないアドレス" in e for e in tags["期待"])
    far = any("桁あふれ" in e for e in tags["期待"])  # 番地が 32 ビットなので、遠くても、どれかの配列の外と言える
    return ["検査: "] if touched else ["検査: 配列の外"] if far else tags["期待"]


@pytest.mark.parametrize("kind", ["found-by-sanitize", "found-by-run"])
def test_planted(in_page, kind):
    """植えた誤りが、どれも同じ行の同じ文で見つかる"""
    wrong = []
    for name in PROGRAMS[kind]:
        for planted, (status, _, said, _) in zip(CASES[name], in_page[name], strict=True):
            if "ページ" in planted.tags:  # ページでは見つからないわけ
                continue
            missing = book.unsaid(planted._replace(tags={"期待": expected(planted.tags)}), said)
            codes = [1] if kind == "found-by-sanitize" else [1, 3]
            if status not in codes or missing:
                wrong.append(f"{planted.name}: 終了コード {status}、{missing} が出ない\n{said}")
    assert not wrong, "\n".join(wrong)


def test_right(in_page):
    """正しいが込み入ったカーネルには、何も言わない"""
    said = {name: tuple(in_page[name][0][::2]) for name in PROGRAMS["right"]}
    assert said == dict.fromkeys(said, (0, "検査: 誤りは見つからなかった\n"))


@pytest.mark.parametrize("name", FOREIGN)
def test_foreign(in_page, name):
    """よそのコードも、書き換えずに、機械と同じ出力になる"""
    [(status, out, err, _)] = in_page[name]
    said = lambda what: re.findall(rf"^// {what}: (?!警告)(.*)$", FOREIGN[name], re.M)  # コンパイルの警告は出さない
    assert (status, out.splitlines()) == (0, said("出力")), err
    assert all(text in err for text in said("標準エラー")) and (said("標準エラー") or err == ""), err


def same(page, native):
    """1 字ずつ同じ。

    ただし、まだ誰も書いていない値で分かれた後と、配列の外のどちらの調べ方が先かは、コンパイラが決める
    """
    first = [re.search(r"\S+\.cuh?:\d+", text) for text in (page, native)]
    free = any(all(words in text for text in (page, native)) for words in ("まだ誰も書いていない", "配列の外"))
    return page == native or (free and all(first) and first[0][0] == first[1][0])


def test_removals(in_page, tmp_path):
    """待ち合わせや見張りを取り除いたものに、make sanitize と同じことを、同じ言葉で言う"""
    programs, wrong = PROGRAMS["removals"], []
    root = book.copy_sources(tmp_path / "copy", runtime=True)
    native = book.build_bundles(root, programs, "sanitize", count=-(-len(programs) // TOGETHER))
    for name in programs:
        for n, (status, out, err, _) in zip(LENGTHS, in_page[name], strict=True):
            done = book.call([native[name], "--n", n], cwd=root)
            if (status, out[: out.find("\n")]) != (done.returncode, done.stdout[: out.find("\n")]) or not same(
                err, done.stderr
            ):
                wrong.append(
                    f"{name} N={n}: {status}\n{err}{out[:60]}\n-- make sanitize: {done.returncode}\n{done.stderr}"
                )
    assert not wrong, "\n".join(wrong)


def test_rest(in_page):
    """取り除くもののないリストも、検査のために作れて、指定を答える"""
    for name in PROGRAMS["rest"]:
        [(status, out, err, _)] = in_page[name]
        assert (status, err) == (0, "") and "--n" in out, name


def test_errors(in_page, tmp_path):
    """エラーの名前と文は、どのリストにも入れず、後から渡す。それでも make run と同じ"""
    (tmp_path / "errors.cu").write_text(ERRORS)
    done = book.make("-s", "run", "DEVICE=cpu", f"FILE={tmp_path / 'errors.cu'}")
    assert in_page["code/errors.cu"][0][:3] == [0, done.stdout, ""]
    assert len(done.stdout.splitlines()) == 11000 and "999 cudaErrorUnknown: unknown error" in done.stdout
