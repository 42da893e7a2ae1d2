"""`/_dev/idp/<provider>/…`, where the settings route providers to, and `/_dev/v1/idp`, which says who comes."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from urllib.parse import urlencode

import orjson
from fastapi import FastAPI, Request, Response
from fastapi.responses import JSONResponse, PlainTextResponse, RedirectResponse
from pydantic import BaseModel

from minato.backend import Backend
from minato.config.auth_external import FAKE
from minato.dev.guard import PERSON_ASKED
from minato.dev.idp.organisations import SAML, add_organisations, require_saml_here
from minato.dev.idp.page import page_of_people
from minato.dev.idp.person import Person
from minato.dev.idp.provider import FakeProviders, Refused, form_of, oauth1_fields
from minato.dev.idp.shapes import about
from minato.dev.idp.who import Answerer, IdpError, chosen, person


class Next(Answerer):
    """The same, of a provider's next question.

    >>> Next(provider="google", error="access_denied").error
    'access_denied'
    """

    provider: str


class WantedToken(BaseModel, extra="forbid"):
    """An ID token as an app gets it from the provider; `nonce` is what the app gives to signInWithIdToken."""

    provider: str
    user: str | Person
    nonce: str | None = None


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
        if wanted.provider == SAML:
            require_saml_here(backend)
        else:
            _require_routed(providers, wanted.provider)
        coming = wanted.at(backend, wanted.provider)
        providers.next[wanted.provider] = coming
        told = {"user": coming.model_dump()} if isinstance(coming, Person) else {"error": coming}
        return JSONResponse({"provider": wanted.provider, **told})

    @app.post("/v1/idp/id-token")
    async def post_id_token(wanted: WantedToken) -> Response:
        _require_routed(providers, wanted.provider)
        one = person(backend, wanted.provider, wanted.user)
        # What providers are given is the digest, so that the token alone does not tell the nonce.
        nonce = hashlib.sha256(wanted.nonce.encode()).hexdigest() if wanted.nonce else None
        token = providers.id_token(wanted.provider, one, nonce)
        return JSONResponse({"id_token": token, "user": one.model_dump()}, headers={"cache-control": "no-store"})

    add_organisations(app, backend, providers.next)
    app.add_route("/idp/{provider}/{path:path}", served.answer, methods=["GET", "POST"])


def _require_routed(providers: FakeProviders, provider: str) -> None:
    if not providers.is_routed_here(provider):
        hint = f'[auth.external.{provider}] with enabled = true, client_id = "{FAKE}" and secret = "{FAKE}".'
        raise IdpError(400, "bad_request", f'The provider "{provider[:60]}" is not routed here.', hint)


class _Served:
    """What browsers and this server's own auth ask a provider, told apart by how it is asked."""

    def __init__(self, providers: FakeProviders) -> None:
        self._providers = providers
        self._backend = providers.backend

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
        if not PERSON_ASKED.isdisjoint(request.query_params):
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
        key = asked.pop("as", None)
        coming = self._providers.next.pop(provider, None) if key is None else chosen(self._backend, provider, key)
        if coming is None:
            return page_of_people(self._backend, provider, asked)
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


def _sent(back: str, values: Mapping[str, str]) -> Response:
    mark = "&" if "?" in back else "?"
    return RedirectResponse(f"{back}{mark}{urlencode(values)}", 302, {"cache-control": "no-store"})


def _state(asked: Mapping[str, str]) -> dict[str, str]:
    return {"state": asked["state"]} if "state" in asked else {}


def _apple_name(one: Person) -> str:
    """What the browser brings, as Apple tells a name only there."""
    return orjson.dumps({"name": {"firstName": one.given_name, "lastName": one.family_name}}).decode()
