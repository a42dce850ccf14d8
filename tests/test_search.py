"""検索: 用語集の言葉とコードの名前を、読者が打つ通りに探すと、それを説明するページが見つかる。

どの言葉をどのページが説明するかは、ここに書かない。用語集のリンクと、本文の `名前` から求める。
"""

import re

import book
import pytest
from web import Tab, ask
from words import CUDA_NAME, PAGES, entries, prose

NEAR = 3  # この順位までに出れば、見つかったとする
NONSENSE = "存在しない言葉ぬぬぬ"
PROBES = {  # {ページ: そこへ行くはずの、用語集にない、打ちそうな言葉}
    "index": "いんすとーる|オフライン|印刷|何から読めばいい",
    "5.0": "CPUとGPUの違い|ほすと|スレッドとは|メモリ帯域幅|許容誤差|GPUは速いのか|転送時間|race|起動のオーバーヘッド|"
    "<<<>>>|<<<grid, block>>>|GPUとは|2次元グリッド|エラーチェックマクロ",
    "5.1": "アトミック|atomic|順番待ち|わーぷ|atomicSum",
    "5.2": "畳み込み|りだくしょん|奇数のとき|in-place|2のべき乗じゃない",
    "5.3": "ばんく|ダイバージェンス|divergence|分岐|extern __shared__|きょうゆうめもり|ばんくきょうごう|"
    "バンクコリジョン|bank conflicts|シェアードメモリー|if文で遅くなる|共有メモリを使うと速くなるのはなぜ",
    "5.4": "コアレス|トランザクション|最初の足し算|first add|がったいあくせす|連続アクセス|コアレスアクセシング",
    "5.5": "compaction|ストリーム圧縮|ballot|粒子",
    "5.6": "最後のワープ",
    "5.7": "グリッドストライド|unroll|境界|先読み|vectorized load",
    "5.8": "カーネルの切れ目|1回の起動|CUDAグラフ|cuda graph|grid sync|最後のブロック|memory fence",
    "5.9": "cub::DeviceReduce|thrust::reduce|封筒|ライブラリより速い|誤差の蓄積|ふうとう",
    "5.10": "クラス|最小値|平均|NaNの扱い",
    "5.11": "行ごとの合計|列の合計|行列|行和|row sum|列方向|ld|leading dimension|行ごとのsoftmax",
    "5.12": "multi GPU|弱スケーリング|1枚に収まらない|pinned memory",
    "appendix": "__syncthreads_count|PDF",
    "measuring": "cudaEvent|floating point error",
    "trouble": "out of memory|invalid configuration argument|too many resources requested for launch|"
    "nvcc: command not found|nvccが見つからない|g++: command not found|make: command not found|"
    "整数を 0 で割った: GPU では止まらず、値が決まらない|work/5.3/ に課題のファイルがない|CH=5.20 という節はない|"
    "an illegal memory access was encountered|検査: ここにない文|BLOCK=2048 は使えない|プログラムが終わりません|"
    "Permission denied|Read-only file system|答えが合わない|合計が違う|毎回違う|結果が変わる|終わらない|止まらない|"
    "動かない|文字化け|WSL|WSL2|macOS|Mac|Colab|Google Colab|ノートブック|ドライバ|古いGPU|何も表示されない|"
    "error 700|limit is not supported|misaligned address|nvcc fatal : Unsupported gpu architecture|"
    "Failed to initialize NVML|driver shutting down|invalid pitch argument|cannot open shared object file|"
    "terminate called after throwing an instance|invalid device symbol|double free or corruption|"
    "uses too much shared data|multiple definition of|"
    "cudaErrorTooManyPeers|Failed to fetch|results differ between runs|CPUで動いてしまう|"
    "GPUが見えない|メモリリーク|答えが0になる|でたらめ|うごかない|セグメンテーションフォルト|free(): invalid pointer|"
    "make: *** [Makefile:40: run] Error 2|a.cu(9): error: a host function call cannot be configured|"
    'my.cu(12): error: identifier "foo" is undefined|a.cu:9:5: error: too few arguments in function call|'
    'error: argument of type "int **" is incompatible with parameter of type "const int *"|'
    "========= Invalid __global__ read of size 8 bytes|ERR_NVGPUCTRPERM|compute capability|"
    "RuntimeError: CUDA error: out of memory|GPUassert: an illegal memory access was encountered|cannot find -lcudart|"
    "Makefile:3: *** missing separator.  Stop.|fatal: not a git repository (or any of the parent directories): .git|"
    "./a.out: /lib/libstdc++.so.6: version `GLIBCXX_3.4.32' not found (required by ./a.out)|RTX 4090|書きかけが消えた|"
    "a.cu:8:5: error: invalid conversion from 'int*' to 'int' [-fpermissive]|error: stray '\\343' in program|"
    'x.cu(9): error: "i" has already been declared in the current scope|named symbol not found|環境変数|venv|'
    "nvcc fatal   : Don't know what to do with 'x.txt'|ptxas info    : Used 32 registers, 392 bytes cmem[0]|"
    "No module named 'mkdocs'|make: *** [Makefile:55: check] Error 1|No available adapters.|GPUを認識しない|"
    "タイムアウト|二重解放|範囲外|CUDA 12|解放し忘れ|無限ループ|NaNになる|command not found|不一致|遅い|sm_80|"
    "文字が化ける|NaN|CUDA error at a.cu:42 code=700(cudaErrorIllegalAddress)|nvcc error : 'cudafe++' died|"
    "cudaErrorSetOnActiveProcess|E: Unable to locate package nvidia-cuda-toolkit|RuntimeError: unreachable|"
    'docker: could not select device driver "" with capabilities: [[gpu]].|sumが毎回変わる|途中で固まった',
    "teaching": "授業|講義",
    "version": "問い合わせ|誤植",
    "references": "論文",
    "glossary": "FFT|ステンシル|ソート|モンテカルロ|thread block cluster|cuCtxCreate|tensor core",
}
BROKEN = [
    ({"without": "book.js"}, ["syncthreads", "ダイバージェンス", "ＣＵＤＡ", "しゃっふる"]),
    ({"separator": r"[\s\-　、。，．]+"}, ["足し算"]),
]


