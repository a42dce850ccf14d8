"""どのテストも使う準備。リストは 1 回だけ、1 つの make で作る。"""

import importlib.util
import json
import os
import re
import shutil
import sys
from collections import Counter
from pathlib import Path

import book
import exercise
import pdf
import pytest
import runnable
import web

SPENT = "seconds"  # 覚える場所の名前 (build/pytest の中)
# 2 コアと、GPU のある 16 コアで測ったものの、長い方
SECONDS = json.loads((Path(__file__).parent / "seconds.json").read_text())


def pytest_configure():
    if book.device() not in ("cpu", "gpu") or (book.device() == "gpu" and not book.gpu()):
        pytest.exit(
            f"DEVICE={book.device()} では試せない: DEVICE は auto, gpu, cpu のどれか (gpu には nvcc と動く GPU が要る)",
            2,
        )


def of(section, text):
    return re.search(rf"(?<![\d.]){re.escape(section)}(?!\d)", text)


def select(section, config, items):
    """節の名前が付いたテストだけを残す。ブラウザで見るものは、すべてを確かめるときに見る。

    準備も、その節の分だけになる: テストの表 (リストや節の並び) から、ほかの節のものを除く
    """
    chosen = [i for i in items if "browser" not in i.fixturenames and of(section, i.name.partition("[")[2])]
    config.hook.pytest_deselected(items=[i for i in items if i not in chosen])
    items[:] = chosen
    tables = [t for m in {exercise, *(i.module for i in items)} for t in vars(m).values() if isinstance(t, list)]
    for table in tables:
        number = lambda x: x if isinstance(x, str) and re.fullmatch(r"\d+\.\d+", x) else section
        table[:] = [x for x in table if getattr(x, "section", number(x)) == section]


def apart(items):
    """同じ準備 (ファイルに 1 つのものか、ブラウザ) を使うテストの組。組は、1 つのプロセスで試す

    準備に種類 (コンパイラ) があれば、種類ごとに分ける。リストを作るだけの準備なら 1 つずつ、ほかは関数ごとに
    """
    shared, kinds = {}, []
    for item in items:
        known = item._fixtureinfo.name2fixturedefs
        own = {n for n in item.fixturenames if n == "browser" or n in known and known[n][-1].scope == "module"}
        given = item.callspec.params if hasattr(item, "callspec") else {}
        kind = [v for n, v in given.items() if n in own]
        alone = item.name if "built" in known else item.originalname
        shared[item] = {":".join([item.path.name, n, *kind]) for n in own or {alone}}
        joined = shared[item].union(*(k for k in kinds if k & shared[item]))
        kinds = [k for k in kinds if not k & joined] + [joined]
    return {item: min(next(k for k in kinds if k & own)) for item, own in shared.items()}


@pytest.hookimpl(tryfirst=True)  # 組を読む xdist より先に
def pytest_collection_modifyitems(config, items):
    if book.SECTION:
        select(book.SECTION, config, items)
    if not os.environ.get("PYTEST_XDIST_WORKER"):
        return
    group = apart(items)
    for item in items:
        item.add_marker(pytest.mark.xdist_group(group[item]))
    # 長くかかった組から始める。後に残すと、最後に 1 つのコアだけが働く。
    # サイトを使う組は、1 つがサイトを作る間、ほかを先に試す。その後は混ぜる: ブラウザを待つ間に、ほかが働ける。
    # プロセスは次の組も先に受け取るので、初めの組の次は短いものにする
    spent = SECONDS | config.cache.get(SPENT, {})
    site = {group[item] for item in items if {"site", "pack"} & {*item.fixturenames}}
    order = sorted({*group.values()}, key=lambda name: (-spent.get(name, 0), name))
    first = [name for name in order if name in site][:1] + [name for name in order if name not in site][:7]
    first = list(dict.fromkeys(first + order))[: (workers := int(os.environ["PYTEST_XDIST_WORKER_COUNT"]))]
    order = first + order[-workers:] + order
    items.sort(key=lambda item: order.index(group[item]))


