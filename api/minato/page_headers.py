"""What browsers are told with an answer: who may read it, what it may load and run, who may frame it.

The site runs its own scripts and styles and asks its own server; nothing is inline. Pictures may lie anywhere, because
the photo of a car may: the site asks for one elsewhere only when a reader wants it. An answer that needs other words,
as a stored file does, sets them by itself.

Browsers on any page may call the API, as on the hosted service, and nothing but the API. Which headers a page may read
differs by service; the lists are those of PostgREST, GoTrue and the storage gateway.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from urllib.parse import urlsplit

from minato.backend import Backend
from minato.http.asgi import Header

Policy = Mapping[str, tuple[str, ...]]

NONE = ("'none'",)
SELF = ("'self'",)
SITE_POLICY: Policy = {
    "default-src": NONE,
    "script-src": SELF,
    "style-src": SELF,
    "img-src": (*SELF, "data:", "blob:", "https:"),
    "font-src": SELF,
    "connect-src": SELF,
    "manifest-src": SELF,
    "object-src": NONE,
    "base-uri": NONE,
    "form-action": SELF,
    "frame-ancestors": NONE,
}
NOSNIFF: Header = (b"x-content-type-options", b"nosniff")
NO_FRAME: Header = (b"x-frame-options", b"DENY")
SITE: tuple[Header, ...] = (
    # The links of mails carry what signs in.
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin-allow-popups"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
)
ONE_YEAR: Header = (b"strict-transport-security", b"max-age=31536000")
METHODS = b"GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"
MAX_AGE = b"86400"
VARY: Header = (b"vary", b"Origin")
DEFAULT_REQUEST_HEADERS = (
    "authorization, apikey, content-type, x-client-info, prefer, accept-profile, content-profile, range, range-unit, "
    "x-upsert, x-metadata, cache-control, x-supabase-api-version"
)
EXPOSED: Mapping[str, bytes] = {
    "/rest/v1": b"Content-Encoding, Content-Location, Content-Range, Content-Type, Date, Location, Server, "
    b"Transfer-Encoding, Range-Unit",
    "/auth/v1": b"X-Total-Count, Link, X-Supabase-Api-Version",
    "/storage/v1": b"Content-Range, Content-Length, ETag, Location, Upload-Offset, Upload-Length, Tus-Version, "
    b"Tus-Resumable, Tus-Max-Size, Tus-Extension, Upload-Metadata, Upload-Expires",
}


class PageHeaders:
    """The headers of one backend: `of_site` for pages and what belongs to them, `of_api` for every other answer."""

    def __init__(self, backend: Backend) -> None:
        public = urlsplit(backend.public_url)
        allowed = backend.settings.server.csp_allow
        if backend.development:
            allowed = f"img-src http:; {allowed}"
        policy = site_policy(public.scheme, public.netloc, allowed)
        secure = [ONE_YEAR] if not backend.development and public.scheme == "https" else []
        framing = [NO_FRAME] if policy["frame-ancestors"] == NONE else []
        self.of_api: list[Header] = [NOSNIFF, *secure]
        self.of_site: list[Header] = [*self.of_api, policy_header(policy), *framing, *SITE]


def site_policy(scheme: str, netloc: str, allowed: str) -> Policy:
    """The site's policy on a server that is called `scheme://netloc`, with what the operator allows besides."""
    called = f"{scheme}://{netloc}"
    # A page may be open under another name than the server's own, and older browsers don't take wss for 'self'.
    own = f"img-src {called}; connect-src {called} {called.replace('http', 'ws', 1)}"
    return extended(extended(SITE_POLICY, own), allowed)


def extended(policy: Policy, more: str) -> Policy:
    """`policy` with the sources of `more`, which is written as the header is."""
    grown = dict(policy)
    for name, *sources in filter(None, map(str.split, more.split(";"))):
        kept = grown.get(name, ())
        grown[name] = (*(() if kept == NONE else kept), *sources)
    return grown


def policy_header(policy: Policy) -> Header:
    """The Content-Security-Policy header of `policy`."""
    text = "; ".join(" ".join((name, *sources)) for name, sources in policy.items())
    return b"content-security-policy", text.encode()


class CorsPolicy:
    """Which origins may call: all of them, or the listed ones with credentials."""

    def __init__(self, allowed_origins: Iterable[str]) -> None:
        self._allowed = frozenset(allowed_origins)

    def preflight(self, origin: str, request_headers: Iterable[Header]) -> list[Header]:
        """The headers that answer a preflight request."""
        asked = next((value for name, value in request_headers if name == b"access-control-request-headers"), b"")
        return [
            *self._origin(origin),
            (b"access-control-allow-methods", METHODS),
            (b"access-control-allow-headers", asked or DEFAULT_REQUEST_HEADERS.encode()),
            (b"access-control-max-age", MAX_AGE),
        ]

    def allowing(self, origin: str | None, prefix: str) -> list[Header]:
        """The headers that let pages read an answer of the room at `prefix`, were it asked for by none now.

        Browsers ask for pictures without an origin, and give scripts what they have kept of that.
        """
        exposed = EXPOSED.get(prefix)
        if exposed is None:
            return self._origin(origin)
        return [*self._origin(origin), (b"access-control-expose-headers", exposed)]

    def _origin(self, origin: str | None) -> list[Header]:
        if not self._allowed:
            return [(b"access-control-allow-origin", b"*")]
        if origin not in self._allowed:
            return [VARY]
        return [
            (b"access-control-allow-origin", origin.encode("latin-1")),
            (b"access-control-allow-credentials", b"true"),
            VARY,
        ]
