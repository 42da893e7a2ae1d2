"""A message's words without markup, for the snippet in a list and for searching, as Mailpit makes them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html.parser import HTMLParser

SNIPPET_BYTES = 200
_SILENT = frozenset({"script", "title", "head", "style", "noscript"})
_BLOCKS = (
    "div|p|td|th|h[1-6]|ul|ol|li|address|article|aside|blockquote|dl|dt|footer|header|hr|main|nav|pre|table|thead|"
    "tfoot|video"
)
_CLOSED_BLOCK = re.compile(rf"</({_BLOCKS})><", re.IGNORECASE)
_BREAK = re.compile(r"<(br /|br)>", re.IGNORECASE)
_PICTURE = re.compile(r"<(img)", re.IGNORECASE)
_SEPARATORS = re.compile(r'\r?\n|[\t><",;()]')


def snippet(text: str, html: str) -> str:
    """The beginning of a message in one line, from its HTML where it has any."""
    found = stripped(html) if html.strip() else _one_line(text)
    encoded = found.encode()
    return found if len(encoded) <= SNIPPET_BYTES else encoded[:SNIPPET_BYTES].decode(errors="ignore") + "..."


def search_text(headers: Sequence[str], text: str, html: str, files: Sequence[str]) -> str:
    """Everything of a message that free words are sought in."""
    return clean(" ".join([*headers, stripped(html, with_links=True) or text, *files]))


def clean(text: str) -> str:
    """In lower case, without what separates words.

    >>> clean('Anna Lee <anna@example.com>,')
    'anna lee anna@example.com'
    """
    return _one_line(_SEPARATORS.sub(" ", text)).lower()


def stripped(html: str, with_links: bool = False) -> str:
    """The text of `html` in one line, each link's address behind it if that is wanted.

    >>> stripped('<p>Hello</p><p><a href="http://a/b">there</a></p>', with_links=True)
    'Hello there http://a/b'
    """
    apart = _PICTURE.sub(r" <\1", _BREAK.sub(" ", _CLOSED_BLOCK.sub(r"</\1> <", html)))
    reader = _Reader(with_links)
    reader.feed(apart)
    reader.close()
    return _one_line("".join(sign if sign.isprintable() else " " for sign in "".join(reader.words)))


def _one_line(text: str) -> str:
    return " ".join(text.replace("\ufeff", " ").split())


class _Reader(HTMLParser):
    def __init__(self, with_links: bool) -> None:
        super().__init__()
        self.words: list[str] = []
        self._with_links = with_links
        self._silent: list[str] = []
        self._links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "body":
            self._silent.clear()
        if tag in _SILENT:
            self._silent.append(tag)
        if tag == "a":
            self._links.append(dict(attrs).get("href") or "")

    def handle_endtag(self, tag: str) -> None:
        if tag in self._silent:
            del self._silent[self._silent.index(tag) :]
        if tag == "a" and self._links:
            link = self._links.pop()
            if self._with_links and link.lower().startswith("http"):
                self.words.append(f" {link} ")

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self.words.append(data)