def pytest_terminal_summary(terminalreporter, config):
    """次の回のために、組ごとの秒数を覚える。一部だけを試した回では短くしない"""
    spent = Counter()
    for report in (
        r for reports in terminalreporter.stats.values() for r in reports if isinstance(r, pytest.TestReport)
    ):
        spent[report.nodeid.rpartition("@")[2]] += report.duration
    old = config.cache.get(SPENT, {})
    long = {name: round(max(seconds, old.get(name, 0)), 1) for name, seconds in spent.items() if seconds > 60}
    config.cache.set(SPENT, old | long)


def pytest_report_header():
    return f"装置: {book.device()}"


@pytest.fixture(scope="session")
def built():
    """見つけたリストの実行ファイル {リストの番号と名前: パス}"""
    return book.programs()


@pytest.fixture(scope="session")
def copy(tmp_path_factory):
    """Makefile と code/ の写しを作る関数"""
    return lambda **how: book.copy_sources(tmp_path_factory.mktemp("copy"), **how)


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    """課題を解く所。ファイルごとに別"""
    return exercise.room(tmp_path_factory.mktemp("work"))


def together(tmp_path_factory):
    """どのプロセスのテストも使うフォルダ"""
    base = tmp_path_factory.getbasetemp()
    return base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base


def build_once(tmp_path_factory, name, build):
    """build が厳しい検査つきで作ったサイトのフォルダ。テストのプロセスがいくつあっても、1 回だけ作る"""
    if not book.have_mkdocs():
        pytest.skip("mkdocs と mkdocs-material がない (.venv には入る)")
    common = together(tmp_path_factory)
    made, to = common / f"{name}-build", common / name
    with book.alone(made):
        if not to.exists():
            done = build(made)
            assert done.returncode == 0, done.stdout + done.stderr
            (made / name).rename(to)
    return to


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    return build_once(tmp_path_factory, "site", lambda to: book.build_site(book.ROOT, to / "site"))


@pytest.fixture(scope="session")
def editable(site):
    """▶ のあるサイト"""
    if not (site / "assets/editor.js").exists():
        pytest.skip("▶ のないサイトである (make setup で、要るものが入る)")
    return site


@pytest.fixture(scope="session")
def offline(site, tmp_path_factory):
    """ファイルのまま開くサイト。公開する場所とリポジトリの場所も渡す"""

    def build(to):
        if (book.ROOT / "build/wasm").exists():  # site が作ったプログラムを使う
            (to / "wasm").symlink_to(book.ROOT / "build/wasm")
        where = {"SITE_URL": web.PLACE, "REPO_URL": web.REPOSITORY}
        return book.make("site", "OFFLINE=1", f"BUILD={to}", f"PYTHON={sys.executable}", timeout=1500, **where)

    return build_once(tmp_path_factory, "offline", build)


@pytest.fixture(scope="session")
def browser():
    if not importlib.util.find_spec("playwright"):
        pytest.skip("playwright がない (.venv には入る)")
    from playwright.sync_api import Error, sync_playwright

    path = pdf.chromium()
    with sync_playwright() as playwright:
        try:
            chromium = playwright.chromium.launch(executable_path=path, args=web.FLAGS)
        except Error:
            if path:
                raise
            pytest.skip("ブラウザがない: apt-get install chromium か .venv/bin/playwright install chromium で入る")
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def address(site):
    """サイトを配る所"""
    server = web.serve(site)
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()


@pytest.fixture
def measured(tmp_path, monkeypatch):
    """記録の写し。手元の記録はない"""
    import listings
    import records

    for folder in book.MEASURED.iterdir():
        if folder.is_dir():
            shutil.copytree(folder, tmp_path / "measured" / folder.name)
    for module in (records, listings):
        monkeypatch.setattr(module, "MEASURED", tmp_path / "measured")
    monkeypatch.setattr(records, "LOCAL", tmp_path / "local")
    return tmp_path / "measured"


@pytest.fixture(scope="session")
def pack(tmp_path_factory):
    if runnable.lacking():
        pytest.skip(f"{runnable.lacking()} がない (make setup で入る)")
    folder = book.ROOT / "build/wasm"
    with book.alone(together(tmp_path_factory) / "site-build"):  # サイトも同じものを作る
        book.succeeds(book.call(["node", "code/cpu/wasm/build.js", folder], timeout=600))
    return folder
