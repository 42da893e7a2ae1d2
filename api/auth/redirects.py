"""Where a link may lead: the site, this machine, or what the allow list says. Never an error, else the site itself."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable
from urllib.parse import SplitResult, urlencode, urlsplit

HOST = re.compile(r"[a-zA-Z0-9]([a-zA-Z0-9.-]*[a-zA-Z0-9])?")


class Redirects:
    """The rule for one site."""

    def __init__(self, site_url: str, allow_list: Iterable[str]) -> None:
        self.site_url = site_url
        self._site = urlsplit(site_url)
        self._globs = [glob_pattern(glob) for glob in allow_list]

    def choose(self, *wished: str | None) -> str:
        """The first wish that is allowed, else the site."""
        return next((url for url in wished if url and self.allows(url)), self.site_url)

    def allows(self, url: str) -> bool:
        """Whether a link may lead to `url`."""
        try:
            parts = urlsplit(url)
            host = parts.hostname or ""
            port = parts.port
        except ValueError:
            return False
        if parts.scheme in ("http", "https") and not is_host(host):
            return False
        if parts.scheme == self._site.scheme and host == self._site.hostname:
            if port == self._port() or is_loopback(host):
                return True
        if is_address(host):
            return is_loopback(host)
        if host.isdigit():  # a decimal integer is an address in disguise
            return False
        return any(glob.fullmatch(url.partition("#")[0]) for glob in self._globs)

    def _port(self) -> int | None:
        return self._site.port


def is_host(host: str) -> bool:
    """Whether a web address may have this host."""
    return bool(HOST.fullmatch(host)) or is_address(host)


def is_address(host: str) -> bool:
    """Whether `host` is an IP address."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def is_loopback(host: str) -> bool:
    """Whether `host` is this machine."""
    return host == "localhost" or (is_address(host) and ipaddress.ip_address(host).is_loopback)


def glob_pattern(glob: str) -> re.Pattern[str]:
    """A glob whose separators are `.` and `/`: `*` stays within them, `**` doesn't; also `?`, `[…]`, `{a,b}`.

    >>> bool(glob_pattern("https://*.example.com/**").fullmatch("https://a.example.com/x/y"))
    True
    >>> bool(glob_pattern("https://*.example.com").fullmatch("https://a.b.example.com"))
    False
    """
    tokens = re.findall(r"\*\*|\*|\?|\[[^\]]*\]|\{[^}]*\}|.", glob, re.S)
    return re.compile("".join(_glob_token(token) for token in tokens))


def _glob_token(token: str) -> str:
    if token == "**":
        return ".*"
    if token == "*":
        return "[^./]*"
    if token == "?":
        return "[^./]"
    if len(token) > 1 and token[0] == "[":
        inside = token[1:-1]
        return f"[^{re.escape(inside[1:])}]" if inside.startswith("!") else f"[{inside}]"
    if len(token) > 1 and token[0] == "{":
        return "(?:" + "|".join(re.escape(choice) for choice in token[1:-1].split(",")) + ")"
    return re.escape(token)


def with_fragment(url: str, values: dict[str, str]) -> str:
    """`url#a=…&b=…`, the keys sorted, as GoTrue hands tokens to a page."""
    return f"{url}#{urlencode(sorted(values.items()))}"


def with_query(url: str, values: dict[str, str]) -> str:
    """`url` with `values` added to its query."""
    parts: SplitResult = urlsplit(url)
    query = "&".join(part for part in (parts.query, urlencode(values)) if part)
    return parts._replace(query=query).geturl()
