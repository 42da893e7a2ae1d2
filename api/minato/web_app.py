"""The built web app: its files, its page for every address of its router, and what the page will need.

`routes.json` of the build names the addresses and their files. A browser hears of the files with the page, so that it
fetches all of them at once; any other address is answered with the page too, which says so, and with 404.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import orjson

# Paths that a client of the API would call; they are never answered with the web app's page.
SERVICE_PATH = re.compile(r"(auth|rest|realtime|storage|functions|graphql)/v\d")
PARAMETER = re.compile(r":\w+")
# What links to the page show has to be named with its host.
OWN_PICTURE = b'property="og:image" content="/'


@dataclass(frozen=True)
class Page:
    """The answer to an address of the app: its HTML, whether the app knows the address, and its files as a `Link`."""

    html: bytes
    is_known: bool
    link: str | None


@dataclass(frozen=True)
class Route:
    pattern: re.Pattern[str]
    link: str


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
    """`{"path": "/agent/profile/:id", "preload": ["/assets/a.js"]}`; the router takes no notice of case."""
    path, preload = str(entry["path"]).strip("/"), entry["preload"]
    parts = [re.escape(part) for part in PARAMETER.split(path)]
    files = preload if isinstance(preload, list) else []
    return Route(
        re.compile("[^/]+".join(parts), re.IGNORECASE),
        ", ".join(f"<{file}>; rel=modulepreload" for file in files),
    )


def is_address(path: str) -> bool:
    """Whether the app's router, and not a service or a file, is asked."""
    return "." not in path.rpartition("/")[2] and not SERVICE_PATH.match(path)


def find_asset(root: Path, path: str) -> Path | None:
    """The file of the built web app for `path`, which can't lead out of its folder."""
    base = root.resolve()
    candidate = (base / path).resolve() if "\x00" not in path else base
    return candidate if candidate.is_file() and candidate.is_relative_to(base) else None


def smallest_copy(file: Path, accepted: str) -> tuple[Path, str | None]:
    """The copy of `file` the build compressed, where the client takes its encoding, else the file itself."""
    offered = {part.partition(";")[0].strip() for part in accepted.split(",") if not part.strip().endswith("q=0")}
    for encoding, suffix in (("br", ".br"), ("gzip", ".gz")):
        copy = file.with_name(file.name + suffix)
        if encoding in offered and copy.is_file():
            return copy, encoding
    return file, None
