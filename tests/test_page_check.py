"""ページの中の検査: 書き換えたリストをページの中のコンパイラで作り、make sanitize と同じことを、同じ言葉で言う。

tests/device の誤りは、出るべき文と行を自分で言う (test_tools.py と同じ)。リストから待ち合わせを取り除いたものは、
make sanitize の報告と 1 字ずつ比べる。何も指定しなければ、取り除き方ごとに 1 つずつ。
PAGE_CHECK=all なら、全部を比べる。
"""

import hashlib
import json
import re

import book
import pytest
from engine import ALL, told

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
        first.setdefault(len(first) if ALL else re.sub(r"\W.*", "", m[2]) + str("return" in m[-1]), m)
    return first.values()


def folder(kind):
    paths = sorted((book.ROOT / "tests/device" / kind).glob("*.cu"))
    return {p.relative_to(book.ROOT).as_posix(): p.read_text(encoding="utf-8") for p in paths}


CASES = {}  # 植えた誤り: {ファイル: [誤り, …]}
for p in [*book.planted("found-by-sanitize"), *book.planted("found-by-run")]:
    CASES.setdefault(book.source(p.path), []).append(p)
MUTANTS = [(l, *m) for l in book.listings() if not l.wrong and not l.needs for m in book.removals(l)]
COVERED = {m[0].id for m in MUTANTS}
REST = [l for l in book.listings() if not l.needs and l.id not in COVERED]  # 取り除くもののないリスト
PROGRAMS = {
    "found-by-sanitize": folder("found-by-sanitize"),
    "found-by-run": folder("found-by-run"),
    "right": dict(sorted(folder("right").items())[:: 1 if ALL else 3]),
    "removals": {f"code/{m[0].section}/mutant{k}.cu": m[-1] for k, m in enumerate(chosen(MUTANTS))},
}
# よそのコード (test_foreign.py)。ページの中では、例外は使えない (wasm/throw.cpp)
FOREIGN = {name: text for name, text in folder("foreign").items() if "throw std::" not in text}
LENGTHS = ["1003", "9"]  # 端数が配列の中に収まって、誤りにならない長さもある
NUMBERS, LENGTH = "5.2/2-in-place", "257"
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
    """どれもまとめて作り、動かす: {(種類, 名前, 引数): (終了コード, 出力, 誤り, JSON)}"""
    jobs, keys = [], []
    for kind, programs in PROGRAMS.items():
        names = list(programs)
        for k in range(0, len(names), TOGETHER):
            part = {n: programs[n] for n in names[k : k + TOGETHER]}
            text = book.bundled(part, book.ROOT / "code/bundle")
            given = lambda n: (
                [["--n", l] for l in LENGTHS] if kind == "removals" else [[p.name] for p in CASES.get(n, [])]
            )
            runs = [(f"listing-{i}", name, args) for i, name in enumerate(part) for args in given(name) or [[]]]
            keys += [(kind, name, args[-1] if args else None) for _, name, args in runs]
            runs = [[program, *args] for program, _, args in runs]
            jobs.append({"file": "code/bundle/0.cu", "text": text, "tool": "sanitize", "runs": runs})
    whole = {n: t for n, t in FOREIGN.items() if book.names_the_top(t)}
    arguments = lambda text: re.findall(r"^// 引数: (.*)$", text, re.M)
    part = {n: book.apart(t) for n, t in FOREIGN.items() if n not in whole}
    runs = [[f"listing-{i}", *arguments(t)] for i, t in enumerate(part.values())]
    text = book.bundled(part, book.ROOT / "code/bundle")
    jobs.append({"file": "code/bundle/0.cu", "text": text, "tool": "run", "runs": runs})
    jobs += [{"file": n, "text": t, "tool": "run", "runs": [["listing", *arguments(t)]]} for n, t in whole.items()]
    keys += [("foreign", name, None) for name in (*part, *whole)]
    for listing in REST:
        text, file = listing.text, f"code/{listing.id}.cu"
        jobs.append({"file": file, "text": text, "tool": "sanitize", "runs": [["listing", "--options"]]})
        keys.append(("sanitize", listing.id, None))
    for tool in ("count", "trace"):
        text = (book.ROOT / f"code/{NUMBERS}.cu").read_text(encoding="utf-8")
        jobs.append({"file": f"code/{NUMBERS}.cu", "text": text, "tool": tool, "runs": [["listing", "--n", LENGTH]]})
        keys.append((tool, NUMBERS, LENGTH))
    jobs.append({"file": "code/errors.cu", "text": ERRORS, "tool": "run", "runs": [["errors"]]})
    keys.append(("run", "errors", None))
    return dict(zip(keys, (r for runs in json.loads(told(pack, RUN, jobs)) for r in runs)))


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
    for name, planted in ((name, p) for name in PROGRAMS[kind] for p in CASES[name]):
        status, _, said, _ = in_page[kind, name, planted.name]
        missing = book.unsaid(planted._replace(tags={"期待": expected(planted.tags)}), said)
        codes = [1] if kind == "found-by-sanitize" else [1, 3]
        if status not in codes or missing:
            wrong.append(f"{planted.name}: 終了コード {status}、{missing} が出ない\n{said}")
    assert not wrong, "\n".join(wrong)


def test_right(in_page):
    """正しいが込み入ったカーネルには、何も言わない"""
    said = {name: (in_page["right", name, None][0], in_page["right", name, None][2]) for name in PROGRAMS["right"]}
    assert said == dict.fromkeys(said, (0, "検査: 誤りは見つからなかった\n"))


@pytest.mark.parametrize("name", FOREIGN)
def test_foreign(in_page, name):
    """よそのコードも、書き換えずに、機械と同じ出力になる"""
    status, out, err, _ = in_page["foreign", name, None]
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
        for n in LENGTHS:
            status, out, err, _ = in_page["removals", name, n]
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
    for listing in REST:
        status, out, err, _ = in_page["sanitize", listing.id, None]
        assert (status, err) == (0, "") and "--n" in out, listing.id


def test_errors(in_page, tmp_path):
    """エラーの名前と文は、どのリストにも入れず、後から渡す。それでも make run と同じ"""
    (tmp_path / "errors.cu").write_text(ERRORS)
    done = book.make("-s", "run", "DEVICE=cpu", f"FILE={tmp_path / 'errors.cu'}")
    assert in_page["run", "errors", None][:3] == [0, done.stdout, ""]
    assert len(done.stdout.splitlines()) == 11000 and "999 cudaErrorUnknown: unknown error" in done.stdout


# ---------------------------------------------------------------- 数える、たどる
def in_any_order(record):
    """1 つの式の中の読む順番は、コンパイラが決める"""
    events = record["events"] if isinstance(record, dict) else record
    return sorted(json.dumps(e, sort_keys=True) for e in events)


@pytest.mark.parametrize("tool", ["count", "trace"])
def test_numbers(in_page, tool):
    """行ごとの数と、1 つずつの読み書きは、make count, trace と同じ"""
    (program,) = book.Tools("c++").build(f"{tool}/{NUMBERS}")
    done = book.call([program, "--n", LENGTH])
    status, out, err, made = in_page[tool, NUMBERS, LENGTH]
    table = lambda output: output[output.find("\nカーネル") :] if tool == "count" else ""
    assert (status, err, table(out)) == (done.returncode, done.stderr, table(done.stdout))
    expected = program.with_name(program.name + ".json").read_text(encoding="utf-8")
    assert in_any_order(json.loads(made)) == in_any_order(json.loads(expected))
