"""What is refused before a request is looked at: one without a Host of its own, and strangers at the developer's pages.

The developer's pages show everybody's mail, and with it every account. A peer on loopback does not prove a person at
this machine: it may be a browser whose page belongs to somebody else, a name that was bound to this address, a proxy or
a tunnel. Each of them is known by its headers, so this asks the request as it came.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address
from urllib.parse import urlsplit

from minato.http.asgi import Scope, header_map

MAILBOX = "/_dev/mailbox"
FORWARDERS = frozenset({"forwarded", "via", "x-real-ip"})
# What a browser says where a link or an address line opens a whole page.
TOP_LEVEL = ("navigate", "document")


@dataclass(frozen=True)
class Refusal:
    """An answer instead of the one asked for."""

    status: int
    message: str


NO_HOST = Refusal(400, "A request names its host exactly once")
NOT_HERE = Refusal(403, "The developer's pages are for a person at this machine only")


class FrontDoor:
    """Who may come in. In development the mailbox is guarded, and the counters unless a token guards them."""

    def __init__(self, development: bool, metrics_have_token: bool) -> None:
        self._folder = "/_dev" if development else None
        self._page = "/metrics" if development and not metrics_have_token else None

    def refusal(self, scope: Scope) -> Refusal | None:
        """Why the request, unread and unchanged, may not come in; None when it may."""
        if not names_its_host(scope):
            return NO_HOST
        if self._is_guarded(scope["path"]) and not is_person_here(scope):
            return NOT_HERE
        return None

    def _is_guarded(self, path: str) -> bool:
        return path == self._page or (self._folder is not None and path.startswith(self._folder))


def is_person_here(scope: Scope, first_pages: Collection[str] = (MAILBOX,), called: str | None = None) -> bool:
    """Whether a program or a page of ours on this very machine asks, with nothing in between.

    `called` is a name besides its own that the machine is known by to this developer's programs.
    """
    headers = header_map(scope)
    host = headers.get("host", "")
    return (
        scope.get("client") is not None
        and _is_loopback(scope["client"][0])
        and (_is_loopback(_name_of(host)) or (called is not None and _name_of(host) == called.lower()))
        and headers.get("origin", f"http://{host}") in (f"http://{host}", f"https://{host}")
        and not _came_by_proxy(scope, headers)
        and _is_own_or_first_page(scope, headers, first_pages)
    )


def names_its_host(scope: Scope) -> bool:
    """Whether the request has a Host, and one alone."""
    hosts = [value for name, value in scope["headers"] if name == b"host"]
    if not hosts:
        return scope.get("http_version") == "1.0"
    return len(hosts) == 1 and hosts[0] != b""


def _came_by_proxy(scope: Scope, headers: dict[str, str]) -> bool:
    # No browser speaks HTTP/1.0 any more; a proxy that adds no header does (nginx, left as it comes).
    return scope.get("http_version") == "1.0" or any(
        name in FORWARDERS or name.startswith("x-forwarded-") for name in headers
    )


def _is_own_or_first_page(scope: Scope, headers: dict[str, str], first_pages: Collection[str]) -> bool:
    """A page of ours asks or a person does. Other pages may open the mailbox as a whole page: it tells them nothing."""
    if headers.get("sec-fetch-site", "none") in ("none", "same-origin"):
        return True
    opened = (headers.get("sec-fetch-mode"), headers.get("sec-fetch-dest"))
    return scope["path"] in first_pages and scope["method"] == "GET" and opened == TOP_LEVEL


def _name_of(host: str) -> str:
    try:
        return urlsplit(f"//{host}").hostname or "" if "@" not in host else ""
    except ValueError:
        return ""


def _is_loopback(name: str) -> bool:
    """Whether `name`, an address or a host's name, can only mean this machine."""
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
