"""課題の道具: work/ に答えを置き、make check を呼ぶ"""

import contextlib
import functools
import os
import re

import book

import listing as lists

EXERCISES = [l for l in book.listings() if l.exercise]
GRADED = [book.Listing(l.path) for l in lists.graded()]  # 節の exercises/ にある課題
BY_ID = {l.id: l for l in EXERCISES + GRADED}
SEQUENTIAL, FOLD = BY_ID["5.3/3-sequential"], BY_ID["5.2/1-reduction"]
CPU = "DEVICE=cpu"


@functools.cache
def originals():
    """判定の道具と、もとのリストを 1 度だけ作り、そのパスを返す"""
    made = [f"build/cpu/{l.id}" for l in EXERCISES + GRADED]
    book.runtime()  # 中で同じ錠を取る
    with book.alone(book.ROOT / "build"):
        done = book.make(book.JOBS, *made, "build/check/judge", "build/check/merge", timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    build = book.ROOT / "build"
    found = [*(build / "check").iterdir(), *(build / "cpu").glob("[0-9]*/**/*")]
    return [path for path in found if path.is_file() and not re.search(r"\.\d+(\.d)?$", path.name)]


def room(to):
    """課題を解く所: code/ の写しに、作ってある部品ともとのリストを置く"""
    root = book.copy_sources(to, runtime=True)
    for path in originals():
        at = root / path.relative_to(book.ROOT)
        at.parent.mkdir(parents=True, exist_ok=True)
        with contextlib.suppress(FileNotFoundError, FileExistsError):  # ほかのテストが作り直している途中のもの
            os.link(path, at)
    return root


def put(root, listing, text):
    path = root / f"work/{listing.id}.cu"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def check(root, listing, *more):
    more = more if any(m.startswith("DEVICE=") for m in more) else (CPU, *more)
    return book.make("check", f"CH={listing.section}", f"EX={listing.name}", *more, root=root, timeout=300)


def cut(listing):
    """テスト自身の切り出し。//- の行は、答えの代わりに渡すコードである"""
    pattern = r"^( *)// --8<-- \[start:answer\](.*)\n((?:.*\n)*?) *// --8<-- \[end:answer\]\n"

    def given(m):
        todo = f"{m[1]}// TODO:{m[2]}\n" if m[2] else ""
        return todo + "".join(
            re.sub(r"^ *//-$|//- ", "", l, count=1) + "\n" for l in m[3].split("\n") if l.startswith(f"{m[1]}//-")
        )

    return re.sub("^// 解説: .*\n", "", re.sub(pattern, given, listing.text, flags=re.M), flags=re.M)


def swap(text, before, after):
    assert text.count(before) == 1, before
    return text.replace(before, after)


def kernel(listing, text):
    """カーネルの領域だけを取り替えた本文"""
    before, after = (
        listing.text.split("// --8<-- [start:kernel]\n")[0],
        listing.text.split("// --8<-- [end:kernel]\n")[1],
    )
    return f"{before}// --8<-- [start:kernel]\n{text.strip()}\n// --8<-- [end:kernel]\n{after}"


def line_of(text, part):
    return next(k for k, s in enumerate(text.splitlines(), 1) if part in s)
