"""The auth room: routes to endpoints, what they committed is sent, refusals in the caller's API version."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial

from sqlalchemy.exc import TimeoutError as PoolTimeout
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response as HTTPResponse

from minato.at_work import Part
from minato.auth.hooks.http_hook import HTTPHooks
from minato.auth.messages.deliveries import deliver
from minato.auth.providers.oidc import OIDCProviders
from minato.auth.providers.web import Web
from minato.auth.request.context import ROLE, ReadTransaction, RequestContext, Services, read_only
from minato.auth.request.later import Later
from minato.auth.request.password_queue import QueueFull
from minato.auth.request.passwords import Passwords
from minato.auth.request.rate_limits import RateLimits
from minato.auth.request.response import Endpoint, Response
from minato.auth.routes import ROUTES, Route, route
from minato.auth.rows.cleanup import SECONDS, Cleanup
from minato.auth.sessions.authentication import require_admin, require_known_user, require_user
from minato.auth.wire.errors import (
    RACES,
    UNEXPECTED,
    AuthError,
    invalid,
    lost_race,
    over_request_rate,
    render_error,
    wants_new_format,
)
from minato.auth.wire.validation import LONGEST_NAME
from minato.backend import Backend
from minato.background import ended
from minato.database.engines import is_lost
from minato.http.asgi import ASGIApp, Receive, Scope, Send, read_body
from minato.http.body_memory import BodyMemory, NoMemory
from minato.http.client_address import client_subscriber
from minato.http.errors import BodyTooLarge, ClientLeft
from minato.mail.email import Email

MAX_BODY = 1024 * 1024
# In memory, of the largest that are not whole yet; one address may send half of them.
BODIES_AT_ONCE = 256
# After so long the passwords that wait now have been hashed.
QUEUE_SECONDS = 2.0
METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"]
Handler = Callable[[Request], Awaitable[HTTPResponse]]
Refusal = Callable[[Request, AuthError], HTTPResponse]
TEXT = {"content-type": "text/plain; charset=utf-8"}
# What the reference asks for before it looks for a route.
CLOSED: Mapping[str, Callable[[ReadTransaction], Awaitable[object]]] = {
    "/admin": require_admin,
    "/user": require_user,
    "/factors": require_known_user,
}
OFF = "/scim/v2"


class AuthRoom:
    """GoTrue's part of the server."""

    def __init__(self, backend: Backend) -> None:
        self.backend = backend
        self.passwords = Passwords(backend.settings.auth.security_password_queue, backend.workers)
        self.limits = RateLimits(backend)
        oidc = OIDCProviders(Web(backend.outgoing), backend.clock)
        entered = OIDCProviders(Web(backend.public_outgoing), backend.clock)
        self.services = Services(backend, self.passwords, self.limits, oidc, entered, HTTPHooks(backend))
        self.later = Later(backend.log)
        self._bodies = BodyMemory(lambda: BODIES_AT_ONCE * MAX_BODY)
        self._cleaning: asyncio.Task[None] | None = None
        self.router = self._create_router()

    async def app(self, scope: Scope, receive: Receive, send: Send) -> None:
        """`/x` and `/x/` are the same path."""
        if len(scope["path"]) > 1:
            scope["path"] = scope["path"].rstrip("/") or "/"
        # The prefix is gone already; Starlette would look for it in the path again.
        await self.router({**scope, "root_path": ""}, receive, send)

    async def start(self) -> None:
        """Beside the requests, and what they leave to be done later, stale rows are removed."""
        backend = self.backend
        cleanup = Cleanup(backend.settings.auth, backend.database.engine(ROLE), backend.clock)
        if backend.keeps_house:
            self._cleaning = backend.supervisor.begin("cleaning up the auth schema", cleanup.run, SECONDS)
        if self.backend.settings.auth.rate_limit_header and not self.backend.settings.server.trusted_proxies:
            self.backend.log.warning(
                "GOTRUE_RATE_LIMIT_HEADER is not believed from anybody: MINATO_TRUSTED_PROXIES is empty"
            )

    async def stop(self) -> None:
        await ended(self._cleaning)
        await self.later.finish()

    @property
    def parts(self) -> Sequence[Part]:
        """What answers do not wait for."""
        return (self.later.at_work,)

    def context(self, request: Request, body: bytes) -> RequestContext:
        """A request that begins now."""
        now = self.backend.clock.now()
        return RequestContext(self.backend, request, body, self.limits.quotas, now, self.services)

    def _create_router(self) -> Starlette:
        app = Starlette()
        app.router.redirect_slashes = False
        by_path: dict[str, dict[str, Handler]] = {}
        for row in ROUTES:
            by_path.setdefault(row.path, {})[row.method] = self._handler(row)
        for path, handlers in by_path.items():
            other = self._handler(route("", path, read_only(not_allowed))) if is_closed(path) else _not_allowed
            app.add_route(path, _by_method(handlers, other), methods=METHODS)
        for start in (*CLOSED, OFF):
            # `{path}` takes none of the routes above; Starlette tries them in order.
            for path in (start, f"{start}/{{path:path}}"):
                app.add_route(path, self._handler(route("", path, read_only(not_found))), methods=METHODS)
        app.add_exception_handler(HTTPException, _outside)
        return app

    def create_people(self) -> ASGIApp:
        """What a developer does with accounts, below a prefix of its own that only developers reach."""
        # Not before it is asked for: production never does.
        from minato.auth.people.app import create_people

        return create_people(self._handler)

    def samples(self) -> dict[str, Callable[[str], Email]]:
        """What makes a mail of each template, for a developer's eyes."""
        from minato.auth.messages.samples import samples

        return samples(self.backend)

    def _handler(self, row: Route, refusal: Refusal | None = None) -> Handler:
        refused = refusal or _refusal

        async def handle(request: Request) -> HTTPResponse:
            try:
                async with asyncio.timeout(self.backend.settings.auth.api_max_request_duration):
                    response = await self._serve(request, row)
            except AuthError as error:
                return refused(request, error)
            except QueueFull:
                return refused(request, over_request_rate(QUEUE_SECONDS))
            except (TimeoutError, PoolTimeout):
                message = "Processing this request timed out, please retry after a moment."
                return refused(request, AuthError(504, "request_timeout", message))
            except Exception as error:
                if is_lost(error):
                    # auth-js tries again after a 503; any other failure of a refresh would sign its user out.
                    return refused(request, AuthError(503, "unexpected_failure", "The database cannot be reached"))
                self.backend.log.exception("auth request failed", path=request.url.path)
                return refused(request, AuthError(500, "unexpected_failure", UNEXPECTED))
            return _rendered(response)

        return handle

    async def _body(self, request: Request) -> bytes:
        with self._bodies.held(client_subscriber(request.scope)) as held:
            try:
                return await read_body(request.receive, MAX_BODY, held.take)
            except NoMemory as error:
                raise over_request_rate(QUEUE_SECONDS) from error
            except BodyTooLarge as error:
                message = f"Request body too large (max {MAX_BODY} bytes)"
                raise AuthError(413, "request_entity_too_large", message) from error
            except ClientLeft as error:
                # Nobody hears this.
                raise AuthError(499, "unknown", "Client closed the request") from error

    async def _serve(self, request: Request, row: Route) -> Response:
        body = await self._body(request)
        if any("\0" in value for _, value in request.query_params.multi_items()):
            raise invalid("Query parameters cannot contain null bytes")
        if len(request.headers.get("x-jwt-aud", "")) > LONGEST_NAME:
            raise invalid(f"X-JWT-AUD should have at most {LONGEST_NAME} characters")
        context = self.context(request, body)
        for guard in row.guards:
            await guard(context)
        response = await _carry_out(context, row.endpoint)
        if response.later is not None:
            await self.later.begin(partial(_carry_out, context.again(), response.later))
        return response


