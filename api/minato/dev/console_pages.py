"""The developer's console: what `make console` built, and its page for every address of its router."""

from __future__ import annotations

import re
from html import escape
from pathlib import Path
from typing import Final
from urllib.parse import quote, urlencode

from fastapi import FastAPI, Request, Response
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse

from minato.dev.guard import is_page
from minato.http.built_files import IMMUTABLE, REVALIDATE, find_asset, sent_file

BUILT: Final = Path(__file__).parent / "console"
INDEX: Final = "index.html"
ITS_FILES: Final = re.compile(r'((?:src|href)=")/_dev/')
# It asks this server alone, and nobody else frames it. Styles of the house have small pictures in them.
POLICY: Final = (
    "default-src 'self'; connect-src 'self' ws:; frame-src 'self'; img-src 'self' data:; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'"
)
NOT_BUILT: Final = (
    '<!doctype html><html lang="en"><title>Console · Minato</title>'
    "<p>The console is not built: run <code>make console</code>, then reload.</p></html>"
)


def add_console(app: FastAPI, built: Path = BUILT, at: str = "/_dev", branch: str | None = None) -> None:
    """Answer with it to what no other route of `app` knows. It is at the path `at` for all branches of a server: from
    a branch's own address one is led there."""

    @app.exception_handler(404)
    async def unknown(request: Request, error: Exception) -> Response:
        path = request.scope["path"].removeprefix(request.scope.get("root_path", "")).lstrip("/")
        if request.method in ("GET", "HEAD"):
            file = find_asset(built, path)
            if file is not None and file.name != INDEX:
                return sent_file(file, IMMUTABLE if path.startswith("assets/") else REVALIDATE, request)
            if is_page(f"/_dev/{path.removesuffix(INDEX)}"):
                return _page(built / INDEX, at) if branch is None else _of_branch(request, f"{at}/{path}", branch)
        return JSONResponse({"code": "no_such_endpoint", "message": f"There is no {request.method} /_dev/{path}"}, 404)


def _of_branch(request: Request, path: str, branch: str) -> Response:
    asked = {**request.query_params, "branch": branch}
    return RedirectResponse(f"{quote(path)}?{urlencode(asked)}", 307)


def _page(index: Path, at: str) -> Response:
    """The page, which names its files as they are below `/_dev` of a server whose address has no path."""
    headers = {"content-security-policy": POLICY, "cache-control": REVALIDATE}
    if not index.is_file():
        return HTMLResponse(NOT_BUILT, 404, headers)
    page = index.read_text(encoding="utf-8")
    return HTMLResponse(ITS_FILES.sub(rf"\1{escape(quote(at))}/", page), headers=headers)
