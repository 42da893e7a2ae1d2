"""HTML as plain text, in the manner of Go's html2text, by which mail catchers show mails without a text of their own:
a link is followed by its address in parentheses, a heading stands between lines, what is strong between stars.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from html.parser import HTMLParser

_SPACES = re.compile(r"[ \r\n\t]+")
_SILENT = frozenset({"style", "script", "head", "title"})
_PARAGRAPHS = frozenset({"p", "ul", "table", "blockquote"})
_HEADINGS = {"h1": "*", "h2": "-", "h3": "-"}
_STRONG = frozenset({"b", "strong"})


def plain_text(html: str) -> str:
    """What a person reads in `html`.

    >>> plain_text('<h2>Hello</h2><p>Follow <a href="http://a/b">this link</a> or type <b>123</b></p>')
    '-----\\nHello\\n-----\\n\\nFollow this link ( http://a/b ) or type *123*'
    """
    reader = _Reader()
    reader.feed(html)
    reader.close()
    return re.sub("\n\n+", "\n\n", reader.text().replace("\n ", "\n")).strip()


@dataclass
class _Piece:
    """Text that an element around it is put into as a whole."""

    tag: str
    ends_with_space: bool = False
    text: str = ""

    def add(self, data: str) -> None:
        if data:
            apart = not (data[0].isspace() or self.ends_with_space or data[0] == ".")
            self.text += f" {data}" if apart else data
            self.ends_with_space = data[-1].isspace()


@dataclass
class _Link:
    href: str
    text: str = ""


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self._pieces = [_Piece("")]
        self._links: list[_Link] = []
        self._silent: list[str] = []
        self._preformatted = 0

    def text(self) -> str:
        while len(self._pieces) > 1:
            self._close_piece()
        return self._pieces[0].text

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "body":
            self._silent.clear()
        if tag in _SILENT:
            self._silent.append(tag)
        elif tag in _HEADINGS or tag in _STRONG:
            self._pieces.append(_Piece(tag, ends_with_space=tag in _STRONG))
        elif tag == "a":
            self._links.append(_Link((dict(attrs).get("href") or "").strip().removeprefix("mailto:")))
        elif tag == "img" and self._links:
            self._say(dict(attrs).get("alt") or "")
        else:
            self._say(_before(tag, self._pieces[-1].text))
        self._preformatted += tag == "pre"

    def handle_endtag(self, tag: str) -> None:
        if tag in _SILENT:
            if tag in self._silent:
                del self._silent[self._silent.index(tag) :]
        elif tag in (piece.tag for piece in self._pieces):
            while self._close_piece() != tag:
                pass
        elif tag == "a" and self._links:
            link = self._links.pop()
            self._say(f"( {link.href} )" if link.href and link.href != link.text else "")
        elif tag == "pre":
            self._preformatted = max(0, self._preformatted - 1)
        else:
            self._say(_after(tag))

    def handle_data(self, data: str) -> None:
        if not self._silent:
            shown = data if self._preformatted else _SPACES.sub(" ", data).strip()
            self._say(shown)
            if self._links:
                self._links[-1].text += shown

    def _say(self, data: str) -> None:
        if not self._silent:
            self._pieces[-1].add(data)

    def _close_piece(self) -> str:
        piece = self._pieces.pop()
        sign = _HEADINGS.get(piece.tag)
        if sign is None:
            self._say(f"*{piece.text}*")
        else:
            line = sign * max((len(line) - 1 for line in piece.text.split("\n")), default=0)
            above = "" if piece.tag == "h3" else f"{line}\n"
            self._say(f"\n\n{above}{piece.text}\n{line}\n\n")
        return piece.tag


def _before(tag: str, said: str) -> str:
    if tag in _PARAGRAPHS:
        return "\n\n"
    if tag == "div" and said and not said.endswith("\n"):
        return "\n"
    return {"br": "\n", "li": "* "}.get(tag, "")


def _after(tag: str) -> str:
    return "\n\n" if tag in _PARAGRAPHS else "\n" if tag in ("div", "li") else ""
