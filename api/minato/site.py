"""Everything that is not below a public prefix: health, metrics, the web app and, in development, `/_dev`."""

from __future__ import annotations

import hmac
import mimetypes
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path

import orjson
from fastapi import FastAPI, Request, Response
from fastapi.responses import FileResponse, HTMLResponse, JSONResponse, PlainTextResponse

from minato.backend import Backend
from minato.http.asgi import ASGIApp, Receive, Scope, Send
from minato.http.inner_request import status_of
from minato.observation import Observer
from minato.project.folder import Project
from minato.project.minato_toml import read_minato_toml
from minato.readiness import Readiness
from minato.web_app import Page, WebApp, smallest_copy

IMMUTABLE = "public, max-age=31536000, immutable"
REVALIDATE = "no-cache"
INDEX = "index.html"


def create_site(backend: Backend, observer: Observer, readiness: Readiness, data_api: ASGIApp) -> FastAPI:
    """The app behind all other paths. `data_api` is asked for what the web app's addresses call."""
    site = FastAPI(title="Minato", docs_url=None, redoc_url=None, openapi_url=None)
    _add_health(site, backend, observer, readiness)
    if backend.development:
        site.mount("/_dev", DevApp(backend))
    root = backend.settings.server.web_root
    app = WebApp(root, backend.public_url) if root is not None else None
    _add_calls(site, app, data_api)
    _add_web(site, backend, app)
    return site


class DevApp:
    """`/_dev`, made at its first request: a start need not wait for it."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend

    @cached_property
    def app(self) -> ASGIApp:
        """The developer's app."""
        from minato.dev.app import create_dev_app

        return create_dev_app(self._backend)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self.app(scope, receive, send)


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


def _add_calls(site: FastAPI, app: WebApp | None, data_api: ASGIApp) -> None:
    @site.post("/{path:path}")
    async def call(path: str) -> Response:
        asked = app.call(path) if app is not None else None
        if asked is None:
            return JSONResponse({"message": "Not found"}, status_code=404)
        return Response(status_code=await status_of(data_api, f"/rpc/{asked.function}", asked.arguments))


def _add_web(site: FastAPI, backend: Backend, app: WebApp | None) -> None:
    project = backend.settings.server.project
    told = web_config(backend, read_minato_toml(Project(project) if project is not None else None).web)

    @site.get("/config.js")
    async def config() -> Response:
        return Response(told, media_type="text/javascript", headers={"cache-control": REVALIDATE})

    @site.api_route("/{path:path}", methods=["GET", "HEAD"])
    async def web(request: Request, path: str) -> Response:
        found = app.asset(path) if app is not None else None
        if found is not None and found.name != INDEX:
            return _file(found, IMMUTABLE if path.startswith("assets/") else REVALIDATE, request)
        page = app.page(path.removesuffix(INDEX)) if app is not None else None
        return _page(page) if page is not None else JSONResponse({"message": "Not found"}, status_code=404)


def _file(file: Path, caching: str, request: Request) -> Response:
    headers = {"cache-control": caching, "vary": "accept-encoding"}
    shown, encoding = smallest_copy(file, request.headers.get("accept-encoding", ""))
    if encoding is not None:
        headers["content-encoding"] = encoding
    return FileResponse(shown, headers=headers, media_type=mimetypes.guess_type(file.name)[0])


def _page(page: Page) -> Response:
    headers = {"cache-control": REVALIDATE, **({"link": page.link} if page.link else {})}
    return HTMLResponse(page.html, status_code=200 if page.is_known else 404, headers=headers)


def web_config(backend: Backend, web: Mapping[str, str]) -> bytes:
    """The script that tells a page its backend: under the project's names, what the project chose to tell."""
    server = backend.settings.server
    known: dict[str, object] = {
        "public_url": backend.public_url,
        "anon_key": backend.api_keys.anon,
        "publishable_key": backend.api_keys.publishable,
        "app_name": server.app_name,
        "demo_mode": server.demo_mode,
        "admin_email": server.admin_email,
        "admin_signup_enabled": server.admin_signup_enabled,
    }
    shown = {name: known[setting] for name, setting in web.items()}
    return b"window.__MINATO__ = " + orjson.dumps(shown).replace(b"<", b"\\u003c") + b";\n"