def lost(found, words):
    return {word: found[word][:NEAR] for word, page in words.items() if page not in found[word][:NEAR]}


def identifiers():
    """{リストに出てくる名前: 説明するページ}。用語集にあればそのリンク、なければ最初に `名前` と書いたページ"""
    lexer = pytest.importorskip("pygments.lexers").CudaLexer()
    tokens = {token for listing in book.listings() for token in lexer.get_tokens(listing.text)}
    names = {text for kind, text in tokens if "Name" in str(kind) or CUDA_NAME.fullmatch(text)}
    told = {}
    for page in reversed(PAGES):
        told |= {
            name: f"{page.stem}.html"
            for code in re.findall(r"`([^`\n]+)`", prose(page))
            if not re.search(r"^make |/|=\w|\[end", code)  # 命令とファイルの名前は、リストの名前ではない
            for name in re.findall(r"\w+\b(?!::)", code)
        }
    told |= {e.term: e.page for e in entries() if e.code}
    return {
        name: told[name] for name in names & told.keys() if len(name) > 2
    }  # in や tid でない i は、どのページにもある


def ways_to_type(word):
    """読者がほかに打ちそうな形: 小文字、全角、頭の __ や cuda のないもの、片仮名だけ、平仮名にしたもの"""
    if not word.isascii():
        kana = {*re.findall("[ァ-ヴー]{4,}", word)}
        whole = {word} if re.fullmatch("[ァ-ヴー]{3,}", word) else set()
        return kana | {k.translate({c: c - 0x60 for c in range(ord("ァ"), ord("ヴ"))}) for k in kana | whole}
    return {
        word.lower(),
        word.translate({c: c + 0xFEE0 for c in range(0x21, 0x7F)}) if len(word) % 3 == 0 else word,  # 一様に直るので
        word.strip("_"),
        re.sub("^cuda(?=[A-Z])", "", word),
    }


