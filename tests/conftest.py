"""どのテストも使う準備。リストは 1 回だけ、1 つの make で作る。"""

import importlib.util
import json
import math
import os
import shutil
from collections import Counter

import book
import pytest
import web

SPENT = "seconds"  # 覚える場所の名前 (build/pytest の中)


def pytest_configure():
    if book.device() not in ("cpu", "gpu") or (book.device() == "gpu" and not book.gpu()):
        pytest.exit(
            f"DEVICE={book.device()} では試せない: DEVICE は auto, gpu, cpu のどれか (gpu には nvcc と動く GPU が要る)",
            2,
        )


def pytest_collection_modifyitems(config, items):
    """長くかかったファイルから始める。後に残すと、最後に 1 つのコアだけが働く。まだ測っていなければ、テストの多い順"""
    spent, count = config.cache.get(SPENT, {}), Counter(item.path.name for item in items)
    items.sort(key=lambda item: (-spent.get(item.path.name, math.inf), -count[item.path.name], item.path.name))


def pytest_terminal_summary(terminalreporter, config):
    """次の回のために、ファイルごとの秒数を覚える。一部だけを試した回では短くしない"""
    spent = Counter()
    for report in (
        r for reports in terminalreporter.stats.values() for r in reports if isinstance(r, pytest.TestReport)
    ):
        spent[report.nodeid.split("::")[0]] += report.duration
    old = config.cache.get(SPENT, {})
    config.cache.set(SPENT, old | {name: round(max(seconds, old.get(name, 0)), 1) for name, seconds in spent.items()})


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


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """厳しい検査つきで作ったサイトのフォルダ。テストのプロセスがいくつあっても、1 回だけ作る"""
    if not book.have_mkdocs():
        pytest.skip("mkdocs と mkdocs-material がない (.venv には入る)")
    common = tmp_path_factory.getbasetemp()
    if os.environ.get("PYTEST_XDIST_WORKER"):
        common = common.parent
    with book.alone(common / "site-build"):
        if not (common / "site").exists():
            done = book.build_site(book.ROOT, common / "site-build/site")
            assert done.returncode == 0, done.stdout + done.stderr
            (common / "site-build/site").rename(common / "site")
    return common / "site"


@pytest.fixture(scope="session")
def browser():
    if not importlib.util.find_spec("playwright"):
        pytest.skip("playwright がない (.venv には入る)")
    from playwright.sync_api import Error, sync_playwright

    path = web.chromium()
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
def searchable(site):
    """サイトを配る所"""
    yield from served(site)


@pytest.fixture(scope="session")
def address(site, tmp_path_factory):
    """検索の索引だけが空のサイトを配る所

    索引を作るのに、開くたびにページを描くのと同じくらいかかるので、検索を見ないテストで使う
    """
    folder = tmp_path_factory.mktemp("light") / "site"
    shutil.copytree(site, folder, copy_function=os.symlink)
    index = folder / "search/search_index.json"
    empty = json.loads(index.read_text(encoding="utf-8")) | {"docs": []}
    index.unlink()
    index.write_text(json.dumps(empty), encoding="utf-8")
    yield from served(folder)


def served(folder):
    server = web.serve(folder)
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()


@pytest.fixture
def measured(tmp_path, monkeypatch):
    """記録の写し。手元の記録はない"""
    monkeypatch.syspath_prepend(book.ROOT / "docs/_site")
    import listings
    import records

    for folder in book.MEASURED.iterdir():
        if folder.is_dir():
            shutil.copytree(folder, tmp_path / "measured" / folder.name)
    for module in (records, listings):
        monkeypatch.setattr(module, "MEASURED", tmp_path / "measured")
    monkeypatch.setattr(records, "LOCAL", tmp_path / "local")
    return tmp_path / "measured"
