"""課題の道具: work/ に答えを置いて make check を呼ぶか、たくさんの答えをまとめて作って判定する"""

import contextlib
import functools
import os
import re
from concurrent.futures import ThreadPoolExecutor

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
    book.runtime()
    with book.alone(book.ROOT / "build/cpu"):
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


def check(root, listing, text, *more):
    """work/ に text を書いて、make check を呼ぶ"""
    put(root, listing, text)
    more = more if any(m.startswith("DEVICE=") for m in more) else (CPU, *more)
    return book.make("check", f"CH={listing.section}", f"EX={listing.name}", *more, root=root, timeout=300)


def passes(root, listing, text, *more):
    """通る。その報告"""
    done = check(root, listing, text, *more)
    assert done.returncode == 0 and done.stdout.startswith("✅"), done.stdout + done.stderr
    return done.stdout


def fails(root, listing, text, *words):
    """通らず、報告は words のどれも (正規表現で) 言う。その報告"""
    done = check(root, listing, text)
    said = done.returncode != 0 and done.stdout.startswith(f"❌ {listing.section} {listing.name}: ")
    assert said and not re.search("^✅", done.stdout, re.M), done.stdout + done.stderr
    assert all(re.search(word, done.stdout, re.M) for word in words), done.stdout + done.stderr
    return done.stdout


def judged(to, label, answers, blocks=("256",)):
    """答え [(課題, 本文)] を make check と同じ順に確かめ、報告 (通れば空) を並べて返す。

    答えとブロックごとに作る make check と違い、まとめて作る。作る前に断られたものは、作らない
    """
    originals()
    tools, said, merged = book.ROOT / "build/check", {}, {}
    for k, (listing, text) in enumerate(answers):
        root = to / str(k)
        (root / "work").mkdir(parents=True)
        (root / "code").symlink_to(book.ROOT / "code")
        put(root, listing, text)
        work, code = f"work/{listing.id}.cu", f"code/{listing.id}.cu"
        steps = "set -e; $1/merge cut $2 $3 > region; $4 -std=c++17 -E -x c++ region > i; $1/merge join i $2 $3"
        done = book.call(["sh", "-c", steps, "", tools, work, code, book.CXX], cwd=root)
        said[k] = done.stderr
        if done.returncode == 0:
            merged[k] = f"code/{listing.section}/{k}.cu", done.stdout

    def ask(k, program, block):
        listing = answers[k][0]
        what, original = f"{listing.section} {listing.name}", book.ROOT / f"build/cpu/{listing.id}"
        command = [tools / "judge", f"work/{listing.id}.cu", what, block, program, original, ""]
        done = book.call(command, cwd=to / str(k))
        said[k] = done.stdout + done.stderr

    for block in blocks:
        left = {name: text for k, (name, text) in merged.items() if not said[k] and block in tried(answers[k][0].path)}
        made = book.bundles(f"{label}-{block}", left, "sanitize", 4, block=block)
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            asked = [pool.submit(ask, k, made[name], block) for k, (name, _) in merged.items() if made.get(name)]
        for done in asked:
            done.result()
    return list(said.values())


@functools.cache
def tried(path):
    """make check が試すブロックの大きさ"""
    originals()
    return re.split(r"[\s+]+", book.call([book.ROOT / "build/check/judge", "--blocks", path]).stdout.strip())


def sizes():
    """どれかの課題で試すブロックの大きさ"""
    return list(dict.fromkeys(block for l in EXERCISES + GRADED for block in tried(l.path)))


def foreign(label, blocks):
    """judged がまとめて作った答えが呼ぶ、呼べない関数を言う文"""
    symbols = lambda paths: book.call(["nm", "-C", *paths]).stdout
    known = (
        symbols(book.ROOT / f"build/cpu/{l.id}.o" for l in EXERCISES + GRADED)
        + " U strtol\n U __isoc23_strtol\n U strrchr\n T start(int, char**)\n"
    )
    folders = [book.ROOT / f"build/bundles/{label}-{block}/build/tool/bundle" for block in blocks]
    made = symbols(path for folder in folders for path in folder.glob("[0-9].o"))
    assert "answer::" in made
    read = "--\n".join([known, re.sub(r"program\d+::", "", made), ""])
    command = ["awk", "-v", "work=work", "-f", "code/exercise/symbols.awk"]
    return book.call(command, input=read).stdout


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
