"""Everything that is not below a public prefix: health, metrics, the web app and, in development, `/_dev`."""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from functools import cached_property

import orjson
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Mount, Route

from minato.backend import Asked, Backend
from minato.http.asgi import ASGIApp, Receive, Scope, Send
from minato.http.built_files import IMMUTABLE, REVALIDATE, sent_file
from minato.http.inner_request import status_of
from minato.observation import Observer
from minato.project.folder import Project
from minato.project.minato_toml import read_minato_toml
from minato.readiness import Readiness
from minato.web_app import Page, WebApp

INDEX = "index.html"


def create_site(
    backend: Backend, observer: Observer, readiness: Readiness, data_api: ASGIApp, asked: Asked
) -> Starlette:
    """The app behind all other paths. `data_api` is asked for what the web app's addresses call, what else is `asked`
    by the developer's app."""
    root = backend.settings.server.web_root
    app = WebApp(root, backend.public_url) if root is not None else None
    routes = [
        *_health(backend, observer, readiness),
        *(_developers(backend, asked) if backend.development else []),
        _calls(app, data_api),
        *_web(backend, app),
    ]
    return Starlette(routes=routes, exception_handlers={HTTPException: _refused})


async def _refused(request: Request, error: Exception) -> Response:
    """A method that the path does not have."""
    assert isinstance(error, HTTPException)
    return JSONResponse({"detail": error.detail}, status_code=error.status_code, headers=error.headers)


def _developers(backend: Backend, asked: Asked) -> list[BaseRoute]:
    async def with_slash(request: Request) -> Response:
        # Of a branch this app sees no prefix: only the browser knows what it is below.
        return Response(status_code=307, headers={"location": "_dev/"})

    return [Route("/_dev", with_slash), Mount("/_dev", DevApp(backend, asked))]


class DevApp:
    """`/_dev`, made at its first request: a start need not wait for it."""

    def __init__(self, backend: Backend, asked: Asked) -> None:
        self._backend = backend
        self._asked = asked

    @cached_property
    def app(self) -> ASGIApp:
        """The developer's app."""
        from minato.dev.app import create_dev_app

        return create_dev_app(self._backend, self._asked)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self.app(scope, receive, send)


def _health(backend: Backend, observer: Observer, readiness: Readiness) -> list[BaseRoute]:
    async def healthz(request: Request) -> Response:
        return PlainTextResponse("ok")

    async def readyz(request: Request) -> Response:
        lacking = await readiness.lacks()
        if lacking is not None:
            return PlainTextResponse(lacking, status_code=503)
        return PlainTextResponse("\n".join(["ok", *readiness.hampered()]))

    async def metrics(request: Request) -> Response:
        if not _may_read_metrics(backend, request):
            return PlainTextResponse("not found", status_code=404)
        return Response(await observer.metrics(), media_type="text/plain; version=0.0.4")

    return [Route("/healthz", healthz), Route("/readyz", readyz), Route("/metrics", metrics)]


def _may_read_metrics(backend: Backend, request: Request) -> bool:
    token = backend.settings.server.metrics_token
    if token is None:
        return backend.development
    expected = f"Bearer {token.get_secret_value()}"
    return hmac.compare_digest(request.headers.get("authorization", "").encode(), expected.encode())


def _calls(app: WebApp | None, data_api: ASGIApp) -> BaseRoute:
    async def call(request: Request) -> Response:
        asked = app.call(request.path_params["path"]) if app is not None else None
        if asked is None:
            return JSONResponse({"message": "Not found"}, status_code=404)
        return Response(status_code=await status_of(data_api, f"/rpc/{asked.function}", asked.arguments))

    return Route("/{path:path}", call, methods=["POST"])


def _web(backend: Backend, built: WebApp | None) -> list[BaseRoute]:
    project = backend.settings.server.project
    told = web_config(backend, read_minato_toml(Project(project) if project is not None else None).web)

    async def config(request: Request) -> Response:
        return Response(told, media_type="text/javascript", headers={"cache-control": REVALIDATE})

    async def web(request: Request) -> Response:
        path = request.path_params["path"]
        # The page knows of no prefix: below a branch's it would have main for a backend.
        is_named = backend.branch is None or request.url.hostname == f"{backend.branch}.localhost"
        app = built if is_named else None
        found = app.asset(path) if app is not None else None
        if found is not None and found.name != INDEX:
            return sent_file(found, IMMUTABLE if path.startswith("assets/") else REVALIDATE, request)
        page = app.page(path.removesuffix(INDEX)) if app is not None else None
        return _page(page) if page is not None else JSONResponse({"message": "Not found"}, status_code=404)

    return [Route("/config.js", config), Route("/{path:path}", web)]


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
