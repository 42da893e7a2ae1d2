"""`/_dev/idp/<provider>/…`, where the settings route providers to, and `/_dev/v1/idp`, which says who comes."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from html import escape
from typing import Annotated, Self
from urllib.parse import urlencode

import orjson
from fastapi import FastAPI, Request, Response
from fastapi.responses import HTMLResponse, JSONResponse, PlainTextResponse, RedirectResponse
from pydantic import BaseModel, Field, model_validator

from minato.backend import Backend
from minato.config.auth_external import FAKE
from minato.dev.guard import TOKEN_NEEDED, Guard
from minato.dev.idp.person import Person, find, of_file, somebody_new
from minato.dev.idp.provider import FakeProviders, Refused, form_of, oauth1_fields
from minato.dev.idp.shapes import about
from minato.http.errors import ApiError
from minato.project.errors import ProjectError
from minato.project.users_file import UsersFile, read_users_file, users_path

PAGE_POLICY = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
NEW = "somebody new"
# A browser asks its person for a password, which is MINATO_DEV_TOKEN; the name is whatever they like.
ASKED = {"www-authenticate": 'Basic realm="MINATO_DEV_TOKEN", charset="UTF-8"', "cache-control": "no-store"}
LONGEST_ERROR = 100


class Next(BaseModel, extra="forbid"):
    """Who answers the provider's next question: somebody of the users file by name, address or id, a person, or an
    error instead.

    >>> Next(provider="google", error="access_denied").error
    'access_denied'
    """

    provider: str
    user: str | Person | None = None
    error: Annotated[str, Field(pattern=r"^[\x20-\x21\x23-\x5b\x5d-\x7e]+$", max_length=LONGEST_ERROR)] | None = None

    @model_validator(mode="after")
    def _is_one_thing(self) -> Self:
        if (self.user is None) == (self.error is None):
            raise ValueError("either user or error is wanted")
        return self


class WantedToken(BaseModel, extra="forbid"):
    """An ID token as an app gets it from the provider; `nonce` is what the app gives to signInWithIdToken."""

    provider: str
    user: str | Person
    nonce: str | None = None


class IdpError(ApiError):
    """A refusal of the calls."""

    def __init__(self, status: int, code: str, message: str, hint: str = "") -> None:
        super().__init__(status, code, message)
        self.hint = hint


def add_idp(app: FastAPI, backend: Backend) -> None:
    """The calls, and the providers themselves."""
    providers = FakeProviders(backend)
    served = _Served(providers)

    @app.exception_handler(IdpError)
    async def refused(request: Request, error: Exception) -> Response:
        assert isinstance(error, IdpError)
        hint = {"hint": error.hint} if error.hint else {}
        return JSONResponse({"code": error.code, "message": error.message, **hint}, error.status)

    @app.put("/v1/idp/next")
    async def put_next(wanted: Next) -> Response:
        if backend.machine is not None:
            raise IdpError(501, "idp_unavailable", "Several workers do not know who comes next: serve with one.")
        _require_routed(providers, wanted.provider)
        coming = wanted.error or _person(backend, wanted.provider, wanted.user)
        providers.next[wanted.provider] = coming
        told = {"user": coming.model_dump()} if isinstance(coming, Person) else {"error": coming}
        return JSONResponse({"provider": wanted.provider, **told})

    @app.post("/v1/idp/id-token")
    async def post_id_token(wanted: WantedToken) -> Response:
        _require_routed(providers, wanted.provider)
        one = _person(backend, wanted.provider, wanted.user)
        # What providers are given is the digest, so that the token alone does not tell the nonce.
        nonce = hashlib.sha256(wanted.nonce.encode()).hexdigest() if wanted.nonce else None
        token = providers.id_token(wanted.provider, one, nonce)
        return JSONResponse({"id_token": token, "user": one.model_dump()}, headers={"cache-control": "no-store"})

    app.add_route("/idp/{provider}/{path:path}", served.answer, methods=["GET", "POST"])


def _require_routed(providers: FakeProviders, provider: str) -> None:
    if not providers.is_routed_here(provider):
        hint = f'[auth.external.{provider}] with enabled = true, client_id = "{FAKE}" and secret = "{FAKE}".'
        raise IdpError(400, "bad_request", f'The provider "{provider[:60]}" is not routed here.', hint)


def _person(backend: Backend, provider: str, user: str | Person | None) -> Person:
    if isinstance(user, Person):
        return user.known
    file = _people(backend)
    found = find(file, user or "")
    if found is not None:
        return of_file(found, provider).known
    known = ", ".join(str(one.name or one.email) for one in file.user[:5])
    hint = f"Known: {known}." if known else "There is no users.toml."
    raise IdpError(404, "user_not_found", f'The users file has no "{(user or "")[:100]}".', hint)


def _people(backend: Backend) -> UsersFile:
    try:
        return read_users_file(users_path(backend.settings.server))
    except ProjectError as error:
        raise IdpError(400, "bad_request", str(error)) from None


class _Served:
    """What browsers and this server's own auth ask a provider, told apart by how it is asked."""

    def __init__(self, providers: FakeProviders) -> None:
        self._providers = providers
        self._backend = providers.backend
        token = self._backend.settings.server.dev_token
        self._guard = Guard(token.get_secret_value() if token is not None else None)

    async def answer(self, request: Request) -> Response:
        provider, path = request.path_params["provider"], "/" + request.path_params["path"]
        if not self._providers.is_routed_here(provider):
            return JSONResponse({"code": "no_such_endpoint", "message": f'No "{provider}" is served here.'}, 404)
        try:
            return await self._answer(request, provider, path)
        except (Refused, KeyError) as error:
            return JSONResponse({"error": str(error) if isinstance(error, Refused) else "invalid_request"}, 400)

    async def _answer(self, request: Request, provider: str, path: str) -> Response:
        signed = request.headers.get("authorization", "")
        if path == "/.well-known/openid-configuration":
            return JSONResponse(self._providers.discovery(provider))
        if path == "/jwks":
            return JSONResponse({"keys": self._providers.signing.public_jwks})
        if request.method == "POST":
            return await self._traded(request, provider, signed)
        if "oauth_token" in request.query_params or "client_id" in request.query_params:
            if not self._guard.is_known(request.headers):
                return Response(TOKEN_NEEDED.message, 401, ASKED, "text/plain")
            return self._authorize(request, provider)
        field = oauth1_fields(signed).get("oauth_token", "") if signed.startswith("OAuth ") else signed[7:]
        one = self._providers.who(field)
        if one is None:
            return JSONResponse({"message": "Bad credentials"}, 401)
        return JSONResponse(about(provider, one, path))

    async def _traded(self, request: Request, provider: str, signed: str) -> Response:
        """A code, or what came back in its place, for tokens."""
        if not signed.startswith("OAuth "):
            return JSONResponse(self._providers.tokens(provider, form_of(await request.body())))
        given = oauth1_fields(signed)
        if "oauth_callback" in given:
            pair = {"oauth_token": self._providers.request_token(given["oauth_callback"]), "oauth_token_secret": "x"}
        else:
            one = self._providers.who(given["oauth_verifier"])
            if one is None:
                raise Refused("invalid_grant")
            pair = {"oauth_token": self._providers.access_token(one), "oauth_token_secret": "x"}
        return PlainTextResponse(urlencode(pair))

    def _authorize(self, request: Request, provider: str) -> Response:
        """Who is it? Answered by whoever was said to come next, else by the person at the page."""
        asked = dict(request.query_params)
        back = self._back(provider, asked)
        chosen = asked.pop("as", None)
        coming = self._providers.next.pop(provider, None) if chosen is None else self._chosen(provider, chosen)
        if coming is None:
            return self._page(provider, asked)
        if isinstance(coming, str):
            denied = {"denied": asked["oauth_token"]} if "oauth_token" in asked else {}
            return _sent(back, {"error": coming, "error_description": "The test said so", **denied, **_state(asked)})
        if "oauth_token" in asked:
            proof = self._providers.access_token(coming)
            return _sent(back, {"oauth_token": asked["oauth_token"], "oauth_verifier": proof})
        named = {"user": _apple_name(coming)} if provider == "apple" else {}
        return _sent(back, {"code": self._providers.code(coming, asked), **_state(asked), **named})

    def _back(self, provider: str, asked: Mapping[str, str]) -> str:
        """Where the browser goes from here: to this server's own auth. Raises Refused and KeyError."""
        if "oauth_token" in asked:
            back = self._providers.callback_of(asked["oauth_token"])
            fits = back.partition("?")[0] == self._providers.callback(provider)
        else:
            back = asked["redirect_uri"]
            fits = back == self._providers.callback(provider) and asked["client_id"] == FAKE
        if not fits:
            raise Refused("invalid_request")
        return back

    def _chosen(self, provider: str, chosen: str) -> Person | str:
        if chosen == NEW:
            return somebody_new(self._backend.entropy)
        return _person(self._backend, provider, chosen) if chosen else "access_denied"

    def _page(self, provider: str, asked: Mapping[str, str]) -> Response:
        people = [(str(one.uuid), one.name or "", one.email or one.phone or "") for one in _people(self._backend).user]
        rows = [*people, (NEW, "Somebody new", ""), ("", "Refuse", "access_denied")]
        told = "".join(
            f'<li><a href="?{escape(urlencode({**asked, "as": key}))}">'
            f"<strong>{escape(name or address)}</strong> <span>{escape(address if name else '')}</span></a></li>"
            for key, name, address in rows
        )
        style = f"{self._backend.public_url}/_dev/idp.css"
        page = PAGE.format(provider=escape(provider), people=told, style=escape(style))
        return HTMLResponse(page, headers={"content-security-policy": PAGE_POLICY, "cache-control": "no-store"})


def _sent(back: str, values: Mapping[str, str]) -> Response:
    mark = "&" if "?" in back else "?"
    return RedirectResponse(f"{back}{mark}{urlencode(values)}", 302, {"cache-control": "no-store"})


def _state(asked: Mapping[str, str]) -> dict[str, str]:
    return {"state": asked["state"]} if "state" in asked else {}


def _apple_name(one: Person) -> str:
    """What the browser brings, as Apple tells a name only there."""
    return orjson.dumps({"name": {"firstName": one.given_name, "lastName": one.family_name}}).decode()


PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Sign in with {provider}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="stylesheet" href="{style}"></head>
<body><main><h1>Sign in with {provider}</h1><p>A provider of this development server. Who are you?</p>
<ul>{people}</ul></main></body></html>"""
