"""A request's headers as the rooms may see them, and where it came from: without what only a trusted proxy may say.

Clients that keep a connection send the same headers again and again, so what they come to is remembered. All of it is
told by the headers, the peer and the version of HTTP alone; the rest of a backend's answer to them never changes.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from minato.dev.guard import COOKIE, without_cookie
from minato.front_door import names_its_host
from minato.http.asgi import Header, Scope
from minato.http.client_address import TrustedProxies
from minato.http.repeated import REQUEST_ID, Remembered, RepeatedHeaders

AUTHORIZATION, API_KEY = b"authorization", b"apikey"
SESSION = COOKIE.encode()
FORWARDED = frozenset(
    {b"x-forwarded-for", b"x-forwarded-proto", b"x-forwarded-host", b"x-forwarded-port", b"x-real-ip"}
)


@dataclass(frozen=True, slots=True)
class Admission:
    """What the API key among the headers lets them do, and the headers with the token that it stands for."""

    allowed: bool
    headers: RepeatedHeaders


@dataclass(frozen=True, slots=True, repr=False)
class Incoming:
    """`request_id` is the client's own, if it can be one; `scheme` that of a trusted proxy.

    `admissions` are found by whether a key is taken for a token.
    """

    headers: tuple[Header, ...]
    names_its_host: bool
    address: str
    scheme: str | None
    request_id: str | None
    origin: str | None
    admissions: dict[bytes | None, Admission] = field(default_factory=dict)

    def with_id(self, request_id: str) -> list[Header]:
        """The headers of one request, with the id that it was given unless it brought one."""
        if self.request_id is not None:
            return list(self.headers)
        return [*self.headers, (REQUEST_ID, request_id.encode())]


class IncomingHeaders:
    """Reads the headers of requests to one backend, behind `proxies`."""

    def __init__(self, proxies: TrustedProxies) -> None:
        self._proxies = proxies
        self._known: Remembered[Incoming] = Remembered()

    def read(self, scope: Scope) -> Incoming:
        """What the headers of `scope` come to; it stays as it is."""
        given: tuple[Header, ...] = tuple(scope["headers"])
        client = scope.get("client")
        peer: str | None = client[0] if client else None
        key = (peer, scope.get("http_version"), given)
        known = self._known.find(key)
        if known is None:
            known = self._read(scope, peer)
            self._known.keep(key, given, known)
        return known

    def _read(self, scope: Scope, peer: str | None) -> Incoming:
        headers = _spoken_once(scope["headers"])
        address, scheme = self._proxies.client(peer, headers), None
        if self._proxies.trusts(peer):
            told = header(headers, b"x-forwarded-proto")
            scheme = told if told in ("http", "https") else None
        else:
            headers = [pair for pair in headers if pair[0] not in FORWARDED]
        request_id = header(headers, REQUEST_ID)
        fits = request_id is not None and len(request_id) <= 128 and request_id.isascii() and request_id.isprintable()
        return Incoming(
            headers=tuple(headers),
            names_its_host=names_its_host(scope),
            address=address,
            scheme=scheme,
            request_id=request_id if fits else None,
            origin=header(headers, b"origin"),
        )


def header(headers: list[Header], name: bytes) -> str | None:
    """The first header of that name."""
    for key, value in headers:
        if key == name:
            return value.decode("latin-1")
    return None


def _spoken_once(headers: list[Header]) -> list[Header]:
    """The headers with the first Authorization and the first apikey only: all rooms must see the same caller. None of
    them sees a developer's cookie, which the front door asks for."""
    seen: set[bytes] = set()
    kept = []
    for name, value in headers:
        if name in (AUTHORIZATION, API_KEY):
            if name in seen:
                continue
            seen.add(name)
        elif name == b"cookie" and SESSION in value:
            value = without_cookie(value)
            if not value:
                continue
        kept.append((name, value))
    return kept
