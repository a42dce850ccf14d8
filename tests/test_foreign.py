"""よそのコード: 講義や見本の書き方のプログラムが、書き換えずに make run FILE= で動く。

tests/device/foreign/ の .cu か、フォルダ 1 つが、1 つのプログラムである。要ることは、main のあるファイルの頭に書く。
  // 出力: 標準出力の 1 行 (この順に全部)   // 標準エラー: 出るべき文   // 引数: ARGS   // 版: STD
"""

import re

import book
import pytest

FOLDER = book.ROOT / "tests/device/foreign"
PROGRAMS = sorted(p for p in FOLDER.iterdir() if p.is_dir() or p.suffix == ".cu")


class Program:
    def __init__(self, path):
        self.path = path
        files = sorted(path.rglob("*")) if path.is_dir() else [path]
        self.files = [f for f in files if f.suffix in (".cu", ".cpp")]
        self.head = "".join(f.read_text(encoding="utf-8") for f in self.files)
        included = re.findall(r'#include "(.*\.cu)"', self.head)
        self.files = [f for f in self.files if f.name not in included]
        self.output = self.said("出力")
        self.standard = (self.said("版") or ["17"])[0]

    def said(self, what):
        return re.findall(rf"^// {what}: (.*)$", self.head, re.M)

    def run(self, command="run", **more):
        arguments = [f"ARGS={a}" for a in self.said("引数")]
        return book.make(
            command, f"FILE={self.path.relative_to(book.ROOT)}", f"STD={self.standard}", *arguments, timeout=300, **more
        )


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda p: p.stem)
def test_runs(path):
    program = Program(path)
    done = program.run()
    assert program.output and done.stdout.splitlines() == program.output, done.stdout + done.stderr
    expected = program.said("標準エラー") if book.device() == "cpu" else []
    assert done.returncode == 0 and all(text in done.stderr for text in expected), done.stderr
    if book.device() == "cpu":  # nvcc は、自分の言葉で警告する
        assert expected or done.stderr == "", done.stderr


TOGETHER = {
    p.relative_to(book.ROOT).as_posix(): text
    for p in PROGRAMS
    if Program(p).standard == "17" and p.is_file() and not book.names_the_top(text := p.read_text(encoding="utf-8"))
}
ALONE = [p for p in PROGRAMS if p.relative_to(book.ROOT).as_posix() not in TOGETHER]


def nvcc_accepts(file, to, standard="17"):
    if not book.have(book.NVCC):
        pytest.skip(f"nvcc ({book.NVCC}) がない")
    command = [book.NVCC, f"-std=c++{standard}", "-w", "-arch=sm_90", "-rdc=true", "-ptx", "-o", to / "made.ptx", file]
    book.succeeds(book.call(command))


def test_nvcc_accepts_together(tmp_path):
    """CPU デバイスだけが受け付ける書き方ではない"""
    assert len(PROGRAMS) >= 20 and sum(p.is_dir() for p in PROGRAMS) >= 5 and len(TOGETHER) > len(ALONE)
    programs = {name: book.apart(text) for name, text in TOGETHER.items()}
    (tmp_path / "all.cu").write_text(book.bundled(programs, tmp_path), encoding="utf-8")
    nvcc_accepts(tmp_path / "all.cu", tmp_path)


@pytest.mark.parametrize("path", ALONE, ids=lambda p: p.stem)
def test_nvcc_accepts(path, tmp_path):
    """名前空間に入れられないものと、いくつかのファイルのもの"""
    program = Program(path)
    for file in program.files:
        nvcc_accepts(file, tmp_path, program.standard)