async def _carry_out(context: RequestContext, endpoint: Endpoint) -> Response:
    """Run the endpoint and hand over its messages. What lost a race runs again, and so is answered as a later one."""
    for _ in range(RACES):
        try:
            return await _deliver(context, endpoint)
        except Exception as error:
            if not lost_race(error):
                raise
            context = context.again()
    return await _deliver(context, endpoint)


async def _deliver(context: RequestContext, endpoint: Endpoint) -> Response:
    try:
        response = await endpoint(context)
    except Exception:
        # What was committed before a refusal is sent all the same.
        await deliver(context)
        raise
    await deliver(context)
    return response


def create_auth(backend: Backend) -> AuthRoom:
    """The room for `backend`."""
    return AuthRoom(backend)


def _by_method(handlers: dict[str, Handler], other: Handler) -> Handler:
    async def handle(request: Request) -> HTTPResponse:
        return await handlers.get(request.method, other)(request)

    return handle


async def _not_allowed(request: Request) -> HTTPResponse:
    return HTTPResponse(status_code=405)


def _rendered(response: Response) -> HTTPResponse:
    body = response.encoded()
    headers = {**({"content-type": "application/json"} if body else {}), **response.headers}
    return HTTPResponse(body, response.status, headers)


def _refusal(request: Request, error: AuthError) -> HTTPResponse:
    new_format = wants_new_format(request.headers.get("x-supabase-api-version"))
    status, headers, body = render_error(error, new_format, request.headers.get("x-request-id", ""))
    return HTTPResponse(body, status, {**headers, "content-type": "application/json"})


async def _outside(request: Request, error: Exception) -> HTTPResponse:
    """No such path, or no such method on it; Go's router words these."""
    if getattr(error, "status_code", 404) == 405:
        return HTTPResponse(status_code=405)
    return HTTPResponse("404 page not found\n", 404, {"content-type": "text/plain; charset=utf-8"})


# What no route answers: below closed paths, who comes without a token learns nothing about what there is.


def is_closed(path: str) -> bool:
    """Whether `path` is one of the closed or off, or below it."""
    return any(path == start or path.startswith(f"{start}/") for start in (*CLOSED, OFF))


async def not_found(tx: ReadTransaction) -> Response:
    await _require_let_in(tx)
    return Response(b"404 page not found\n", 404, TEXT)


async def not_allowed(tx: ReadTransaction) -> Response:
    await _require_let_in(tx)
    return Response(status=405)


async def _require_let_in(tx: ReadTransaction) -> None:
    path = tx.http.scope["path"]
    if path.startswith(OFF):
        raise AuthError(404, "feature_disabled", "SCIM server is disabled")
    for start, require in CLOSED.items():
        if path == start or path.startswith(f"{start}/"):
            await require(tx)
