"""What browsers are told with an answer: what it may load and run, who may frame it, what it tells other sites.

The site runs its own scripts and styles and asks its own server; nothing is inline. Pictures may lie anywhere, because
the photo of a car may: the site asks for one elsewhere only when a reader wants it. An answer that needs other words,
as a stored file does, sets them by itself.
"""

from __future__ import annotations

from collections.abc import Mapping
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
