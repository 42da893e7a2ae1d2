"""The page that a browser gets in place of the developer's, until its person has brought the token.

It stands by itself, at the address that was asked for: it leads nowhere else, and needs no file that the doors let by.
"""

from __future__ import annotations

import re
from base64 import b64encode
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Final

from minato.http.asgi import Header

INLINE: Final = re.compile(r"<(script|style)>(.*?)</\1>", re.DOTALL)


@cache
def sign_in_page() -> bytes:
    """Its HTML."""
    return files("minato.dev").joinpath("sign_in.html").read_bytes()


@cache
def page_headers() -> list[Header]:
    """Its headers: the one script and the one style written in it are allowed, and to ask this server."""
    hashes = {kind: f"'sha256-{_digest(text)}'" for kind, text in INLINE.findall(sign_in_page().decode())}
    policy = (
        f"default-src 'none'; script-src {hashes['script']}; style-src {hashes['style']}; connect-src 'self'; "
        "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
    return [
        (b"content-type", b"text/html; charset=utf-8"),
        (b"content-security-policy", policy.encode()),
        (b"cache-control", b"no-store"),
    ]


def _digest(text: str) -> str:
    return b64encode(sha256(text.encode()).digest()).decode()
