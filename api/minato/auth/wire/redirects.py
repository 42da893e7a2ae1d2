"""Where a link may lead: the redirect allow list, and the ways results are put into a URL."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from urllib.parse import quote_plus, unquote_plus, urlsplit

# Browsers read a backslash as `/` and leave control characters out, so such a URL leads elsewhere than it says.
_UNCLEAR = re.compile(r"[\\\x00-\x1f\x7f]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_HOST = re.compile(r"[a-zA-Z0-9]([a-zA-Z0-9.-]*[a-zA-Z0-9])?")
_BETWEEN = "[^./]"


def is_allowed(target: str, site_url: str, globs: Iterable[str]) -> bool:
    """Whether mails and redirects may lead to `target`.

    >>> is_allowed("https://shop.example/x", "https://shop.example", [])
    True
    >>> is_allowed("https://evil.example", "https://shop.example", [])
    False
    """
    try:
        url, site = urlsplit(target), urlsplit(site_url)
        port, site_port = url.port, site.port
    except ValueError:
        return False
    host = url.hostname or ""
    if not _is_clear(target, url.scheme, host):
        return False
    if url.scheme == site.scheme and host == (site.hostname or "") and (port == site_port or _is_loopback(host)):
        return True
    if host.isdecimal():
        return False
    address = _address(host)
    if address is not None and not address.is_loopback:
        return False
    if address is not None and url.scheme in ("http", "https"):
        return True
    plain = target.split("#", 1)[0]
    return any(matches(glob, plain) for glob in globs)


def _is_clear(target: str, scheme: str, host: str) -> bool:
    """Whether every reader of `target` goes to the same place."""
    if not target or not scheme or _UNCLEAR.search(target) or _SURROGATE.search(target):
        return False
    return scheme not in ("http", "https") or ":" in host or _HOST.fullmatch(host) is not None


def is_request_uri(text: str) -> bool:
    """An absolute URI or an absolute path.

    >>> is_request_uri("https://app.example/x"), is_request_uri("app")
    (True, False)
    """
    try:
        parts = urlsplit(text)
        _ = parts.port
    except ValueError:
        return False
    clear = all(32 < ord(character) != 127 for character in text)
    return clear and (text.startswith("/") or bool(parts.scheme and (parts.netloc or parts.path)))


def as_header(location: str) -> str:
    """`location` in the characters a header may have, the others percent-encoded as UTF-8.

    >>> as_header("https://app.example/車?a=b c")
    'https://app.example/%e8%bb%8a?a=b%20c'
    """
    return "".join(one if "!" <= one <= "~" else _percent(one) for one in location)


def _percent(character: str) -> str:
    return "".join(f"%{octet:02x}" for octet in character.encode(errors="replace"))


def with_fragment(target: str, values: Mapping[str, str]) -> str:
    """`target#key=value…`, keys sorted and form-encoded; `sb` marks the fragment as ours."""
    return f"{target}#{encode_form({**values, 'sb': ''})}"


def with_query(target: str, values: Mapping[str, str]) -> str:
    """`target` with the values in its query, in place of those it has under their names.

    >>> with_query("https://app.example/?code=mine&a=1#top", {"code": "ours"})
    'https://app.example/?a=1&code=ours#top'
    """
    plain, mark, fragment = target.partition("#")
    path, _, query = plain.partition("?")
    kept = [pair for pair in query.split("&") if pair and unquote_plus(pair.partition("=")[0]) not in values]
    return f"{path}?{'&'.join([*kept, encode_form(values)])}{mark}{fragment}"


def without_fragment(target: str) -> str:
    """For what must be readable in the fragment: a second `#` would hide it."""
    return target.partition("#")[0]


def encode_form(values: Mapping[str, str]) -> str:
    """`a=1&b=2`, sorted by key."""
    return "&".join(f"{quote_plus(key)}={quote_plus(values[key], safe='~')}" for key in sorted(values))


def _address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def _is_loopback(host: str) -> bool:
    address = _address(host)
    return host == "localhost" or (address is not None and address.is_loopback)


def matches(glob: str, text: str) -> bool:
    """Whether all of `text` is what `glob` says; nothing is what a malformed one says.

    >>> matches("https://*.example/**", "https://a.example/b/c"), matches("https://*.example/", "https://a.b.example/")
    (True, False)
    """
    pattern = _compiled(glob)
    return pattern is not None and pattern.fullmatch(text) is not None


@lru_cache(maxsize=256)
def _compiled(glob: str) -> re.Pattern[str] | None:
    try:
        return re.compile(_Reader(glob).read(), re.S)
    except ValueError:
        return None


class _Reader:
    """A glob turned into a regular expression, from left to right."""

    def __init__(self, glob: str) -> None:
        self._rest = glob
        self._depth = 0

    def read(self) -> str:
        parts: list[str] = []
        while self._rest:
            parts.append(self._part())
        # The reference's library forgives a brace that is never closed.
        return "".join(parts) + ")" * self._depth

    def _part(self) -> str:
        mark = self._next()
        if mark == "*":
            return ".*" if self._skip("*") else f"{_BETWEEN}*"
        if mark == "?":
            return _BETWEEN
        if mark == "[":
            return self._list()
        if mark == "{":
            self._depth += 1
            return "(?:"
        if self._depth and mark in ",}":
            self._depth -= mark == "}"
            return "|" if mark == "," else ")"
        return re.escape(self._next() if mark == "\\" else mark)

    def _list(self) -> str:
        refused = "^" if self._skip("!") else ""
        if self._rest[1:2] == "-":
            low, high = self._rest[0], self._rest[2:3]
            self._rest = self._rest[3:]
            if not high or low > high or not self._skip("]"):
                raise ValueError("the range is none")
            return f"[{refused}{re.escape(low)}-{re.escape(high)}]"
        listed = ""
        while not self._skip("]"):
            mark = self._next()
            listed += re.escape(self._next() if mark == "\\" else mark) if self._rest else ""
            if not self._rest:
                raise ValueError("the list does not end")
        if not listed:
            raise ValueError("the list is empty")
        return f"[{refused}{listed}]"

    def _next(self) -> str:
        """The next character, which is empty behind the end."""
        mark, self._rest = self._rest[:1], self._rest[1:]
        return mark

    def _skip(self, mark: str) -> bool:
        """Whether it is next; passed over, if so."""
        found = self._rest.startswith(mark)
        self._rest = self._rest[found:]
        return found
