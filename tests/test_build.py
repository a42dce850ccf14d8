"""作り方: 2 回目は何も作らない、ヘッダを変えれば作り直す、並列でもよい。"""

import os
import signal
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor

import book
import pytest


def stamps(folder):
    return {str(p.relative_to(folder)): p.stat().st_mtime_ns for p in folder.rglob("*") if p.is_file()}


def changed(before, after):
    return {name for name in after if before.get(name) != after[name]}


def test_rebuild(copy):
    """2 回目の make run は何も作らない。book.cuh を変えれば全部、リストを変えればそれだけを作り直す"""
    root, device = copy(runtime=True), book.device()
    names = [l.path.stem for l in book.listings() if l.section == "5.1"]
    run = lambda: book.make("run", "CH=5.1", "N=10", f"DEVICE={device}", root=root)
    first = run()
    assert first.returncode == 0, first.stdout + first.stderr
    build = root / "build"
    before = stamps(build)
    programs = {f"{device}/5.1/{name}" for name in names}
    assert programs <= set(before)

    assert run().returncode == 0
    assert stamps(build) == before, "2 回目に何かを作り直した"

    touch(root / "code/book.cuh")
    assert run().returncode == 0
    after = stamps(build)
    assert programs <= changed(before, after), "book.cuh を変えたのに作り直さない"
    assert {f"{device}/host/sum.o"} <= changed(before, after)
    assert "cpu/runtime.o" not in changed(before, after), "book.cuh を使わない部品まで作り直した"

    (root / "code/question.cpp").rename(root / "code/another.cpp")
    done = run()
    assert done.returncode == 0, done.stdout + done.stderr  # 部品の名前が変わっても、つなぎ直す

    after = stamps(build)
    touch(root / f"code/5.1/{names[0]}.cu")
    assert run().returncode == 0
    assert changed(after, stamps(build)) & programs == {f"{device}/5.1/{names[0]}"}

    if device == "cpu":
        after, objects = stamps(build), [f"{program}.o" for program in programs]
        touch(root / "code/cpu/include/cuda_runtime.h")
        assert book.make(*(f"build/{o}" for o in objects), root=root).returncode == 0
        assert {*objects} <= changed(after, stamps(build)), "CPU デバイスのヘッダを変えたのに作り直さない"


def test_section_header(copy):
    """節の .cuh を変えれば、その節のリストと、ほかの節から取り込むリストだけを作り直す

    CPU デバイスでは、.cuh もリストと一緒に書き換える
    """
    root = copy(runtime=True)
    targets = [
        "build/cpu/5.8/1-two-launches",
        "build/cpu/5.9/1-envelope",
        "build/cpu/5.9/5-error",
        "build/cpu/5.2/2-in-place",
    ]
    book.succeeds(book.make(book.JOBS, *targets, root=root))
    for header, expected in (
        ("reduce/reduce.cuh", {"5.9/5-error"}),
        ("5.8/block-sum.cuh", {"5.8/1-two-launches", "5.9/1-envelope"}),
    ):
        before = stamps(root / "build")
        touch(root / "code" / header)
        assert book.make(book.JOBS, *targets, root=root).returncode == 0
        assert {
            name
            for name in changed(before, stamps(root / "build"))
            if "/5." in name and "." not in name.rsplit("/", 1)[1]
        } == {f"cpu/{name}" for name in expected}


def touch(path):
    time.sleep(1.1)  # 時刻を秒までしか見ない make でも、先に作ったものより新しくなるように
    path.touch()


def test_says_what_is_being_built(copy, tmp_path):
    """1 秒を超えて作るときだけ、何を作っていて、あといくつかを言う。端末でなければ 1 度だけ"""
    root, slow = copy(runtime=True), tmp_path / "slow"
    slow.write_text(f'#!/bin/sh\ncase " $* " in *" -c "*) sleep 3 ;; esac\nexec {book.CXX} "$@"\n')
    slow.chmod(0o755)
    run = ["run", "CH=5.2", "EX=reduction", "N=10", "DEVICE=cpu", f"CXX={slow}"]
    first = book.make(*run, root=root, QUIET="")
    assert first.returncode == 0 and "一致 ✅" in first.stdout, first.stdout + first.stderr
    assert book.complaint(first) == ["作っている: cpu/5.2/1-reduction.o など、あと 2 個"]
    assert book.complaint(book.make(*run, root=root, QUIET="")) == []
    touch(root / "code/5.2/1-reduction.cu")
    assert book.complaint(book.make(*run, root=root)) == []


