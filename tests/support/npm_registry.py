"""A registry of npm on loopback, with a handful of packages made by hand; which tokens it was shown is noted."""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import json
import tarfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any
from urllib.parse import unquote

Files = Mapping[str, str]


@dataclass
class Registry:
    """Packages by name and version, each a tarball with its manifest."""

    url: str = ""
    tokens: set[str] = field(default_factory=set)
    _manifests: dict[str, dict[str, dict[str, Any]]] = field(default_factory=dict)
    _tarballs: dict[str, bytes] = field(default_factory=dict)

    def publish(self, name: str, version: str, files: Files, **manifest: object) -> None:
        """A version more; the newest is the one published last."""
        of_it: dict[str, Any] = {"name": name, "version": version, **manifest}
        tarball = _packed({"package.json": json.dumps(of_it), **files})
        path = f"/{name}/-/{name.rpartition('/')[2]}-{version}.tgz"
        self._tarballs[path] = tarball
        of_it["dist"] = {"tarball": self.url + path, "integrity": _integrity(tarball)}
        self._manifests.setdefault(name, {})[version] = of_it

    def tamper(self, name: str, version: str) -> None:
        """Another tarball under the integrity of the former."""
        path = f"/{name}/-/{name.rpartition('/')[2]}-{version}.tgz"
        self._tarballs[path] = _packed({"package.json": "{}", "index.js": "export default 'evil'"})

    def answer(self, path: str) -> bytes | None:
        """A tarball, or what is known of a package; None for neither."""
        if path in self._tarballs:
            return self._tarballs[path]
        versions = self._manifests.get(path.removeprefix("/"))
        if versions is None:
            return None
        told = {"name": path[1:], "dist-tags": {"latest": list(versions)[-1]}, "versions": versions}
        return json.dumps(told).encode()


@contextmanager
def npm_registry() -> Iterator[Registry]:
    """It answers until the block ends."""
    registry = Registry()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            registry.tokens |= {self.headers["authorization"]} - {None}
            found = registry.answer(unquote(self.path))
            self.send_response(404 if found is None else 200)
            self.send_header("content-length", str(len(found or b"")))
            self.end_headers()
            self.wfile.write(found or b"")

        def log_message(self, format: str, *args: object) -> None:
            """Nothing; tests look at what comes of it."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        registry.url = f"http://127.0.0.1:{server.server_port}"
        thread = Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        try:
            yield registry
        finally:
            server.shutdown()
            thread.join()


def _packed(files: Files) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        for name, text in files.items():
            entry = tarfile.TarInfo(f"package/{name}")
            entry.size = len(text.encode())
            archive.addfile(entry, io.BytesIO(text.encode()))
    return gzip.compress(packed.getvalue())


def _integrity(content: bytes) -> str:
    return f"sha512-{base64.b64encode(hashlib.sha512(content).digest()).decode()}"
