"""POST /_dev/v1/users/sign-in: a session of anybody's, without the password. It is like every other session."""

from __future__ import annotations

from uuid import UUID

from minato.auth.factors.kinds import KINDS
from minato.auth.people.asked import SignIn, read
from minato.auth.people.refusals import PersonError
from minato.auth.people.target import require_person
from minato.auth.request.context import Transaction
from minato.auth.request.response import Response
from minato.auth.rows import factors, sessions
from minato.auth.rows.factors import Factor
from minato.auth.rows.users import User
from minato.auth.sessions.sign_in import session_json, start_session
from minato.auth.wire.redirects import with_fragment, without_fragment
from minato.json_text import JsonObject

TOKENS = ("access_token", "expires_at", "expires_in", "refresh_token", "token_type")


async def sign_in(tx: Transaction) -> Response:
    asked = read(SignIn, tx.body)
    user = await require_person(tx, asked.user)
    _require_may(tx, user)
    factor = await _require_factor(tx, user) if asked.aal == "aal2" else None
    method = _method(user)
    await tx.record(user, "login", provider=str(user.app_metadata.get("provider", "email")))
    body, headers = await start_session(tx, user, method)
    if factor is not None or asked.expires_in is not None:
        session_id = UUID(headers["sb-auth-session-id"])
        if factor is not None:
            method = await _strengthen(tx, session_id, factor)
        token = str(body["refresh_token"])
        body = await session_json(tx, user, session_id, token, method, seconds=asked.expires_in)
    return Response({**body, "link": _link(asked.redirect_to or tx.site_url, body)})


def _require_may(tx: Transaction, user: User) -> None:
    """Refuse whom no sign-in would let in."""
    if user.is_banned(tx.now):
        raise PersonError(400, "bad_caller", f"{_name(user)} is banned until {user.banned_until}.")
    if user.confirmed_at is None and not user.is_anonymous:
        hint = "Answer the mail first, or write confirmed = true into the users file."
        raise PersonError(400, "bad_caller", f"{_name(user)} has not confirmed an address.", hint)


async def _require_factor(tx: Transaction, user: User) -> Factor:
    proven = [factor for factor in await factors.of_user(tx.db, user.id) if factor.is_verified]
    if not proven:
        hint = "Enroll one, or write [[user.factors]] into the users file."
        raise PersonError(400, "bad_caller", f"{_name(user)} has no second factor, which aal2 needs.", hint)
    return proven[0]


async def _strengthen(tx: Transaction, session_id: UUID, factor: Factor) -> str:
    """As if the factor had been proven; weaker sessions of the account stay, for a test may compare both."""
    method = KINDS[factor.factor_type].method
    await sessions.add_method(tx.writer, session_id, method)
    await sessions.change(tx.db, session_id, aal="aal2", factor_id=factor.id)
    return method


def _method(user: User) -> str:
    """How somebody like this signs in."""
    if user.is_anonymous:
        return "anonymous"
    if user.is_sso_user:
        return "sso/saml"
    providers = user.app_metadata.get("providers") or ["email"]
    return "password" if {"email", "phone"} & set(providers) else "oauth"


def _link(target: str, body: JsonObject) -> str:
    """The address that signs a browser in, as the link of a mail leads there."""
    told = {name: str(body[name]) for name in TOKENS}
    return with_fragment(without_fragment(target), {**told, "type": "magiclink"})


def _name(user: User) -> str:
    return user.email or user.phone or str(user.id)
