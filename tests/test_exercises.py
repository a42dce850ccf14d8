"""課題: 答えは通り、切り出したままのものは通らない

読者が書いたものは上書きしない。どれも写しの中で試す。
"""

import re

import book
import exercise
import pytest
from book import refused
from exercise import BY_ID, CPU, EXERCISES, GRADED, SEQUENTIAL, check, cut, fails, foreign, judged, line_of, passes, put
from web import Page

ALL = EXERCISES + GRADED
SECTIONS = sorted({l.section for l in ALL}, key=book.number)
EACH = pytest.mark.parametrize("listing", [pytest.param(l, id=l.id) for l in EXERCISES])
EVERY = pytest.mark.parametrize("listing", [pytest.param(l, id=l.id) for l in ALL])


@pytest.fixture
def fresh(tmp_path):
    return book.copy_sources(tmp_path)


@EACH
def test_answer_is_in_the_kernel(listing):
    """答えはカーネルの中にあり、説明の行数は空行を除いた行の数"""
    answer, kernel = (book.regions(listing.text)[k] for k in ("answer", "kernel"))
    assert answer in kernel
    said = re.search(r"\[start:answer\] \S.* \((\d+) 行\)$", listing.text, re.M)
    assert said and int(said[1]) == sum(bool(line.strip()) for line in answer.splitlines())


# ---------------------------------------------------------------- 切り出したものと、答え
@pytest.fixture(scope="module")
def given(root):
    """make exercise が作った課題"""
    for section in SECTIONS:
        made = book.make("exercise", f"CH={section}", "CXX=nope", root=root)
        assert made.returncode == 0 and made.stderr == "", made.stderr
    return {l.id: (root / f"work/{l.id}.cu").read_text(encoding="utf-8") for l in ALL}


@pytest.fixture(scope="module")
def untouched(given, tmp_path_factory):
    """切り出したままの判定: {課題: 報告}"""
    answers = [(l, given[l.id]) for l in ALL]
    return dict(zip(given, judged(tmp_path_factory.mktemp("untouched"), "untouched", answers)))


@EVERY
def test_untouched_fails(given, untouched, listing):
    """切り出したものはコンパイルできて、答えが合わず、どの条件か、TODO の行か、断る行を言う。解説は渡さない"""
    text, report = given[listing.id], untouched[listing.id]
    assert text == cut(listing) and "//-" not in text and "解説" not in text
    if listing in GRADED:
        assert re.match(rf"❌ .*N=\d+ BLOCK=256 |work/{listing.id}\.cu:\d+: この課題では", report)
        return
    given_to, wanted = (r"INPUT=\w+ ", r"\d+\n") if listing.sums else (r"(?:[A-Z]+=\S+ )+", r"nan\n|\S.*\d")
    said = rf"❌ .*: (?:OP=\w+|[A-Z]+=\d+) BLOCK=256 {given_to}で失敗した\n  期待した答え: (?:{wanted})"
    assert re.match(said, report) and re.search(r"^  結果        : \S+", report, re.M), report
    assert f"work/{listing.id}.cu:{line_of(text, 'TODO')} に TODO" in report


@EVERY
def test_page_shows_the_cut(site, given, listing):
    """ページの課題は、make exercise が作るファイルのカーネルと同じ"""
    kernel = book.regions(given[listing.id])["kernel"]
    assert kernel in [code.strip("\n") for code in Page(site / f"{listing.section}.html").codes]


@pytest.fixture(scope="module")
def answered(tmp_path_factory):
    """答え (リストそのもの) の判定: {課題: 報告}"""
    answers = [(l, l.text) for l in ALL]
    to = tmp_path_factory.mktemp("answered")
    return dict(zip((l.id for l in ALL), judged(to, "answered", answers, exercise.sizes())))


@EVERY
def test_answer_passes(answered, listing):
    """どの大きさのブロックでも、答えが合い、検査は何も言わない"""
    assert answered[listing.id] == ""


def test_answers_call_what_a_kernel_may(answered):
    assert foreign("answered", exercise.sizes()) == ""


def test_section_is_judged(root, given):
    """make check は、節の課題を 1 つずつ判定し、1 つでも通らなければ失敗する"""
    first, *rest = (l for l in ALL if l.section == "5.4")
    put(root, first, given[first.id])
    for listing in rest:
        put(root, listing, listing.text)
    done = book.make("check", "CH=5.4", CPU, root=root, timeout=300)
    told = re.findall("^([✅❌]) 5.4 (.*?): ", done.stdout, re.M)
    assert told == [("❌", first.name), *(("✅", l.name) for l in rest)], done.stdout + done.stderr
    assert rest and done.returncode != 0


OWN = sorted({path.parent.name for path in book.host_sources() if path.parent.name != "code"})


@pytest.mark.parametrize("section", OWN)
def test_own_part_is_linked(root, given, section):
    """節の .cpp も、make check がその節の課題につなぐ。つながらなければ、手を付けていない課題も動かない"""
    listing = next(l for l in EXERCISES if l.section == section)
    fails(root, listing, given[listing.id], "期待した答え")


