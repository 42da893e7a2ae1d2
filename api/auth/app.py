"""`/auth/v1`: every route with its guard, readable as a table, and what happens around each of them.

A request is one transaction, committed here and nowhere else; a refusal rolls it back, unless its type says that it
must leave a mark.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from sqlalchemy.exc import DBAPIError
from starlette.datastructures import Headers, QueryParams
from starlette.routing import Match, Route

from api.auth import guard
from api.auth.body import LIMIT, too_large
from api.auth.call import Answer, Call, Services
from api.auth.endpoints import admin_users, settings, user
from api.auth.endpoints.logout import logout
from api.auth.endpoints.magiclink import magiclink, otp
from api.auth.endpoints.reauthenticate import reauthenticate
from api.auth.endpoints.recover import recover
from api.auth.endpoints.resend import resend
from api.auth.endpoints.signup import signup
from api.auth.endpoints.token import token
from api.auth.endpoints.verify import follow_link, verify
from api.auth.errors import API_VERSION, AuthError, internal, not_implemented
from api.auth.passwords import Passwords
from api.auth.redirects import Redirects
from api.auth.wire import render_json
from api.backend import Backend
from api.http.asgi import Header, Receive, Scope, Send, read_body, send_response
from api.http.errors import BodyTooLarge

Endpoint = Callable[[Call], Awaitable[Answer]]
JSON = (b"content-type", b"application/json")
ROLE = "supabase_auth_admin"


def missing(feature: str) -> Endpoint:
    """An endpoint that says honestly that it is not there yet."""

    async def refuse(call: Call) -> Answer:
        raise not_implemented(feature)

    return refuse


ROUTES: tuple[tuple[str, str, guard.Guard, Endpoint], ...] = (
    ("GET", "/health", guard.everybody, settings.health),
    ("GET", "/settings", guard.everybody, settings.settings),
    ("GET", "/.well-known/jwks.json", guard.everybody, settings.jwks),
    ("GET", "/.well-known/openid-configuration", guard.everybody, settings.openid_configuration),
    ("POST", "/signup", guard.everybody, signup),
    ("POST", "/token", guard.everybody, token),
    ("POST", "/verify", guard.everybody, verify),
    ("GET", "/verify", guard.everybody, follow_link),
    ("POST", "/otp", guard.everybody, otp),
    ("POST", "/magiclink", guard.everybody, magiclink),
    ("POST", "/recover", guard.everybody, recover),
    ("POST", "/resend", guard.everybody, resend),
    ("GET", "/user", guard.signed_in, user.get_user),
    ("PUT", "/user", guard.signed_in, user.update_user),
    ("POST", "/logout", guard.signed_in, logout),
    ("GET", "/reauthenticate", guard.signed_in, reauthenticate),
    ("GET", "/admin/users", guard.administrator, admin_users.list_users),
    ("POST", "/admin/users", guard.administrator, admin_users.create_user),
    ("GET", "/admin/users/{user_id}", guard.administrator, admin_users.get_user),
    ("PUT", "/admin/users/{user_id}", guard.administrator, admin_users.update_user),
    ("DELETE", "/admin/users/{user_id}", guard.administrator, admin_users.delete_user),
    # Not there yet.
    ("GET", "/authorize", guard.everybody, missing("Signing in through other providers")),
    ("GET", "/callback", guard.everybody, missing("Signing in through other providers")),
    ("POST", "/callback", guard.everybody, missing("Signing in through other providers")),
    ("POST", "/sso", guard.everybody, missing("Single sign-on")),
    ("GET", "/sso/{rest:path}", guard.everybody, missing("Single sign-on")),
    ("POST", "/sso/{rest:path}", guard.everybody, missing("Single sign-on")),
    ("POST", "/factors", guard.not_anonymous, missing("Multi-factor authentication")),
    ("POST", "/factors/{rest:path}", guard.not_anonymous, missing("Multi-factor authentication")),
    ("DELETE", "/factors/{rest:path}", guard.not_anonymous, missing("Multi-factor authentication")),
    *((m, "/passkeys", guard.everybody, missing("Passkeys")) for m in ("GET", "POST")),
    *((m, "/passkeys/{rest:path}", guard.everybody, missing("Passkeys")) for m in ("GET", "POST", "PATCH", "DELETE")),
    ("GET", "/user/identities/authorize", guard.signed_in, missing("Linking identities")),
    ("DELETE", "/user/identities/{identity_id}", guard.signed_in, missing("Unlinking identities")),
    *((m, "/oauth/{rest:path}", guard.everybody, missing("The OAuth server")) for m in ("GET", "POST")),
    *((m, "/user/oauth/grants", guard.signed_in, missing("The OAuth server")) for m in ("GET", "DELETE")),
    ("POST", "/invite", guard.administrator, missing("Invitations")),
    *(
        (m, "/admin/{rest:path}", guard.administrator, missing("This part of the administration"))
        for m in ("GET", "POST", "PUT", "PATCH", "DELETE")
    ),
)


@dataclass(frozen=True)
class Found:
    """A route that fits, with the values of its path."""

    guard: guard.Guard
    endpoint: Endpoint
    parameters: dict[str, str]


class Auth:
    """The room."""

    def __init__(self, backend: Backend) -> None:
        own = backend.settings.auth
        issuer = own.jwt_issuer or f"{backend.public_url}/auth/v1"
        redirects = Redirects(own.site_url or backend.public_url, own.uri_allow_list)
        self.services = Services(backend, own, Passwords(), redirects, issuer)
        self._routes = [
            (Route(path, endpoint=lambda: None, methods=[method]), guarding, endpoint)
            for method, path, guarding, endpoint in ROUTES
        ]

    async def start(self) -> None:
        """Nothing runs beside requests."""

    async def stop(self) -> None:
        """End the threads that hash."""
        self.services.passwords.close()

    async def app(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
            return
        found, known = self._find(scope)
        if found is None:
            await send_response(send, 405 if known else 404, (), b"" if known else b"404 page not found\n")
            return
        headers = Headers(scope=scope)
        try:
            answer = await self._answer(scope, receive, headers, found)
        except AuthError as error:
            await self._refuse(send, headers, error)
            return
        await _send(send, answer)

    def _find(self, scope: Scope) -> tuple[Found | None, bool]:
        path = scope["path"].rstrip("/") or "/"
        asked = {**scope, "path": path, "root_path": ""}
        known = False
        for route, guarding, endpoint in self._routes:
            match, child = route.matches(asked)
            if match is Match.FULL and scope["method"] in (route.methods or ()):
                return Found(guarding, endpoint, dict(child["path_params"])), True
            known = known or match is not Match.NONE
        return None, known

    async def _answer(self, scope: Scope, receive: Receive, headers: Headers, found: Found) -> Answer:
        try:
            raw = await read_body(receive, LIMIT)
        except BodyTooLarge as error:
            raise too_large() from error
        query = QueryParams(scope["query_string"].decode("latin-1"))
        engine = self.services.backend.database.engine(ROLE)
        try:
            async with engine.connect() as db:
                call = Call(
                    services=self.services,
                    method=scope["method"],
                    headers=headers,
                    query={name: query.getlist(name)[0] for name in query},
                    parameters=found.parameters,
                    raw_body=raw,
                    client_ip=client_ip(scope, headers),
                    db=db,
                )
                return await self._in_transaction(call, found)
        except DBAPIError as error:
            raise self._database_error(error) from error

    async def _in_transaction(self, call: Call, found: Found) -> Answer:
        try:
            await found.guard(call)
            answer = await found.endpoint(call)
        except AuthError as error:
            await (call.db.commit() if error.keeps else call.db.rollback())
            raise
        await call.db.commit()
        return answer

    def _database_error(self, error: DBAPIError) -> AuthError:
        state = getattr(error.orig, "sqlstate", None)
        self.services.backend.log.error("auth: database error", sqlstate=state, reason=str(error.orig))
        return internal("Database error saving new user" if "auth.users" in str(error.statement) else "Database error")

    async def _refuse(self, send: Send, headers: Headers, error: AuthError) -> None:
        new = headers.get("x-supabase-api-version", "") >= API_VERSION
        body = render_json(error.body(new, headers.get("x-request-id", "")))
        sent: list[Header] = [JSON, (b"x-sb-error-code", error.code.encode())]
        if new:
            sent.append((b"x-supabase-api-version", API_VERSION.encode()))
        await send_response(send, error.status, sent, body)


async def _send(send: Send, answer: Answer) -> None:
    headers: list[Header] = [(name.encode(), value.encode("latin-1")) for name, value in answer.headers]
    if answer.document is None:
        await send_response(send, answer.status, headers)
        return
    await send_response(send, answer.status, [JSON, *headers], render_json(answer.document))


def client_ip(scope: Scope, headers: Any) -> str:
    """The caller's address; forwarded ones are only there when a trusted proxy sent them."""
    forwarded = str(headers.get("x-forwarded-for", "")).split(",")[0].strip()
    peer = scope.get("client")
    return forwarded or (peer[0] if peer else "")


def create_auth(backend: Backend) -> Auth:
    """The auth room of one backend."""
    return Auth(backend)
