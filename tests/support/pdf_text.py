"""The text of a PDF as Typst writes one, line by line: enough to read what a page on paper says."""

from __future__ import annotations

import re
import zlib

_OBJECT = re.compile(rb"(\d+) 0 obj\n(.*?)\nendobj", re.DOTALL)
_STREAM = re.compile(rb"(<<.*?>>)\s*stream\r?\n(.*)endstream", re.DOTALL)
_TEXT = rb"\((?:\\.|[^\\()])*\)"
for _ in range(4):  # parentheses in parentheses, which balance
    _TEXT = rb"\((?:\\.|[^\\()]|" + _TEXT + rb")*\)"
_SPAN = re.compile(rb"<<.*?>>|(?P<y>[-\d.]+) cm|/(?P<font>f\d+) [\d.]+ Tf|(?P<text>" + _TEXT + rb")|ET", re.DOTALL)
_ESCAPES = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"b": b"\b", b"f": b"\f"}


def pdf_text(pdf: bytes) -> str:
    """Return the text of all pages; what stands on one line is on one line."""
    objects = {int(number): body for number, body in _OBJECT.findall(pdf)}
    pages = [body for body in objects.values() if re.search(rb"/Type\s*/Page\b", body)]
    return "\n".join(_page(objects, page) for page in pages)


def _page(objects: dict[int, bytes], page: bytes) -> str:
    resources = objects[_reference(rb"Resources", page)]
    fonts = {
        name: _letters(objects, objects[int(number)]) for name, number in re.findall(rb"/(f\d+) (\d+) 0 R", resources)
    }
    lines: list[tuple[bytes, str]] = []
    y, letters, run = b"", dict[int, str](), ""
    for found in _SPAN.finditer(_content(objects[_reference(rb"Contents", page)])):
        if found["y"]:
            y = found["y"]
        elif found["font"]:
            letters = fonts[found["font"]]
        elif found["text"]:
            codes = _unescaped(found["text"][1:-1])
            run += "".join(letters[high << 8 | low] for high, low in zip(codes[::2], codes[1::2], strict=True))
        elif run and found[0] == b"ET":
            lines.append((y, run))
            run = ""
    return _joined(lines)


def _joined(spans: list[tuple[bytes, str]]) -> str:
    text, last = "", b""
    for y, run in spans:
        text += run if not text else (" " if y == last else "\n") + run
        last = y
    return text


def _letters(objects: dict[int, bytes], font: bytes) -> dict[int, str]:
    """What each code of a font stands for."""
    mapped = _content(objects[_reference(rb"ToUnicode", font)])
    found = {int(code, 16): _utf_16(text) for code, text in re.findall(rb"^<(\w{4})> <(\w+)>$", mapped, re.MULTILINE)}
    for first, last, text in re.findall(rb"^<(\w{4})> <(\w{4})> <(\w+)>$", mapped, re.MULTILINE):
        start = int(first, 16)
        found |= {code: chr(int(text, 16) + code - start) for code in range(start, int(last, 16) + 1)}
    return found


def _utf_16(digits: bytes) -> str:
    return bytes.fromhex(digits.decode()).decode("utf-16-be")


def _reference(name: bytes, body: bytes) -> int:
    found = re.search(rb"/%s (\d+) 0 R" % name, body)
    assert found, name
    return int(found[1])


def _content(body: bytes) -> bytes:
    found = _STREAM.search(body)
    assert found
    return zlib.decompressobj().decompress(found[2])


def _unescaped(text: bytes) -> bytes:
    def one(found: re.Match[bytes]) -> bytes:
        code = found[1]
        return bytes([int(code, 8)]) if code[:1] in b"01234567" else _ESCAPES.get(code, code)

    return re.sub(rb"\\([0-7]{1,3}|.)", one, text, flags=re.DOTALL)
