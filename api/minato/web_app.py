"""The built web app: its files, its page for every address of its router, and what the page will need.

`routes.json` of the build names the addresses and their files. A browser hears of the files with the page, so that it
fetches all of them at once; any other address is answered with the page too, which says so, and with 404. An address
may also name a function of the data API that a POST to it calls, for programs that follow a link without a browser.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import orjson

from minato.http.built_files import find_asset

# Paths that a client of the API would call; they are never answered with the web app's page.
SERVICE_PATH = re.compile(r"(auth|rest|realtime|storage|functions|graphql)/v\d")
PARAMETER = re.compile(r":\w+")
VALUE = "([^/]+)"
# What links to the page show has to be named with its host.
OWN_PICTURE = b'property="og:image" content="/'


@dataclass(frozen=True)
class Page:
    """The answer to an address of the app: its HTML, whether the app knows the address, and its files as a `Link`."""

    html: bytes
    is_known: bool
    link: str | None


@dataclass(frozen=True)
class Call:
    """A function of the data API, and what it is called with."""

    function: str
    arguments: Mapping[str, str]


@dataclass(frozen=True)
class Route:
    """An address, its files, and what a POST to it calls: the function and the names its parameters have there."""

    pattern: re.Pattern[str]
    link: str
    function: str = ""
    arguments: Sequence[str] = ()

    def call(self, path: str) -> Call | None:
        """What a POST to `path` calls; None when it is another address, or one that takes none."""
        found = self.pattern.fullmatch(path.strip("/")) if self.function else None
        return Call(self.function, dict(zip(self.arguments, found.groups(), strict=True))) if found else None


class WebApp:
    """The app in one folder, read again when it was built anew."""

    def __init__(self, root: Path, public_url: str) -> None:
        self._root = root
        self._picture = OWN_PICTURE.replace(b"/", public_url.rstrip("/").encode() + b"/")
        self._html: tuple[int, bytes] = (0, b"")
        self._routes: tuple[int, Sequence[Route]] = (0, ())

    def asset(self, path: str) -> Path | None:
        """The file of the app for `path`."""
        return find_asset(self._root, path)

    def page(self, path: str) -> Page | None:
        """What an address of the app is answered with; None for what can't be one, or without a build."""
        index = self._root / "index.html"
        if not is_address(path) or not index.is_file():
            return None
        routes = self._known_routes()
        route = next((route for route in routes if route.pattern.fullmatch(path.strip("/"))), None)
        return Page(self._shown(index), route is not None or not routes, route.link or None if route else None)

    def call(self, path: str) -> Call | None:
        """What a POST to an address of the app calls; None where it calls nothing."""
        return next((call for call in (route.call(path) for route in self._known_routes()) if call is not None), None)

    def _shown(self, index: Path) -> bytes:
        changed = index.stat().st_mtime_ns
        if self._html[0] != changed:
            self._html = (changed, index.read_bytes().replace(OWN_PICTURE, self._picture))
        return self._html[1]

    def _known_routes(self) -> Sequence[Route]:
        """None of them where another build, or none of ours, is served: then every address may be one."""
        file = self._root / "routes.json"
        if not file.is_file():
            return ()
        changed = file.stat().st_mtime_ns
        if self._routes[0] != changed:
            self._routes = (changed, [read_route(entry) for entry in orjson.loads(file.read_bytes())])
        return self._routes[1]


def read_route(entry: dict[str, object]) -> Route:
    """`{"path": "/agent/profile/:id", "preload": ["/assets/a.js"]}`; the router takes no notice of case.

    `"post": {"function": "stop", "arguments": ["p_token"]}` names an argument for each parameter of the address.
    """
    path, preload, post = str(entry["path"]).strip("/"), entry["preload"], entry.get("post")
    called = post if isinstance(post, dict) else {"function": "", "arguments": []}
    parts = [re.escape(part) for part in PARAMETER.split(path)]
    files = preload if isinstance(preload, list) else []
    return Route(
        re.compile(VALUE.join(parts), re.IGNORECASE),
        ", ".join(f"<{file}>; rel=modulepreload" for file in files),
        str(called["function"]),
        [str(name) for name in called["arguments"]],
    )


def is_address(path: str) -> bool:
    """Whether the app's router, and not a service or a file, is asked."""
    return "." not in path.rpartition("/")[2] and not SERVICE_PATH.match(path)
