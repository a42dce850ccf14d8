"""Firefox でも、ページの主な約束を守る: 並べて動かす、書き換えて検査する、課題を判定する、探す、図を動かす。"""

import json
import shutil
import socket
import subprocess
import time

import pytest

# 条件が成り立つまで待ち、その値を返す
WAIT = "new Promise(ok => {{ const t = setInterval(() => {{ const v = {}; if (v) clearInterval(t), ok(v) }}, 100) }})"


class Firefox:
    """Marionette で動かす Firefox"""

    def __init__(self, profile):
        # 空いている番号。コンパイラの全部を最適化する手間は、テストには要らない
        prefer = 'user_pref("marionette.port", 0);\nuser_pref("javascript.options.wasm_optimizingjit", false);\n'
        (profile / "user.js").write_text(prefer)
        flags = ["--headless", "--no-remote", "--marionette", "--remote-allow-system-access", "--profile", profile]
        self.process, port = (
            subprocess.Popen(["firefox-esr", *flags], stderr=subprocess.DEVNULL),
            profile / "MarionetteActivePort",
        )
        deadline = time.monotonic() + 60
        while not port.exists() and self.process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.1)
        if not port.exists():
            self.process.kill()
            pytest.skip("Firefox が動かない: firefox-esr --headless で確かめる")
        self.stream = socket.create_connection(("127.0.0.1", int(port.read_text()))).makefile("rwb")
        self.receive()
        self.ask("WebDriver:NewSession")
        self.ask("WebDriver:SetTimeouts", script=600_000)

    def receive(self):
        size = b"".join(iter(lambda: self.stream.read(1), b":"))
        return json.loads(self.stream.read(int(size)))

    def ask(self, command, **given):
        data = json.dumps([0, 1, command, given]).encode()
        self.stream.write(b"%d:%b" % (len(data), data))
        self.stream.flush()
        *_, wrong, result = self.receive()
        assert not wrong, wrong
        return result

    def do(self, script):
        return self.ask("WebDriver:ExecuteScript", script=f"return {script}", args=[])["value"]

    def wait(self, value):
        return self.do(WAIT.format(value))

    def type(self, text):
        keys = [{"type": kind, "value": c} for c in text for kind in ("keyDown", "keyUp")]
        self.ask("WebDriver:PerformActions", actions=[{"type": "key", "id": "keys", "actions": keys}])

    def errors(self):
        """ページの中で起きた誤り"""
        self.ask("Marionette:SetContext", value="chrome")
        wrong = "m => m instanceof Ci.nsIScriptError && !(m.flags & 1) && /^http:/.test(m.sourceName)"
        found = self.do(f"Services.console.getMessageArray().filter({wrong}).map(String)")
        self.ask("Marionette:SetContext", value="content")
        return found


@pytest.fixture(scope="module")
def firefox(tmp_path_factory, editable):
    if not shutil.which("firefox-esr"):
        pytest.skip("Firefox がない: apt-get install firefox-esr で入る")
    started = Firefox(tmp_path_factory.mktemp("firefox"))
    yield started
    started.process.terminate()
    started.process.wait()


def test_first_press(firefox, address):
    firefox.ask("WebDriver:Navigate", url=f"{address}/index.html")
    firefox.do("document.querySelector('[data-both]').click()")
    said = firefox.wait(
        "(all => all.length > 1 && all.every(e => /一致/.test(e.textContent)) && all.map(e => e.textContent).join())"
        "([...document.querySelectorAll('[data-run-output]')])"
    )
    assert "不一致 ❌" in said and "一致 ✅" in said
    assert firefox.errors() == []


def test_edit_and_judge(firefox, address):
    """書き換えた誤りと、切り出したままの課題を断り、探すと見つかり、図が動く"""
    firefox.ask("WebDriver:Navigate", url=f"{address}/5.3.html")
    firefox.do("document.querySelector('[data-edit=\"5.3/sequential\"]').click()")
    button = "[...document.querySelectorAll('.edit__gate button')][0]"
    firefox.wait(button)
    firefox.do(f"{button}.click()")
    field = "document.querySelector('[data-run-source=\"5.3/sequential\"] .cm-content')"
    firefox.do(
        f"getSelection().collapse([...{field}.querySelectorAll('.cm-line')]"
        f".find(l => /smem\\[tid\\] \\+=/.test(l.textContent)), 0)"
    )
    firefox.type("x ")
    verdict = "document.querySelector('[data-run-verdict=\"{}\"]').textContent"
    firefox.wait(f"/用意ができた/.test({verdict.format('5.3/sequential')})")
    firefox.do("document.querySelector('[data-run=\"5.3/sequential\"]').click()")
    assert firefox.wait(f"/^コンパイルできない/.test({verdict.format('5.3/sequential')})")
    assert "x という" in firefox.do("document.querySelector('.edit__list').textContent")
    firefox.do("document.querySelector('[data-exercise=\"5.3/sequential\"]').click()")
    check = "[...document.querySelectorAll('button')].find(b => b.textContent === '確かめる')"
    firefox.wait(check)
    firefox.do(f"{check}.click()")
    told = "[...document.querySelectorAll('[data-run-verdict]')].map(e => e.textContent).find(t => /^[✅❌]/.test(t))"
    assert firefox.wait(told).startswith("❌ 5.3 sequential: N=")
    firefox.do("document.querySelector('.player__open').click()")
    assert firefox.wait("document.querySelector('.player svg') && 1")
    firefox.do("document.querySelector('.md-search__input').focus()")
    firefox.type("バンク競合")
    assert "5.3" in firefox.wait("document.querySelector('.md-search-result__link')?.href")
    assert firefox.errors() == []
