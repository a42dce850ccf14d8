"""Firefox でも、ページの主な約束を守る: 並べて動かす、書き換えて検査する、課題を判定する、探す、図を動かす。"""

import json
import re
import shutil
import socket
import struct
import subprocess
import threading

import pytest

# 条件が成り立つまで待ち、その値を返す
WAIT = "new Promise(ok => {{ const t = setInterval(() => {{ const v = {}; if (v) clearInterval(t), ok(v) }}, 100) }})"


class WebSocket:
    """1 通ずつ文を送り、受け取る (RFC 6455)。覆いの鍵は、どれも 1 である (Firefox は 0 を断る)"""

    def __init__(self, host, port, path):
        self.stream = socket.create_connection((host, int(port)), timeout=600).makefile("rwb")
        key = "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13"
        upgrade = f"Host: {host}:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n{key}"
        self.put(f"GET {path} HTTP/1.1\r\n{upgrade}\r\n\r\n".encode())
        while self.stream.readline().strip():
            pass

    def put(self, data):
        self.stream.write(data)
        self.stream.flush()

    def send(self, text):
        data = bytes(c ^ 1 for c in text.encode())
        size = struct.pack("!B", 0x80 | len(data)) if len(data) < 126 else struct.pack("!BH", 0x80 | 126, len(data))
        self.put(b"\x81" + size + b"\1\1\1\1" + data)

    def receive(self):
        whole, last = b"", False
        while not last:
            first, size = self.stream.read(2)
            form = {126: "!H", 127: "!Q"}.get(size, "")
            size = struct.unpack(form, self.stream.read(struct.calcsize(form)))[0] if form else size
            whole, last = whole + self.stream.read(size), first & 0x80
        return whole.decode()


class Firefox:
    """WebDriver BiDi で動かす Firefox。events は、ページの中で起きた誤り"""

    def __init__(self, profile):
        self.events, self.count = [], 0
        flags = ["--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0"]
        self.process = subprocess.Popen(["firefox-esr", *flags], stderr=subprocess.PIPE, text=True)
        told = re.compile(r"BiDi listening on ws://(.*):(\d+)")
        place = next((m.groups() for line in self.process.stderr if (m := told.search(line))), None)
        if not place:
            pytest.skip("Firefox が動かない: firefox-esr --headless で確かめる")
        self.socket = WebSocket(*place, "/session")
        threading.Thread(target=self.process.stderr.read, daemon=True).start()
        self.ask("session.new", capabilities={})
        self.ask("session.subscribe", events=["log.entryAdded"])
        self.page = self.ask("browsingContext.getTree")["contexts"][0]["context"]

    def ask(self, method, **params):
        self.count += 1
        self.socket.send(json.dumps({"id": self.count, "method": method, "params": params}))
        while (said := json.loads(self.socket.receive())).get("id") != self.count:
            if said.get("params", {}).get("level") == "error":
                self.events.append(said["params"]["text"])
        assert said["type"] == "success", said
        return said["result"]

    def open(self, url):
        self.ask("browsingContext.navigate", context=self.page, url=url, wait="complete")

    def do(self, script):
        target = {"context": self.page}
        done = self.ask("script.evaluate", expression=script, target=target, awaitPromise=True, userActivation=True)
        assert done["type"] == "success", done
        return done["result"].get("value")

    def wait(self, value):
        return self.do(WAIT.format(value))

    def type(self, text):
        keys = [{"type": kind, "value": c} for c in text for kind in ("keyDown", "keyUp")]
        actions = [{"type": "key", "id": "keys", "actions": keys}]
        self.ask("input.performActions", context=self.page, actions=actions)


@pytest.fixture(scope="module")
def firefox(tmp_path_factory, site):
    if not shutil.which("firefox-esr"):
        pytest.skip("Firefox がない: apt-get install firefox-esr で入る")
    if not (site / "assets/editor.js").exists():
        pytest.skip("▶ のないサイトである (make setup で、要るものが入る)")
    started = Firefox(tmp_path_factory.mktemp("firefox"))
    yield started
    started.process.terminate()
    started.process.wait()


def test_first_press(firefox, searchable):
    firefox.open(f"{searchable}/index.html")
    firefox.do("document.querySelector('[data-both]').click()")
    said = firefox.wait(
        "(all => all.length > 1 && all.every(e => /一致/.test(e.textContent)) && all.map(e => e.textContent).join())"
        "([...document.querySelectorAll('[data-run-output]')])"
    )
    assert "不一致 ❌" in said and "一致 ✅" in said
    assert firefox.events == []


def test_edit_and_judge(firefox, searchable):
    """書き換えた誤りと、切り出したままの課題を断り、探すと見つかり、図が動く"""
    firefox.open(f"{searchable}/5.3.html")
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
    assert firefox.events == []