def test_section_header_is_checked_too(root):
    """節のヘッダの共有メモリも、検査が名前で言えるように書き換わる。行は、元のヘッダの行である"""
    passes(root, BY_ID["5.8/3-last-block"], BY_ID["5.8/3-last-block"].text)
    folder = root / "build/check/block-256/tool/5.8"
    made = (folder / "3-last-block.cpp").read_text(encoding="utf-8")
    assert '#include "block-sum.cuh"' not in made
    headers = [header.read_text(encoding="utf-8") for header in folder.glob("headers/*.h")]
    (header,) = [header for header in headers if '#line 1 "code/5.8/block-sum.cuh"' in header]
    assert "CPU_SHARED(smem" in header


FEW = BY_ID["5.6/4-reduce-add"]  # 試す条件が少ない: GPU では、1 つずつの始まりに時間がかかる


@pytest.mark.skipif(not book.gpu(), reason="GPU がない")
def test_gpu(copy):
    passes(copy(runtime=True), FEW, FEW.text, "DEVICE=gpu")


@pytest.mark.skipif(not book.gpu(), reason="GPU がない")
def test_gpu_refuses(copy):
    done = check(copy(runtime=True), FEW, cut(FEW), "DEVICE=gpu")
    assert done.returncode != 0 and done.stdout.startswith("❌"), done.stdout + done.stderr


# ---------------------------------------------------------------- 上書きしない
def files(root):
    return {
        p.relative_to(root / "work").as_posix(): p.read_text(encoding="utf-8")
        for p in (root / "work").rglob("*")
        if p.is_file()
    }


def test_never_overwrites(fresh):
    path = put(fresh, SEQUENTIAL, "大事\n")
    done = book.make("exercise", "CH=5.3", "EX=sequential", root=fresh)
    assert done.returncode == 0 and files(fresh) == {"5.3/3-sequential.cu": "大事\n"}
    (line,) = done.stdout.splitlines()
    assert "work/5.3/3-sequential.cu はもうある" in line and "RESET=1" in line

    for k, backup in enumerate(["bak", "bak2", "bak3"]):
        path.write_text(f"{k}\n", encoding="utf-8")
        done = book.make("exercise", "CH=5.3", "EX=sequential", "RESET=1", root=fresh)
        assert done.returncode == 0 and f"work/5.3/3-sequential.cu.{backup} に" in done.stdout
    assert files(fresh) == {
        "5.3/3-sequential.cu": cut(SEQUENTIAL),
        **{f"5.3/3-sequential.cu.{b}": f"{k}\n" for k, b in enumerate(["bak", "bak2", "bak3"])},
    }

    done = book.make("exercise", "CH=5.3", root=fresh)  # ほかのものだけを作る
    assert done.returncode == 0 and done.stdout.count("作った") == sum(l.section == "5.3" for l in ALL) - 1
    before = files(fresh)
    book.make("clean", root=fresh)
    assert files(fresh) == before


def test_dangling_link_is_kept(fresh):
    path = put(fresh, SEQUENTIAL, "x")
    path.unlink()
    path.symlink_to(fresh / "elsewhere.cu")
    done = book.make("exercise", "CH=5.3", "EX=sequential", root=fresh)
    assert "もうある" in done.stdout and path.is_symlink() and not (fresh / "elsewhere.cu").exists()


# ---------------------------------------------------------------- 断られる使い方
BAD = {
    "CH がない": ([], ["CH"]),
    "CH=9.9": (["CH=9.9"], ["9.9"]),
    "EX がない名前": (["CH=5.3", "EX=nope"], ["nope", "sequential"]),
    "EX に命令": (["CH=5.3", "EX=x'; touch hacked; '"], ["EX"]),
    "課題のないリスト": (["CH=5.1", "EX=race"], ["race", "5.1 atomic", "5.3 sequential"]),
}


@pytest.mark.parametrize("what", BAD)
@pytest.mark.parametrize("command", ["exercise", "check"])
def test_refused(fresh, command, what):
    arguments, words = BAD[what]
    refused(book.make(command, *arguments, root=fresh), *words)
    assert not (fresh / "work").exists() and not list(fresh.rglob("hacked"))


def test_other_refusals(fresh):
    refused(book.make("check", "CH=5.3", CPU, root=fresh), "work/5.3/", "make exercise")
    refused(book.make("check", "CH=5.3", "DEVICE=foo", root=fresh), "foo")
    refused(book.make("check", "CH=5.3", CPU, "CXX=nope", root=fresh), "nope", "g++")
    refused(book.make("exercise", "CH=5.3", "RESET=yes", root=fresh), "RESET=yes")
    (fresh / "work").write_text("フォルダではない")
    refused(book.make("exercise", "CH=5.3", root=fresh), "work/5.3/", "書けない")
    assert (fresh / "work").read_text() == "フォルダではない"
