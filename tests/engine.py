"""ページの中のコンパイラと実行を、Node.js で動かす。"""

import json

import book

# どのプログラムも Worker の代わりに Node.js で、時計を速く進めて動かす: 終わらないループに気づくのを待たない
SETUP = """
const [folder] = process.argv.slice(1), code = process.cwd() + "/code/cpu/wasm/";
const { Toolchain, CLANG } = require(code + "toolchain.js");
require("v8").setFlagsFromString("--wasm-dynamic-tiering"); // よく通る所は最適化する。コンパイラは、ごく一部だけ (told)
const { Compiler } = require(code + "compiler.js");
const { Wasi } = require(code + "wasi.js"), fs = require("fs"), zlib = require("zlib");
const jobs = JSON.parse(fs.readFileSync(0));
const FAST = 40;
class Fast extends Wasi {
    constructor(...given) {
        super(...given);
        const now = () => BigInt(Math.round(performance.now() * 1e6 * FAST));
        this.wasiImport.clock_time_get = (id, precision, out) =>
            (new DataView(this.inst.exports.memory.buffer).setBigUint64(out, now(), true), 0);
    }
}
const read = (name) => zlib.gunzipSync(fs.readFileSync(`${folder}/${name}`));
const compiler = Compiler.fromPack(new WebAssembly.Module(fs.readFileSync(CLANG)), read("pack.gz"));
require("v8").setFlagsFromString("--wasm-tiering-budget=13000000"); // プログラムは、V8 の決めた量から
compiler.header = (flags) => new Toolchain(folder).header(flags);
const sections = [...compiler.system.keys()].filter((name) => name.startsWith("parts/code/"));
const own = sections.map((name) => compiler.system.get(name));
const parts = (tool) => [...compiler.parts("parts", `parts/${tool}`), ...own];
const made = ({ file, text, tool, block }) =>
    new WebAssembly.Module(compiler.program(file, text, tool, parts(tool), block));
function execute(program, args) {
    const said = ["", "", ""], files = new Map(), write = (fd, bytes) => (said[fd] += Buffer.from(bytes));
    let status;
    try {
        status = new Fast(args, files, write).start(program);
    } catch (e) {
        [status, said[2]] = [-1, `${said[2]}${e.stack}`];
    }
    return [status, said[1], said[2], Buffer.from(files.get("listing.json") ?? "").toString()];
}
"""


def told(pack, script, jobs):
    """jobs を渡して script を動かし、その出力を返す"""
    command = ["node", "--wasm-tiering-budget=1000000000", "-e", SETUP + script, str(pack)]
    return book.succeeds(book.call(command, input=json.dumps(jobs), timeout=1800)).stdout