def killing(folder, suffix):
    """名前が suffix で終わるものを作りかけて、make ごと止まるコンパイラ"""
    path = folder / "killing"
    path.write_text(f"""#!/bin/sh
to=
for word; do [ "$before" = -o ] && to=$word; before=$word; done
case $to in *{suffix}*) {book.CXX} "$@"; head -c 4000 "$to" > "$to.part"; mv "$to.part" "$to"; kill -9 0;; esac
exec {book.CXX} "$@"
""")
    path.chmod(0o755)
    return path


@pytest.mark.parametrize("suffix", ["h.gch", "1-reduction.o", "1-reduction", "runtime.o"])
def test_killed_while_building(copy, tmp_path, suffix):
    """途中で止められても、次の make はそのまま動く。初めのものは、空の build から、部品のどれも警告なしで作る"""
    if suffix == "h.gch" and "clang" in book.call([book.CXX, "--version"]).stdout:
        pytest.skip("先に読むヘッダは g++ だけ")
    root = copy(runtime=suffix != "h.gch")
    for path in (root / "build").rglob(f"*{suffix}*"):
        path.unlink()
    run = ["make", "run", "CH=5.2", "EX=reduction", "N=10", "DEVICE=cpu"]
    killed = subprocess.run(
        [*run, f"CXX={killing(tmp_path, suffix)}"],
        cwd=root,
        env=book.clean_env(),
        capture_output=True,
        text=True,
        start_new_session=True,
    )
    assert killed.returncode == -signal.SIGKILL and "一致" not in killed.stdout
    assert any(p.stat().st_size == 4000 for p in (root / "build").rglob(f"*{suffix}*"))
    done = book.call([*run, f"CXX={book.CXX}"], cwd=root)
    assert done.returncode == 0 and "一致 ✅" in done.stdout and done.stderr == "", done.stdout + done.stderr


@pytest.mark.parametrize("damaged, left", [("cuda_runtime.h.gch", 4000), ("1-reduction", 0), ("1-reduction.o", 0)])
def test_damaged_parts_are_made_again(copy, damaged, left):
    """電源が切れて、名前は正しいのに中身のないものが残っても、次の make はそのまま動く"""
    if left and "clang" in book.call([book.CXX, "--version"]).stdout:
        pytest.skip("先に読むヘッダは g++ だけ")
    root = copy(runtime=True)
    run = ["CH=5.2", "EX=reduction", "N=10", "DEVICE=cpu"]
    assert book.make("run", *run, root=root).returncode == 0
    (path,) = [p for p in (root / "build/cpu").rglob(damaged) if p.is_file()]
    start, date = path.read_bytes()[:left], path.stat().st_mtime_ns
    path.unlink()
    path.write_bytes(start)
    if left:
        os.utime(path, ns=(date, date))  # ほかの部品まで作り直さない
        (root / "code/5.2/1-reduction.cu").touch()
    else:
        path.chmod(0o755)
    done = book.make("run", *run, root=root)
    assert done.returncode == 0 and "一致 ✅" in done.stdout, done.stdout + done.stderr


def test_side_by_side(copy):
    """同じ所で 3 つの make が同時に、同じ部品を作り始めても、どれも動く"""
    root = copy(runtime=True)
    for part in ("include/cuda_runtime.h.gch", "host/code.o"):
        (root / "build/cpu" / part).unlink(missing_ok=True)
    run = lambda _: book.call(
        ["make", f"CXX={book.CXX}", "run", "CH=5.2", "EX=reduction", "N=10", "DEVICE=cpu"], cwd=root, timeout=300
    )
    with ThreadPoolExecutor(3) as three:
        for done in three.map(run, range(3)):
            assert done.returncode == 0 and "一致 ✅" in done.stdout and done.stderr == "", done.stdout + done.stderr
