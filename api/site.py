"""Everything that is not below a public prefix: health, metrics, the web app and, in development, `/_dev`."""

from __future__ import annotations

import hmac
import mimetypes
import re
from pathlib import Path

import orjson
from fastapi import FastAPI, Request, Response
from fastapi.responses import FileResponse, JSONResponse, PlainTextResponse

from api.backend import Backend
from api.dev.app import create_dev_app
from api.observation import Observer
from api.readiness import Readiness

# Paths that a client of the API would call; they are never answered with the web app's page.
SERVICE_PATH = re.compile(r"(auth|rest|realtime|storage|functions|graphql)/v\d")
IMMUTABLE = "public, max-age=31536000, immutable"
REVALIDATE = "no-cache"


def create_site(backend: Backend, observer: Observer, readiness: Readiness) -> FastAPI:
    """The app behind all other paths."""
    site = FastAPI(title="Minato", docs_url=None, redoc_url=None, openapi_url=None)
    _add_health(site, backend, observer, readiness)
    if backend.development:
        site.mount("/_dev", create_dev_app(backend))
    _add_web(site, backend)
    return site


def _add_health(site: FastAPI, backend: Backend, observer: Observer, readiness: Readiness) -> None:
    @site.get("/healthz")
    async def healthz() -> Response:
        return PlainTextResponse("ok")

    @site.get("/readyz")
    async def readyz() -> Response:
        lacking = await readiness.lacks()
        return PlainTextResponse(lacking or "ok", status_code=503 if lacking else 200)

    @site.get("/metrics")
    async def metrics(request: Request) -> Response:
        if not _may_read_metrics(backend, request):
            return PlainTextResponse("not found", status_code=404)
        return Response(observer.metrics(), media_type="text/plain; version=0.0.4")


def _may_read_metrics(backend: Backend, request: Request) -> bool:
    token = backend.settings.server.metrics_token
    if token is None:
        return backend.development
    expected = f"Bearer {token.get_secret_value()}"
    return hmac.compare_digest(request.headers.get("authorization", "").encode(), expected.encode())


def _add_web(site: FastAPI, backend: Backend) -> None:
    root = backend.settings.server.web_root

    @site.get("/config.js")
    async def config() -> Response:
        return Response(web_config(backend), media_type="text/javascript", headers={"cache-control": REVALIDATE})

    @site.api_route("/{path:path}", methods=["GET", "HEAD"])
    async def web(request: Request, path: str) -> Response:
        found = find_asset(root, path) if root is not None else None
        if found is None:
            return JSONResponse({"message": "Not found"}, status_code=404)
        caching = IMMUTABLE if path.startswith("assets/") else REVALIDATE
        headers = {"cache-control": caching, "vary": "accept-encoding"}
        shown, encoding = smallest_copy(found, request.headers.get("accept-encoding", ""))
        if encoding is not None:
            headers["content-encoding"] = encoding
        media_type = mimetypes.guess_type(found.name)[0]
        return FileResponse(shown, headers=headers, media_type=media_type)


def web_config(backend: Backend) -> bytes:
    """The script that tells the web app its backend. No URL in it: the app asks the origin it came from."""
    server = backend.settings.server
    shown = {
        "anonKey": backend.api_keys.anon,
        "appName": server.app_name,
        "demoMode": server.demo_mode,
        "adminEmail": server.admin_email,
        "adminSignup": server.admin_signup_enabled,
    }
    return b"window.__MINATO__ = " + orjson.dumps(shown).replace(b"<", b"\\u003c") + b";\n"


def smallest_copy(file: Path, accepted: str) -> tuple[Path, str | None]:
    """The copy of `file` the build compressed, where the client takes its encoding, else the file itself."""
    offered = {part.partition(";")[0].strip() for part in accepted.split(",") if not part.strip().endswith("q=0")}
    for encoding, suffix in (("br", ".br"), ("gzip", ".gz")):
        copy = file.with_name(file.name + suffix)
        if encoding in offered and copy.is_file():
            return copy, encoding
    return file, None


def find_asset(root: Path, path: str) -> Path | None:
    """The file of the built web app for `path`; any path of its own router gets `index.html`, None without a build."""
    base = root.resolve()
    candidate = (base / path).resolve() if "\x00" not in path else base
    if candidate.is_file() and candidate.is_relative_to(base):
        return candidate
    index = base / "index.html"
    is_route = "." not in path.rpartition("/")[2] and not SERVICE_PATH.match(path)
    return index if is_route and index.is_file() else None
