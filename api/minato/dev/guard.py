"""The doors of what only a developer may see and do: below `/_dev`, and at the mail catcher.

It shows everybody's mail, and with it every account, and makes and drops databases. A peer on loopback does not prove a
person at this machine: it may be a browser whose page belongs to somebody else, a name that was bound to this address,
a proxy or a tunnel. Each of them is known by its headers, so this asks the request as it came.
"""

from __future__ import annotations

import base64
import hmac
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from ipaddress import IPv6Address, ip_address
from urllib.parse import parse_qsl, urlsplit

from minato.http.asgi import Scope, header_map

MAILBOX = "/_dev/mailbox"
# Where a browser brings the token once, for a cookie that stands for it.
SESSION = "/_dev/v1/session"
COOKIE = "minato_developer"
# Apps send their people there, who come back by an address of this server's own.
PROVIDERS = "/_dev/idp/"
# How they come: by what OAuth and SAML have for it.
PERSON_ASKED, SIGN_ON = frozenset({"client_id", "oauth_token"}), "/sso"
FORWARDERS = frozenset({"forwarded", "via", "x-real-ip"})
# What is below `/_dev` for programs; anything else there may be a page, of which the router in the page knows more.
CALLS = frozenset({"v1", "outbox", "sms", "idp", "sink", "mailpit", "mailbox"})
READS = frozenset({"GET", "HEAD"})
# What a browser says where a link or an address line opens a whole page.
TOP_LEVEL = ("navigate", "document")


@dataclass(frozen=True)
class Refused:
    """Which door stayed shut."""

    code: str
    message: str


TOKEN_NEEDED = Refused("token_needed", "The developer's pages want Authorization: Bearer, with MINATO_DEV_TOKEN")
NOT_LOCAL = Refused("not_local", "The developer's pages are for a person at this machine only")
WRONG_HOST = Refused("wrong_host", "The developer's pages are for a person at this machine only: the Host is another's")
WRONG_ORIGIN = Refused("wrong_origin", "The developer's pages are for a person at this machine only: a page asks")


@dataclass(frozen=True)
class Guard:
    """Who may come in. `token`, where there is one, everybody has to bring, and whoever brings it may come from
    anywhere; `called` is a name besides its own that this machine is known by to the developer's programs."""

    token: str | None = field(default=None, repr=False)
    called: str | None = None

    def refusal(self, scope: Scope, first_pages: Collection[str] = ()) -> Refused | None:
        """Which door the request, unread and unchanged, does not pass; None when it may come in. Other pages may open
        what is a page, and `first_pages`, as a whole page: it tells them nothing."""
        headers = header_map(scope)
        if not self.is_known(headers):
            door = self._without_token(scope, headers)
            if door is not None:
                return door
        if self.token is None and not _is_here(scope, headers):
            return NOT_LOCAL
        host = headers.get("host", "")
        if self.token is None and not self._is_ours(_name_of(host)):
            return WRONG_HOST
        is_own = "origin" not in headers or headers["origin"] in _origins_of(host)
        return None if is_own and _is_own_or_first_page(scope, headers, first_pages) else WRONG_ORIGIN

    def is_known(self, headers: Mapping[str, str]) -> bool:
        """Whether the token is brought, where there is one: as a bearer's, or as the password that a browser asks its
        person for."""
        return self.token is None or _brings(headers.get("authorization", ""), self.token)

    def is_signed_in(self, headers: Mapping[str, str]) -> bool:
        """Whether the cookie is brought that a sign-in with the token gave."""
        return self.token is not None and _has_cookie(headers.get("cookie", ""), sealed(self.token))

    def takes(self, given: str) -> bool:
        """Whether `given` is the token, asked in constant time; where there is none, anything is."""
        return self.token is None or hmac.compare_digest(given.encode(), self.token.encode())

    def _without_token(self, scope: Scope, headers: dict[str, str]) -> Refused | None:
        """The same of who brings none: a cookie is sent by the browser, not by its person, so that whatever changes
        something has to come from a page of this server's own."""
        if self.is_signed_in(headers):
            reads = scope.get("method", "GET") in READS
            return None if reads or headers.get("origin") in _origins_of(headers.get("host", "")) else WRONG_ORIGIN
        # What a provider tells for its own codes and tokens is asked by this server, too.
        is_told = scope["path"].startswith(PROVIDERS) and not is_providers_page(scope)
        brings_it = scope["path"] == SESSION and scope.get("method") == "POST"
        return None if brings_it or is_told else TOKEN_NEEDED

    def _is_ours(self, name: str) -> bool:
        return is_loopback(name) or (self.called is not None and name == self.called.lower())


