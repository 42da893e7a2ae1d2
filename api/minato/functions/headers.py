"""Which headers of a request a function sees, and which of its answer leave: none that belong to one connection."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from ipaddress import IPv6Address
from typing import Final

from minato.http.asgi import Header, Scope
from minato.http.client_address import CLIENT_ADDRESS

PREFIX: Final = "/functions/v1"
PASS: Final = b"x-minato-pass"
_HOP_BY_HOP: Final = frozenset(
    {b"connection", b"keep-alive", b"proxy-authenticate", b"proxy-authorization", b"proxy-connection", b"te"}
    | {b"trailer", b"transfer-encoding", b"upgrade"}
)
_OURS: Final = re.compile(rb"x-minato-.*|x-forwarded-(for|host|port|proto|path|prefix)|host|expect")
_HOST: Final = re.compile(rb"(?:[A-Za-z0-9.\-_]+|\[([0-9A-Fa-f:.]+)\])(?::(\d{1,5}))?")


def end_to_end(headers: Iterable[Header]) -> list[Header]:
    """Without those of one connection, and without what the Connection header names.

    >>> end_to_end([(b"connection", b"close, X-Own"), (b"x-own", b"1"), (b"etag", b"a")])
    [(b'etag', b'a')]
    """
    given = [(name.lower(), value) for name, value in headers]
    named = {part.strip().lower() for name, value in given if name == b"connection" for part in value.split(b",")}
    return [(name, value) for name, value in given if name not in _HOP_BY_HOP and name not in named]


def answer_headers(headers: Iterable[Header]) -> list[Header]:
    """What leaves of an answer's headers; the date is the server's own to tell, and told once.

    >>> answer_headers([(b"Date", b"Fri, 27 Nov 2026 13:07:33 GMT"), (b"keep-alive", b"1"), (b"etag", b"a")])
    [(b'etag', b'a')]
    """
    return [header for header in end_to_end(headers) if header[0] != b"date"]


def request_headers(scope: Scope, passing: str) -> list[Header]:
    """What a function is sent: the caller's headers, how they came here as Kong tells it, and our pass."""
    given = {name: value for name, value in scope["headers"] if name == b"host"}
    host = given.get(b"host", b"")
    host = host if _is_host(host) else b"localhost"
    kept = [(name, value.strip()) for name, value in end_to_end(scope["headers"]) if _OURS.fullmatch(name) is None]
    return [(b"host", host), *kept, *_forwarded(scope, host), (PASS, passing.encode())]


def _is_host(text: bytes) -> bool:
    """Whether a URL can have it: what a function is asked by must be one.

    >>> [_is_host(each) for each in (b"shop.test:443", b"[::1]:80", b"shop.test:65536", b"[::::]", b"a/b")]
    [True, True, False, False, False]
    """
    found = _HOST.fullmatch(text)
    if found is None:
        return False
    within_brackets, port = found.groups()
    try:
        IPv6Address((within_brackets or b"::").decode())
    except ValueError:
        return False
    return int(port or 0) < 65536


def _forwarded(scope: Scope, host: bytes) -> list[Header]:
    secure = scope["scheme"] in ("https", "wss")
    name, colon, port = host.rpartition(b":")
    has_port = bool(colon) and port.isdigit()
    told: Mapping[bytes, bytes] = {
        b"x-forwarded-for": str(scope.get(CLIENT_ADDRESS) or "").encode(),
        b"x-forwarded-proto": b"https" if secure else b"http",
        b"x-forwarded-host": name if has_port else host,
        b"x-forwarded-port": port if has_port else (b"443" if secure else b"80"),
        b"x-forwarded-path": PREFIX.encode() + scope["raw_path"],
        b"x-forwarded-prefix": PREFIX.encode() + b"/",
    }
    return [(name, value) for name, value in told.items() if value]
