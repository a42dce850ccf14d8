"""PDF を小さくする: 同じ中身のストリームを 1 つにし、ほかのものを、まとめて圧縮する (オブジェクトストリーム)。

ブラウザの刷る PDF は、見出しや段落の印 (タグ) を 1 つずつ、圧縮せずに書く。それが半分より多い。
"""

import io
import re
import zlib

from pypdf import PdfReader
from pypdf.generic import ArrayObject, DictionaryObject, IndirectObject, NameObject, StreamObject

MCID = NameObject("/MCID")
TOGETHER = 400  # 1 つのストリームにまとめる数


def written(thing):
    out = io.BytesIO()
    thing.write_to_stream(out)
    return out.getvalue()


def pointing(thing, same):
    """重なったストリームを指すものを、残した方に向ける"""
    keyed = isinstance(thing, DictionaryObject)
    for key in list(thing) if keyed else range(len(thing)):
        value = thing.raw_get(key) if keyed else list.__getitem__(thing, key)
        if isinstance(value, IndirectObject) and value.idnum in same:
            thing[key] = same[value.idnum]
        elif isinstance(value, (DictionaryObject, ArrayObject)):
            pointing(value, same)


def compressed(data):
    return zlib.compress(data, 9)


def shorter(thing):
    """線と字を置く場所を、小数 2 桁にする (単位は 1 px)。倍率 (cm と Tm) は、桁を落とすと、離れた字がずれる"""
    number = re.compile(rb"-?\d+\.\d{3,}")
    placed = re.compile(rb"^[-\d. ]+ (?:Td|m|l|c|re)\b", re.M)
    cut = lambda m: (b"%.2f" % float(m[0])).rstrip(b"0").rstrip(b".")
    thing._data = compressed(placed.sub(lambda m: number.sub(cut, m[0]), thing.get_data()))


def kids(element):
    inside = element.get("/K", ArrayObject())
    return inside if isinstance(inside, ArrayObject) else ArrayObject([inside])


def without_empty_tags(things):
    """意味のない印 (NonStruct) を除き、中身を、それを囲む印に渡す。印の 8 割がこれである"""
    empty = {k for k, t in things.items() if isinstance(t, DictionaryObject) and t.get("/S") == "/NonStruct"}
    number = lambda e: e.idnum if isinstance(e, IndirectObject) else None

    def kept(k):  # k を囲む、残る印
        while k in empty:
            k = number(things[k].raw_get("/P"))
        return k

    def spread(element, page):
        for e in list.__iter__(kids(element)):
            if number(e) in empty:
                yield from spread(things[number(e)], things[number(e)].get("/Pg") and things[number(e)].raw_get("/Pg"))
            elif isinstance(e, int) and page is not None:
                yield DictionaryObject({NameObject("/Type"): NameObject("/MCR"), NameObject("/Pg"): page, MCID: e})
            else:
                yield e

    for k, thing in things.items():
        if k in empty or not isinstance(thing, DictionaryObject):
            continue
        if thing.get("/Type") == "/StructElem" and any(number(e) in empty for e in list.__iter__(kids(thing))):
            thing[NameObject("/K")] = ArrayObject(spread(thing, thing.raw_get("/Pg") if "/Pg" in thing else None))
    for thing in things.values():
        for row in (
            [thing]
            if isinstance(thing, ArrayObject)
            else [thing.get("/Nums")]
            if isinstance(thing, DictionaryObject)
            else []
        ):
            for i, e in enumerate(list.__iter__(row or [])):
                if number(e) in empty:
                    row[i] = IndirectObject(kept(number(e)), 0, e.pdf)
                elif isinstance(e, ArrayObject):
                    for j, inner in enumerate(list.__iter__(e)):
                        if number(inner) in empty:
                            e[j] = IndirectObject(kept(number(inner)), 0, inner.pdf)
    for k in empty:
        del things[k]


def stream(number, head, data):
    return b"%d 0 obj\n<<%s /Length %d>>\nstream\n" % (number, head, len(data)) + data + b"\nendstream\nendobj\n"


def pack(pdf):
    """書き直した PDF のバイト列"""
    reader = PdfReader(pdf)
    size = reader.trailer["/Size"]
    things = {k: reader.get_object(IndirectObject(k, 0, reader)) for k in range(1, size)}
    things = {k: thing for k, thing in things.items() if thing is not None}
    without_empty_tags(things)
    for page in reader.pages:
        shorter(page["/Contents"].get_object())
    first, same = {}, {}
    for k, thing in things.items():
        if isinstance(thing, StreamObject):
            kept = first.setdefault(written(thing), k)
            if kept != k:
                same[k] = IndirectObject(kept, 0, reader)
    for k in same:
        del things[k]
    out, places, loose = bytearray(b"%PDF-1.5\n%\xe2\xe3\xcf\xd3\n"), {}, []
    for k, thing in things.items():
        if isinstance(thing, (DictionaryObject, ArrayObject)):
            pointing(thing, same)
        if isinstance(thing, StreamObject):
            places[k] = (1, len(out), 0)
            out += b"%d 0 obj\n" % k + written(thing) + b"\nendobj\n"
        else:
            loose.append((k, written(thing)))
    number = size
    for at in range(0, len(loose), TOGETHER):
        group, index, body = loose[at : at + TOGETHER], b"", b""
        for k, (name, data) in enumerate(group):
            places[name] = (2, number, k)
            index += b"%d %d " % (name, len(body))
            body += data + b"\n"
        places[number] = (1, len(out), 0)
        head = b"/Type /ObjStm /N %d /First %d /Filter /FlateDecode" % (len(group), len(index))
        out += stream(number, head, compressed(index + body))
        number += 1
    places[number] = (1, len(out), 0)
    rows = b"\0" * 7 + b"".join(
        bytes([kind]) + a.to_bytes(4, "big") + b.to_bytes(2, "big")
        for kind, a, b in (places.get(k, (0, 0, 0)) for k in range(1, number + 1))
    )
    trailer = b" ".join(f"{key} {written(reader.trailer.raw_get(key)).decode()}".encode() for key in ("/Root", "/Info"))
    head = b"/Type /XRef /Size %d /W [1 4 2] /Filter /FlateDecode " % (number + 1) + trailer
    start = len(out)
    return bytes(out + stream(number, head, compressed(rows)) + b"startxref\n%d\n%%%%EOF\n" % start)
