"""PDF を小さくする: 字 (ink.py) と印 (tags.py) を短く書き直し、同じストリームを 1 つにし、残りをまとめて圧縮する。

ブラウザの刷る PDF は、見出しや段落の印 (タグ) を 1 つずつ、圧縮せずに書く。それが半分より多い。
"""

import io
import zlib
from functools import cache

import ink
import tags
from pypdf import PdfReader
from pypdf.generic import ArrayObject, DictionaryObject, IndirectObject, NameObject, NullObject, StreamObject

TOGETHER = 400  # 1 つのストリームにまとめる数


def written(thing):
    out = io.BytesIO()
    thing.write_to_stream(out)
    return out.getvalue()


def pointing(thing, numbers):
    """新しい番号を指す"""
    keyed = isinstance(thing, DictionaryObject)
    for key in list(thing) if keyed else range(len(thing)):
        value = thing.raw_get(key) if keyed else list.__getitem__(thing, key)
        if isinstance(value, IndirectObject):
            found = numbers.get(value.idnum)
            thing[key] = IndirectObject(found, 0, value.pdf) if found else NullObject()
        elif isinstance(value, (DictionaryObject, ArrayObject)):
            pointing(value, numbers)


def compressed(data):
    return zlib.compress(data, 9)


def rewrite(reader, things):
    """ページの中身と印を、短く書き直す"""
    tags.without_empty(things)
    nums = reader.trailer["/Root"]["/StructTreeRoot"]["/ParentTree"]["/Nums"]
    parents = dict(zip(nums[::2], nums[1::2], strict=True))
    pages = {page.indirect_reference.idnum: page for page in reader.pages}
    datas, gone = tags.joined(things, {k: page["/Contents"].get_object().get_data() for k, page in pages.items()})
    widths = cache(lambda k: ink.widths(things[k]))
    for k, page in pages.items():
        tags.forget(parents[page["/StructParents"]].get_object(), gone, k)
        fonts = {name.encode(): widths(font.idnum) for name, font in page["/Resources"].get("/Font", {}).items()}
        page["/Contents"].get_object()._data = compressed(ink.rewritten(datas[k], fonts))


def renumbered(things):
    """重なったストリームを 1 つにし、ストリームから順に番号を付け直した {番号: もの} と、{前の番号: 番号}"""
    first, numbers, kept = {}, {}, {}
    for k, thing in sorted(things.items(), key=lambda item: not isinstance(item[1], StreamObject)):
        same = first.setdefault(written(thing), k) if isinstance(thing, StreamObject) else k
        if same == k:
            kept[len(kept) + 1] = thing
            numbers[k] = len(kept)
        else:
            numbers[k] = numbers[same]
    return kept, numbers


def stream(number, head, data):
    return b"%d 0 obj\n<<%s /Length %d>>\nstream\n" % (number, head, len(data)) + data + b"\nendstream\nendobj\n"


def table(places):
    """どの番号がどこにあるか。前の行との差にすると、ほとんどが 0 と 1 になる (PNG の Up)"""
    before, out = bytes(7), b""
    for kind, a, b in [(0, 0, 0), *places]:
        row = bytes([kind]) + a.to_bytes(4, "big") + b.to_bytes(2, "big")
        out += b"\2" + bytes((x - y) % 256 for x, y in zip(row, before, strict=True))
        before = row
    return b"/W [1 4 2] /DecodeParms <</Predictor 12 /Columns 7>>", out


def pack(pdf):
    """書き直した PDF のバイト列"""
    reader = PdfReader(pdf)
    things = {k: reader.get_object(IndirectObject(k, 0, reader)) for k in range(1, reader.trailer["/Size"])}
    things = {k: thing for k, thing in things.items() if thing is not None}
    rewrite(reader, things)
    things, numbers = renumbered(things)
    out, places, loose = bytearray(b"%PDF-1.5\n%\xe2\xe3\xcf\xd3\n"), [], []
    for k, thing in things.items():
        if isinstance(thing, (DictionaryObject, ArrayObject)):
            pointing(thing, numbers)
        if isinstance(thing, StreamObject):
            places.append((1, len(out), 0))
            out += b"%d 0 obj\n" % k + written(thing) + b"\nendobj\n"
        else:
            loose.append((k, written(thing)))
    groups = [loose[at : at + TOGETHER] for at in range(0, len(loose), TOGETHER)]
    places += [(2, len(things) + 1 + g, k) for g, group in enumerate(groups) for k in range(len(group))]
    for group in groups:
        index, body = b"", b""
        for name, data in group:
            index += b"%d %d " % (name, len(body))
            body += data + b"\n"
        places.append((1, len(out), 0))
        head = b"/Type /ObjStm /N %d /First %d /Filter /FlateDecode" % (len(group), len(index))
        out += stream(len(places), head, compressed(index + body))
    places.append((1, len(out), 0))
    form, rows = table(places)
    root = DictionaryObject({NameObject(key): reader.trailer.raw_get(key) for key in ("/Root", "/Info")})
    pointing(root, numbers)
    head = b"/Type /XRef /Size %d %s /Filter /FlateDecode " % (len(places) + 1, form) + written(root)[2:-2]
    start = len(out)
    return bytes(out + stream(len(places), head, compressed(rows)) + b"startxref\n%d\n%%%%EOF\n" % start)
