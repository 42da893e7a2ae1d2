"""Cross-origin rules: browsers on any page may call the API, as on the hosted service, and nothing but the API.

Which headers a page may read differs by service; the lists are those of PostgREST, GoTrue and the storage gateway.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from minato.http.asgi import Header

METHODS = b"GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"
MAX_AGE = b"86400"
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

    def allowing(self, origin: str, prefix: str) -> list[Header]:
        """The headers that let the page at `origin` read an answer of the room at `prefix`."""
        added = self._origin(origin)
        exposed = EXPOSED.get(prefix)
        return [*added, (b"access-control-expose-headers", exposed)] if added and exposed else added

    def _origin(self, origin: str) -> list[Header]:
        if not self._allowed:
            return [(b"access-control-allow-origin", b"*")]
        if origin not in self._allowed:
            return []
        return [
            (b"access-control-allow-origin", origin.encode("latin-1")),
            (b"access-control-allow-credentials", b"true"),
            (b"vary", b"Origin"),
        ]
