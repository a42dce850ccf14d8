"""記録を作るプログラムに共通のこと: 作る、動かす、書く、記録の名前を選ぶ"""

import json
import subprocess
import sys
import time
from pathlib import Path

from records import ROOT

from listing import listings, planted

LISTINGS = listings()
DEFECTS = [p for path in sorted(ROOT.glob("tests/device/found-by-sanitize/*.cu")) for p in planted(path)]


def run(*args, limit=300):
    """終わらなければ、終了コード 124"""
    try:
        return subprocess.run([str(a) for a in args], cwd=ROOT, capture_output=True, text=True, timeout=limit)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(args, 124, "", "時間切れ")


def call(*args, limit=300, worst=0):
    """標準出力。終了コードが worst より大きければ、やめる"""
    done = run(*args, limit=limit)
    if done.returncode > worst or done.returncode < 0:
        said = done.stdout + done.stderr
        sys.exit(f"{' '.join(map(str, args))} が終了コード {done.returncode} で終わった:\n{said}")
    return done.stdout


def program(kind, path, block=None):
    """リストかテストの .cu の実行ファイル"""
    parts = path.relative_to(ROOT).parts[1:]
    return (ROOT / "build" / (f"block-{block}" if block else "") / kind).joinpath(*parts).with_suffix("")


def make(*targets, run=call):
    """ここに置いた .cu (docs/measured) も作れる"""
    paths = (t.relative_to(ROOT) if isinstance(t, Path) else t for t in targets)
    return run("make", "-s", "-j16", "SOURCES=code tests docs", *paths, limit=500)


def write(file, rows):
    text = ",\n".join(json.dumps(r, ensure_ascii=False) for r in rows)
    file.write_text(f"[\n{text}\n]\n", encoding="utf-8")


def write_lines(file, rows):
    file.write_text("".join(json.dumps(r, ensure_ascii=False) + "\n" for r in rows), encoding="utf-8")


def rows(text):
    """プログラムの出力のうち、JSON の行"""
    return [json.loads(line) for line in text.splitlines() if line.startswith("{")]


def main(usage, records, prepare=lambda wanted: None):
    """引数は、フォルダと、記録の名前 (省くと全部)。records は、記録の名前から、作る関数 (ファイルを受け取る) への表"""
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.exit(f"使い方: {usage}")
    out, wanted = Path(sys.argv[1]).resolve(), sys.argv[2:] or list(records)
    if unknown := [name for name in wanted if name not in records]:
        sys.exit(f"{unknown[0]} という記録はない: あるのは {' '.join(records)}")
    out.mkdir(parents=True, exist_ok=True)
    prepare(wanted)
    for name in wanted:
        before = time.time()
        records[name](out / name)
        print(f"{name} ({time.time() - before:.0f} 秒)", flush=True)
