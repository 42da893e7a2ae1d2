"""The calls below `/_dev/v1/users`, and the shape of what they are refused with."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from minato.auth.people.codes import totp_code
from minato.auth.people.load import load
from minato.auth.people.organisations import enter_organisation
from minato.auth.people.refusals import shown
from minato.auth.people.sessions import expire_session, reuse_refresh_token, sign_out
from minato.auth.people.sign_in import sign_in
from minato.auth.request.context import in_transaction, read_only
from minato.auth.routes import Route, route
from minato.auth.wire.errors import AuthError

Handler = Callable[[Request], Awaitable[Response]]
Refusal = Callable[[Request, AuthError], Response]

PEOPLE: tuple[Route, ...] = (
    route("POST", "/sign-in", in_transaction(sign_in)),
    route("POST", "/load", in_transaction(load)),
    route("POST", "/organisations", in_transaction(enter_organisation)),
    route("GET", "/{user}/totp", read_only(totp_code)),
    route("POST", "/{user}/expire-session", in_transaction(expire_session)),
    route("POST", "/{user}/reuse-refresh-token", in_transaction(reuse_refresh_token)),
    route("POST", "/{user}/sign-out", in_transaction(sign_out)),
)


def create_people(handler: Callable[[Route, Refusal], Handler]) -> Starlette:
    """The app; `handler` carries out a row of the table as auth does its own."""
    app = Starlette()
    for row in PEOPLE:
        app.add_route(row.path, handler(row, _refused), methods=[row.method])
    app.add_exception_handler(HTTPException, _no_such_endpoint)
    return app


def _refused(request: Request, error: AuthError) -> Response:
    return JSONResponse(shown(error), error.status, {"cache-control": "no-store"})


async def _no_such_endpoint(request: Request, error: Exception) -> Response:
    message = f"There is no {request.method} {request.url.path}"
    return JSONResponse({"code": "no_such_endpoint", "message": message}, getattr(error, "status_code", 404))
