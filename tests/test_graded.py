"""節の exercises/ の課題: ファイルとページの 1 行で増え、もっともらしい誤答は判定に通らない"""

import re

import book
import pytest
from exercise import BY_ID, CPU, EXERCISES, GRADED, cut, judged, line_of, passes, swap
from web import Page
from wrong import REFUSED, WRONG

EACH = pytest.mark.parametrize("listing", [pytest.param(l, id=l.id) for l in GRADED])


def test_every_exercise_has_wrong_answers():
    assert set(WRONG) == {l.id for l in GRADED} and all(len(w) >= 2 for w in WRONG.values())


@EACH
def test_head(listing):
    """頭に、星と題、問題、ヒント、解説がある。名前は、節のリストとも重ならない"""
    assert re.fullmatch(rf"// {listing.section} ★{{2,3}} \S.*", listing.lines[0])
    assert listing.tags.get("ヒント") and listing.tags.get("解説")
    same = [l for l in book.listings() + GRADED if (l.section, l.name) == (listing.section, listing.name)]
    assert len(same) == 1
    regions = book.regions(listing.text)
    assert regions["answer"] in regions["kernel"]


def answer(name, what):
    """誤答の本文"""
    before, after = WRONG[name][what]
    assert before in BY_ID[name].text
    return BY_ID[name].text.replace(before, after)


@pytest.fixture(scope="module")
def reports(tmp_path_factory):
    """誤答の報告: {(課題, 何を): 報告}"""
    names = [(name, what) for name, all_ in WRONG.items() for what in all_]
    answers = [(BY_ID[name], answer(name, what)) for name, what in names]
    return dict(zip(names, judged(tmp_path_factory.mktemp("wrong"), "wrong-answers", answers)))


@pytest.mark.parametrize("name, what", [pytest.param(n, w, id=f"{n} {w}") for n, all_ in WRONG.items() for w in all_])
def test_wrong_answer_is_refused(reports, name, what):
    """誤答は通らず、どの条件で、何が違うか、どの行かを言う"""
    listing, said = BY_ID[name], reports[name, what]
    if what in REFUSED:
        line = line_of(answer(name, what), REFUSED[what])
        assert re.search(rf"work/{name}.cu:{line}: この課題では", said), said
    else:
        assert re.search(rf"^❌ {listing.section} {listing.name}: N=\d+ BLOCK=\d+ ", said, re.M), said
        assert re.search(r"^  手がかり    : \S", said, re.M)


@pytest.mark.parametrize("name", ["5.3/exercises/1-max", "5.4/exercises/1-all"])
def test_identity_is_told(reports, name):
    """単位元の間違いには、端数を埋めた値だと言う"""
    assert "端数を埋めた値" in reports[name, "単位元が 0"]


@pytest.mark.parametrize(
    "name, what, told",
    [
        ("5.7/exercises/2-lines", "境界を見ない", "呼んだ、カーネルの行を直す"),
        ("5.4/exercises/2-neighbour", "席が 1 つ足りない", "下の報告が言う行を直す"),
    ],
)
def test_report_in_a_tool_points_at_the_caller(reports, name, what, told):
    """報告が道具の中の行なら、それを呼んだ行を直すように言う。読者の行なら、その行だと言う"""
    assert re.search("手がかり    : (.*)", reports[name, what])[1].endswith(told)


def test_new_exercise_is_found(tmp_path):
    """ファイルを置くだけで、make exercise が見つける"""
    root = book.copy_sources(tmp_path)
    old = root / "code/5.3/exercises/1-max.cu"
    (root / "code/5.3/exercises/10-min.cu").write_text(old.read_text(encoding="utf-8"), encoding="utf-8")
    done = book.make("exercise", "CH=5.3", root=root)
    made = [p.name for p in (root / "work/5.3/exercises").iterdir()]
    assert done.returncode == 0 and sorted(made, key=book.number)[-1] == "10-min.cu", done.stderr
    assert len(made) == 1 + sum(l.section == "5.3" for l in GRADED)
    assert len(list((root / "work/5.3").glob("*.cu"))) == sum(l.section == "5.3" for l in EXERCISES)
    again = book.make("exercise", "CH=5.3", "EX=min", root=root)
    assert "work/5.3/exercises/10-min.cu はもうある" in again.stdout
    book.refused(book.make("exercise", "CH=5.3", "EX=nope", root=root), "nope", "min")
    book.refused(book.make("run", "CH=5.3", "EX=min", CPU, root=root), "min")  # リストではない


def test_avoided_word_can_be_used_elsewhere(root):
    """「使わない」語は、その課題のカーネルの中だけで断る"""
    listing = BY_ID["5.3/exercises/3-mask"]
    passes(root, listing, swap(listing.text, "int kBlock = BLOCK;", "int kBlock = BLOCK % 4096;"))


# ---------------------------------------------------------------- ページ
@EACH
def test_pages(site, listing):
    """問題のページには渡すコードとヒント、答えのページには答えのコードと解説があり、互いにリンクする"""
    page, answers = Page(site / f"{listing.section}.html"), Page(site / "answers.html")
    here = f"x{listing.section.replace('.', '-')}-{listing.name}"
    assert here in page.ids and here in answers.ids
    assert f"answers.html#{here}" in page.links and f"{listing.section}.html#{here}" in answers.links
    shown = re.sub(r"(?m)^ *//-.*\n", "", book.regions(listing.text)["kernel"])
    assert shown.strip("\n") in [c.strip("\n") for c in answers.codes]
    assert book.regions(cut(listing))["kernel"].strip("\n") in [c.strip("\n") for c in page.codes]


def test_answers_mark_what_changed(site):
    """答えのページでは、問題と違う行だけに印がある"""
    text = (site / "answers.html").read_text(encoding="utf-8")
    block = re.search(r'id="x5-3-mask".*?</code></pre>', text, re.S)[0]
    (line,) = re.findall(r"<ins.*?</ins>", block, re.S)
    assert "2 * stride - 1" in re.sub(r"<[^>]*>", "", line)
