"""A mail as a page: somebody else's HTML, which may look as it was meant to, load nothing and run nothing."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser

# The page shows a mail in a frame where nothing runs: a link in it has to leave the frame.
TO_TOP = '<base target="_top">'
GONE = "<p>This message is no longer kept.</p>"
SANDBOX = "sandbox allow-popups allow-top-navigation-by-user-activation"


def mail_headers(html: str) -> dict[str, str]:
    """The headers of the page: the styles written in this mail are allowed, one by one, and nothing else."""
    styles = " ".join(["'unsafe-hashes'", *style_hashes(html)])
    policy = f"default-src 'none'; style-src {styles}; img-src data:; frame-ancestors 'self'; {SANDBOX}"
    return {"content-security-policy": policy, "x-frame-options": "SAMEORIGIN"}


def style_hashes(html: str) -> list[str]:
    """A source for each style written into the HTML, in an element or in an attribute.

    >>> style_hashes('<p style="color: red">')
    ["'sha256-NerDAUWfwD31YdZHveMrq0GLjsNFMwxLpZl0dPUeCcw='"]
    """
    reader = _StyleReader()
    reader.feed(html)
    reader.close()
    return [f"'sha256-{b64encode(sha256(style.encode()).digest()).decode()}'" for style in sorted(reader.styles)]


class _StyleReader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.styles: set[str] = set()
        self._is_style = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._is_style = tag == "style"
        self.styles |= {value for name, value in attrs if name == "style" and value}

    def handle_data(self, data: str) -> None:
        if self._is_style:
            self.styles.add(data)

    def handle_endtag(self, tag: str) -> None:
        self._is_style = False