def sealed(token: str) -> str:
    """What the cookie holds: nobody reads the token out of it, and with another token it is worth nothing."""
    return hmac.new(token.encode(), b"a developer's browser", "sha256").hexdigest()


def without_cookie(header: bytes) -> bytes:
    """A Cookie header without it: what opens these pages is no function's business, nor a policy's.

    >>> without_cookie(b"a=1; minato_developer=2; b=3")
    b'a=1; b=3'
    """
    parts = header.split(b";")
    return b";".join(part for part in parts if part.strip().partition(b"=")[0] != COOKIE.encode()).strip()


def _has_cookie(cookies: str, value: str) -> bool:
    pairs = (pair.strip().partition("=") for pair in cookies.split(";"))
    # A browser may hold one of an earlier token beside it, for another path.
    return any(hmac.compare_digest(given.encode(), value.encode()) for name, _, given in pairs if name == COOKIE)


def _origins_of(host: str) -> tuple[str, str]:
    return f"http://{host}", f"https://{host}"


def _brings(authorization: str, token: str) -> bool:
    scheme, _, given = authorization.partition(" ")
    if scheme.lower() == "basic":
        given = _password(given)
    elif scheme != "Bearer":
        return False
    return hmac.compare_digest(given.encode(), token.encode())


def _password(encoded: str) -> str:
    try:
        return base64.b64decode(encoded, validate=True).decode().partition(":")[2]
    except ValueError:
        return ""


def _is_here(scope: Scope, headers: dict[str, str]) -> bool:
    """Whether a program of this very machine asks, with nothing in between."""
    return scope.get("client") is not None and is_loopback(scope["client"][0]) and not _came_by_proxy(scope, headers)


def _came_by_proxy(scope: Scope, headers: dict[str, str]) -> bool:
    # No browser speaks HTTP/1.0 any more; a proxy that adds no header does (nginx, left as it comes).
    return scope.get("http_version") == "1.0" or any(
        name in FORWARDERS or name.startswith("x-forwarded-") for name in headers
    )


def is_page(path: str) -> bool:
    """Whether a person opens it, who is then led on: it shows nothing of what happened.

    >>> is_page("/_dev/"), is_page("/_dev/requests/1"), is_page("/_dev/mailbox"), is_page("/_dev/v1/messages")
    (True, True, True, False)
    >>> is_page("/_dev/assets/a.js"), is_page("/_developers"), is_page("/_dev/outbox")
    (False, False, False)
    """
    if path == MAILBOX:
        return True
    first, _, rest = path.removeprefix("/_dev").removeprefix("/").partition("/")
    is_below = path == "/_dev" or path.startswith("/_dev/")
    return is_below and first not in CALLS and "." not in (rest or first).rpartition("/")[2]


def is_providers_page(scope: Scope) -> bool:
    """Whether a person is asked there who they are, whatever the provider's own paths are.

    >>> is_providers_page({"path": "/_dev/idp/google/a", "query_string": b"client%5Fid=minato"})
    True
    >>> is_providers_page({"path": "/_dev/idp/google/token", "query_string": b""})
    False
    """
    path: str = scope["path"]
    asked = dict(parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True))
    is_asked = path.endswith(SIGN_ON) or not PERSON_ASKED.isdisjoint(asked)
    return path.startswith(PROVIDERS) and is_asked


def _is_own_or_first_page(scope: Scope, headers: dict[str, str], first_pages: Collection[str]) -> bool:
    if headers.get("sec-fetch-site", "none") in ("none", "same-origin"):
        return True
    opened = (headers.get("sec-fetch-mode"), headers.get("sec-fetch-dest"))
    path: str = scope["path"]
    is_first = path in first_pages or is_page(path) or path.startswith(PROVIDERS)
    return is_first and scope.get("method") == "GET" and opened == TOP_LEVEL


def _name_of(host: str) -> str:
    try:
        return urlsplit(f"//{host}").hostname or "" if "@" not in host else ""
    except ValueError:
        return ""


def is_loopback(name: str) -> bool:
    """Whether `name`, an address or a host's name, can only mean this machine.

    >>> is_loopback("localhost."), is_loopback("::1"), is_loopback("::ffff:127.0.0.1"), is_loopback("minato.example")
    (True, True, True, False)
    """
    name = name.removesuffix(".")
    if name == "localhost":
        return True
    try:
        address = ip_address(name)
    except ValueError:
        return False
    if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
        return address.ipv4_mapped.is_loopback
    return address.is_loopback
