"""Finds the route of a path in a few dictionary look-ups: object reads are too hot for a list of patterns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from urllib.parse import unquote

from minato.storage.routes import Route

BUCKET = ":bucket"
REST = "*"


class Router:
    """More literal segments win over fewer, so `object/info/b/k` is no object of a bucket called `info`."""

    def __init__(self, routes: Iterable[Route]) -> None:
        self._routes: dict[tuple[str, str, tuple[str, ...]], Route] = {}
        self._longest = 0
        for route in routes:
            literals, shape = _split(route.pattern)
            self._routes[route.method, "/".join(literals), shape] = route
            self._longest = max(self._longest, len(literals))

    def find(self, method: str, raw_path: str) -> tuple[Route, str, str] | None:
        """The route with the bucket and the key in the path; None when nothing leads there."""
        segments = raw_path.lstrip("/").split("/")
        for count in range(min(self._longest, len(segments)), 0, -1):
            rest = segments[count:]
            route = self._routes.get((method, "/".join(segments[:count]), _shape(rest)))
            if route is None and len(rest) == 2:
                route = self._routes.get((method, "/".join(segments[:count]), (BUCKET, rest[1])))
            if route is not None:
                key = "/".join(rest[1:]) if route.pattern.endswith(REST) else ""
                return route, unquote(rest[0]) if rest else "", unquote(key)
        return None


def _split(pattern: str) -> tuple[list[str], tuple[str, ...]]:
    segments = pattern.split("/")
    place = segments.index(BUCKET) if BUCKET in segments else len(segments)
    return segments[:place], tuple(segments[place:])


def _shape(rest: Sequence[str]) -> tuple[str, ...]:
    """What follows the literals: nothing, a bucket, a bucket and a key."""
    if not rest:
        return ()
    return (BUCKET,) if len(rest) == 1 else (BUCKET, REST)