@pytest.fixture(scope="module")
def words():
    found = identifiers()
    for e in entries():
        found |= dict.fromkeys([e.term, *e.readings, *e.others], e.page)
    return found


@pytest.fixture(scope="module")
def probes():
    """読者が打ちそうな言葉と、出てくる誤りの文"""
    return {word: f"{page}.html" for page, told in PROBES.items() for word in told.split("|")}


@pytest.fixture(scope="module")
def ways(words):
    return {way: word for word in words for way in ways_to_type(word) - words.keys() if len(way) > 2}


@pytest.fixture(scope="module")
def found(browser, address, words, probes, ways):
    broken = [word for _, typed in BROKEN for word in typed]
    return ask(browser, address, {*words, *probes, *ways, *broken, NONSENSE})


def test_every_word_finds_its_page(found, words):
    assert lost(found, words) == {}
    assert found[NONSENSE] == []
    # 用語なら、説明しているページがいちばん上に出る。用語集は、それより前に出ない
    assert {e.term: found[e.term][0] for e in entries()} == {e.term: e.page for e in entries()}


def test_probes(found, probes):
    assert len(probes) > 100 and lost(found, probes) == {}


def test_every_way_to_type_finds_its_page(found, words, ways):
    assert {"syncthreads", "memcpy", "ａｔｏｍｉｃＡｄｄ", "わーぷ", "しゃっふる"} <= {*ways} | {
        w.lower() for w in ways
    }
    # 一部だけ打ったときは、同じ一部を持つほかの言葉の答えも正しい
    homes = {way: {words[w] for w in words if way.lower() in w.lower()} | {words[word]} for way, word in ways.items()}
    assert {way: found[way][:NEAR] for way in ways if not homes[way] & {*found[way][:NEAR]}} == {}


@pytest.mark.parametrize("broken, typed", BROKEN)
def test_each_part_is_needed(browser, address, found, broken, typed):
    """search.js と mkdocs.yml の separator は、どちらも、なくすと見つからない言葉がある"""
    assert [word for word in typed if not found[word]] == []
    assert [word for word, pages in ask(browser, address, typed, **broken).items() if pages] == []


def test_typing(browser, address):
    """本当に検索の箱に打つ。1 枚のページで続けて打ち、いちばん上の答えを見て、最後の答えへ移る"""
    typed = {
        "共有メモリ": "5.3",
        "syncthreads": "5.3",
        "first add": "5.4",
        "atomicAdd": "5.1",
        "ＣＵＤＡ": "5.0",
        "畳み込み": "5.2",
    }
    with Tab(browser, 1280, "light") as tab:
        asked = []  # 探し始めるまで、検索の索引を取りに行かない
        tab.page.on("request", lambda request: asked.append(request.url))
        page = tab.open(f"{address}/index.html", quiet=True)
        assert asked and not [url for url in asked if "search_index" in url]
        box, first = page.locator(".md-search__input"), page.locator(".md-search-result__link").first
        with page.expect_request("**/search_index.json"):
            box.click()
        for word, name in typed.items():
            box.fill(NONSENSE)
            first.wait_for(state="detached")
            box.fill(word)
            first.wait_for()
            assert f"/{name}.html" in first.get_attribute("href"), word
        box.fill("H200")
        page.locator(".md-search-result__link[href*='/5.']").first.wait_for()
        box.fill("畳み込み")
        page.locator(".md-search-result__link[href*='/5.2.html']").first.click()
        page.wait_for_url("**/5.2.html*")
        assert tab.troubles == []
