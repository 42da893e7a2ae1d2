"""`/_dev/v1/session`: a browser brings the developer's token once, and from then on a cookie that stands for it.

A browser's event stream and the files of a page are asked for without headers of ours, so a bearer's token will not do.
"""

from __future__ import annotations

from urllib.parse import urlsplit

from fastapi import FastAPI, Request, Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field

from minato.backend import Backend
from minato.dev.guard import COOKIE, Guard, sealed
from minato.http.client_address import CLIENT_ADDRESS
from minato.limits.buckets import Allowance

# How often an address may try: what succeeds does not count.
TRIES = Allowance.per(10, 60)


class Brought(BaseModel, extra="forbid"):
    """The body of a sign-in."""

    token: str = Field(max_length=1000)


def add_session(app: FastAPI, backend: Backend) -> None:
    """The calls."""
    token = backend.settings.server.dev_token
    secret = token.get_secret_value() if token is not None else None
    guard = Guard(secret)

    @app.get("/v1/session")
    async def session() -> Response:
        """Answered to whoever came in; others hear that a token is needed, as everywhere."""
        return JSONResponse({"token_needed": secret is not None}, headers={"cache-control": "no-store"})

    @app.post("/v1/session")
    async def sign_in(request: Request, brought: Brought) -> Response:
        wait = await backend.buckets.take(key := _key(request), TRIES)
        if wait:
            said = {"code": "too_many_attempts", "message": f"Too many attempts. Try again in {wait:.0f} s."}
            return JSONResponse(said, 429, {"retry-after": f"{max(wait, 1):.0f}"})
        if not guard.takes(brought.token):
            return JSONResponse({"code": "wrong_token", "message": "This is not the token of this server."}, 401)
        await backend.buckets.give(key, TRIES)
        return _with_cookies(backend, request, sealed(secret) if secret is not None else "")

    @app.delete("/v1/session")
    async def sign_out(request: Request) -> Response:
        return _with_cookies(backend, request, "")


def _key(request: Request) -> str:
    return f"developer:{request.scope.get(CLIENT_ADDRESS, '')}"


def path_of_main(backend: Backend) -> str:
    """The path of the server's address, also of that beside which a branch lives; most have none."""
    path = urlsplit(backend.public_url).path
    return path.removesuffix(f"/b/{backend.branch}") if backend.branch is not None else path


def _with_cookies(backend: Backend, request: Request, value: str) -> Response:
    """Set for the developer's pages of main and for the addresses of branches, or taken back where there is no value:
    who signed in at one of them is known at all."""
    answer = Response(status_code=204, headers={"cache-control": "no-store"})
    outer = path_of_main(backend)
    for below in ("/_dev", "/b"):
        answer.set_cookie(
            COOKIE,
            value,
            max_age=None if value else 0,
            path=outer + below,
            secure=request.url.scheme == "https",
            httponly=True,
            samesite="strict",
        )
    return answer
