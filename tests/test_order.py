"""検査の順序の付け方: でたらめに作った受け渡しを、Python で書き直した付録の「何が何より先か」と比べる。

ブロックは 3 つ、それぞれ 2 スレッド (別のワープ)。CPU デバイスは番号の順に動かすので、どの札が見えたかも分かる。
Python の側は、出来事の集合をそのまま持ち歩く。検査 (code/cpu/tools/sanitize) の木や時刻とは、何も共有しない。
"""

import random
import re

import book
import pytest

BLOCKS, LANES, SEGMENTS, KERNELS = 3, (0, 32), 3, 80
STATEMENTS = {
    "write": "x[{}] = 1;",
    "read": "out[{1}] += x[{0}];",
    "atomic": "atomicAdd(&flag[{}], 1);",
    "block": "atomicAdd_block(&own[{}], 1);",
    "fence": "__threadfence();",
    "fence_block": "__threadfence_block();",
}


def kernel(seed):
    """[(ブロック、区間、レーン、文、場所)]。文は 1 行に 1 つ"""
    draw = random.Random(seed)
    slots = [(block, segment, lane) for block in range(BLOCKS) for segment in range(SEGMENTS) for lane in LANES]
    ops = {slot: [] for slot in slots}
    for slot in slots:
        for _ in range(draw.randint(0, 3)):
            kind = draw.choices(["atomic", "block", "fence", "fence_block"], [5, 1, 5, 1])[0]
            ops[slot].append((*slot, kind, draw.randint(0, 1)))
    for kind in draw.choice([["write", "read"], ["write", "write"], ["write", "read", "read"], ["read", "write"]]):
        slot = draw.choice(slots)
        ops[slot].insert(draw.randint(0, len(ops[slot])), (*slot, kind, 0))
    return [op for slot in slots for op in ops[slot]]


class Thread:
    """出来事の番号の集合: 先だと分かっているもの、見た札、フェンスの前にあったもの (範囲ごと)"""

    def __init__(self):
        self.before, self.seen, self.released = (
            set(),
            {"block": set(), "device": set()},
            {"block": set(), "device": set()},
        )

    def merge(self, other):
        self.before |= other.before
        for scope in self.seen:
            self.seen[scope] |= other.seen[scope]
            self.released[scope] |= other.released[scope]


def races(ops):
    """順序の決まっていない、同じ場所への 2 つの文 (少なくとも 1 つは書く)"""
    found, device_flags, done = set(), {}, []
    for block in range(BLOCKS):
        threads, block_flags = {lane: Thread() for lane in LANES}, {}
        for segment in range(SEGMENTS):
            for k, (b, s, lane, kind, place) in enumerate(ops):
                if (b, s) != (block, segment):
                    continue
                me = threads[lane]
                if kind in ("write", "read"):
                    for j in done:
                        if ops[j][4] == place and "write" in (kind, ops[j][3]) and j not in me.before:
                            found.add((j, k))
                    done.append(k)
                    me.before.add(k)
                elif kind == "fence":
                    me.before |= me.seen["block"] | me.seen["device"]
                    me.released = {scope: set(me.before) for scope in me.released}
                elif kind == "fence_block":
                    me.before |= me.seen["block"] | {j for j in me.seen["device"] if ops[j][0] == block}
                    me.released["block"] = set(me.before)
                else:
                    name = (kind, place)
                    inside, outside = block_flags.setdefault(name, set()), device_flags.setdefault(name, set())
                    me.seen["block"] |= inside
                    inside |= me.released["block"]
                    if kind == "atomic":
                        me.seen["device"] |= outside
                        outside |= me.released["device"]
            everyone = Thread()
            for thread in threads.values():
                everyone.merge(thread)
            for thread in threads.values():
                thread.merge(everyone)
    return found


def source(kernels):
    """本文と、{カーネル: [文の行]}"""
    lines, at = ['#include "book.cuh"'], {}
    for number, ops in enumerate(kernels):
        at[number] = [0] * len(ops)
        lines.append(f"__global__ void kernel{number}(int* x, int* flag, int* own, int* out) {{")
        lines.append("    own += 8 * blockIdx.x, out += 64 * blockIdx.x;")
        for segment in range(SEGMENTS):
            for block in range(BLOCKS):
                for lane in LANES:
                    lines.append(f"    if (blockIdx.x == {block} && threadIdx.x == {lane}) {{")
                    for k, (b, s, l, kind, place) in enumerate(ops):
                        if (b, s, l) == (block, segment, lane):
                            lines.append("        " + STATEMENTS[kind].format(place, lane))
                            at[number][k] = len(lines)
                    lines.append("    }")
            lines.append("    __syncthreads();")
        lines += ["    (void)x, (void)flag;", "}"]
    lines += ["int main(int, char** argv) {", "    int *x, *flag, *own, *out;"]
    for name in ("x", "flag", "own", "out"):
        lines.append(f"    CHECK(cudaMalloc(&{name}, 1024));\n    CHECK(cudaMemset({name}, 0, 1024));")
    lines.append("    switch (atoi(argv[1])) {")
    for number in range(len(kernels)):
        lines.append(f"        case {number}: kernel{number}<<<{BLOCKS}, 64>>>(x, flag, own, out); break;")
    lines.append("    }\n    CHECK(cudaDeviceSynchronize());")
    lines += [f"    CHECK(cudaFree({name}));" for name in ("x", "flag", "own", "out")]
    return "\n".join([*lines, "    return 0;\n}\n"]), at


KERNEL_OPS = [kernel(seed) for seed in range(KERNELS)]


@pytest.fixture(scope="module")
def program():
    text, at = source(KERNEL_OPS)
    (made,) = book.bundles("order", {"code/order.cu": text}, "sanitize").values()
    return made, at


@pytest.mark.parametrize("number", range(KERNELS))
def test_order(program, number):
    path, at = program
    ops = KERNEL_OPS[number]
    expected = {tuple(sorted((at[number][j], at[number][k]))) for j, k in races(ops)}
    done = book.call([path, number])
    said = {
        tuple(sorted((int(a), int(b))))
        for a, b in re.findall(r"データ競合.*\n.*order\.cu:(\d+): .*\n.*order\.cu:(\d+): ", done.stderr)
    }
    assert bool(said) == bool(expected) == (done.returncode != 0), f"{ops}\n{expected}\n{done.stderr}"
    assert said <= expected, f"{ops}\n{expected}\n{done.stderr}"


def test_both_verdicts():
    """作ったものには、競合のあるものもないものも、十分にある"""
    wrong = sum(bool(races(ops)) for ops in KERNEL_OPS)
    assert KERNELS // 5 <= wrong <= KERNELS * 4 // 5
