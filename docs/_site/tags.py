"""PDF の印 (タグ) を減らす: 意味のない印を除き、同じ印の中で続いている中身を 1 つにする。

印は、見出し、段落、表、コードの区別を、読み上げる道具に伝える。ブラウザは、字の色が変わるだけでも印を付ける。
"""

import re

from pypdf.generic import ArrayObject, DictionaryObject, IndirectObject, NameObject, NullObject, NumberObject

K, P, PG, MCID = map(NameObject, ("/K", "/P", "/Pg", "/MCID"))
NEXT = re.compile(rb"(EMC\n)?/\w+ <</MCID (\d+) >>BDC\n")  # 中身の初め。EMC があれば、前の中身のすぐ後


def number(thing):
    return thing.idnum if isinstance(thing, IndirectObject) else None


def raw(thing, key):
    """中身を追わずに読む。なければ None"""
    return thing.raw_get(key) if key in thing else None


def elements(things):
    return [t for t in things.values() if isinstance(t, DictionaryObject) and t.get("/Type") == "/StructElem"]


def kids(element):
    inside = element.get("/K", ArrayObject())
    return list.__iter__(inside if isinstance(inside, ArrayObject) else ArrayObject([inside]))


def without_empty(things):
    """意味のない印 (NonStruct) を除き、中身を、それを囲む印に渡す。印の 8 割がこれである"""
    empty = {k for k, t in things.items() if isinstance(t, DictionaryObject) and t.get("/S") == "/NonStruct"}

    def outside(e):  # 除く印の代わりに、それを囲む、残る印
        while number(e) in empty:
            e = raw(things[number(e)], "/P")
        return e

    def spread(element, page):
        for e in kids(element):
            if number(e) in empty:
                yield from spread(things[number(e)], raw(things[number(e)], "/Pg"))
            elif isinstance(e, int) and page is not None:
                yield DictionaryObject({NameObject("/Type"): NameObject("/MCR"), PG: page, MCID: e})
            else:
                yield e

    for element in elements(things):
        element[P] = outside(raw(element, "/P"))
        if any(number(e) in empty for e in kids(element)):
            element[K] = ArrayObject(spread(element, raw(element, "/Pg")))
    for thing in things.values():  # 中身から印を引く表 (ParentTree)
        rows = thing.get("/Nums", []) if isinstance(thing, DictionaryObject) else thing
        if isinstance(rows, list):
            for i, e in enumerate(list.__iter__(rows)):
                rows[i] = outside(e)
    for k in empty:
        del things[k]


def content(e, element):
    """中身を指すものなら、(ページ, その番号)"""
    if isinstance(e, int):
        return number(raw(element, "/Pg")), int(e)
    if isinstance(e, DictionaryObject) and "/MCID" in e:
        return number(raw(e, "/Pg") or raw(element, "/Pg")), int(e["/MCID"])


def joined(things, pages):
    """同じ印の中で続いている中身を 1 つにする。pages は {ページの番号: 中身}、答えは、つないだものと、なくなった中身"""
    places = {content(e, t): (k, i) for k, t in enumerate(elements(things)) for i, e in enumerate(kids(t))}
    gone = set()

    def join(page, data):
        before = None

        def start(found):
            nonlocal before
            this = page, int(found[2])
            last, before = before, places.get(this)
            if not found[1] or not last or before != (last[0], last[1] + 1):
                return found[0]
            gone.add(this)
            return b""

        return NEXT.sub(start, data)

    datas = {page: join(page, data) for page, data in pages.items()}
    for element in elements(things):
        settle(element, [e for e in kids(element) if content(e, element) not in gone])
    return datas, gone


def settle(element, left):
    """印の中身を left にする。印と同じページにある中身は、番号だけで指せる"""
    pages = [raw(e, "/Pg") for e in left if isinstance(e, DictionaryObject) and "/MCID" in e]
    if PG not in element and any(pages):
        element[PG] = next(filter(None, pages))
    own = number(raw(element, "/Pg"))
    at = [content(e, element) for e in left]
    left = [NumberObject(c[1]) if c and c[0] == own else e for c, e in zip(at, left, strict=True)]
    if left:
        element[K] = left[0] if len(left) == 1 else ArrayObject(left)


def forget(parents, gone, page):
    """なくなった中身を、中身から印を引く表からも除く"""
    for i in range(len(parents)):
        if (page, i) in gone:
            parents[i] = NullObject()
