"""As whom a developer's call asks: `anon`, `service_role`, somebody, claims, or a token that is there."""

from __future__ import annotations

from typing import Annotated, Final, Literal

import httpx
from pydantic import BaseModel, Field, StringConstraints

from minato.backend import Backend
from minato.http.asgi import ASGIApp
from minato.json_text import JsonMapping, JsonObject

HOUR: Final = 3600


class Somebody(BaseModel, extra="forbid"):
    """A user by id, address, number or name; `claims` are said beside or instead of the user's own."""

    user: Annotated[str, StringConstraints(min_length=1, max_length=254)]
    aal: Literal["aal1", "aal2"] = "aal1"
    claims: dict[str, object] = {}


class Claimed(BaseModel, extra="forbid"):
    """Whoever these claims are of."""

    claims: Annotated[dict[str, object], Field(min_length=1)]


class Bearer(BaseModel, extra="forbid"):
    """Whoever a token is of; nothing is asked of it."""

    token: Annotated[str, StringConstraints(pattern=r"^[!-~]+$", max_length=8000)]


Caller = Literal["anon", "service_role"] | Somebody | Claimed | Bearer


class BadCaller(Exception):
    """Why nobody can ask as that, as the answer's status and JSON."""

    def __init__(self, status: int, told: JsonMapping) -> None:
        super().__init__(told.get("message"))
        self.status = status
        self.told = told


async def token_of(caller: Caller, backend: Backend, people: ASGIApp) -> str:
    """The token that says who asks. `people` are the calls about accounts: who is a user signs in. Raises BadCaller."""
    match caller:
        case "anon":
            return backend.api_keys.anon
        case "service_role":
            return backend.api_keys.service_role
        case Bearer():
            return caller.token
        case Claimed():
            return signed(backend, caller.claims)
    token = await _sign_in(caller, people)
    if not caller.claims:
        return token
    return signed(backend, {**backend.keys.verify(token), **caller.claims})


def signed(backend: Backend, claims: JsonMapping) -> str:
    """A token for an hour, of a signed-in user unless `claims` say otherwise."""
    now = int(backend.clock.timestamp())
    known = {"aud": backend.settings.auth.jwt_aud, "role": "authenticated", "iss": f"{backend.public_url}/auth/v1"}
    return backend.keys.sign({**known, "iat": now, "exp": now + HOUR, **claims})


async def _sign_in(caller: Somebody, people: ASGIApp) -> str:
    transport = httpx.ASGITransport(people, raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
        answer = await client.post("/sign-in", json={"user": caller.user, "aal": caller.aal})
    told: JsonObject = answer.json()
    if not answer.is_success:
        raise BadCaller(answer.status_code, told)
    return str(told["access_token"])
