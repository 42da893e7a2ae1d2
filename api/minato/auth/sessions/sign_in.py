"""Signing in: a new session with its first refresh token, answered as the Session object with an access token."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from minato.auth.accounts.administrator import note_answered_mail
from minato.auth.hooks.points import customize_claims
from minato.auth.request.context import Transaction
from minato.auth.request.response import Response
from minato.auth.rows import factors, identities, sessions, users
from minato.auth.rows.factors import Factor
from minato.auth.rows.identities import Identity
from minato.auth.rows.reading import only
from minato.auth.rows.sessions import Method
from minato.auth.rows.users import User
from minato.auth.sessions import refresh_chain
from minato.auth.sessions.validity import weak_end
from minato.auth.wire.errors import LostRace
from minato.auth.wire.json_format import sorted_map
from minato.auth.wire.user_json import user_json
from minato.database.wire.messages import Row
from minato.database.wire.session import Command

SECOND_FACTORS = frozenset({"totp", "mfa/phone", "mfa/webauthn"})


@dataclass(frozen=True)
class SessionClient:
    """The OAuth client a session was opened for, and what it may do."""

    id: UUID
    scopes: str


@dataclass(frozen=True)
class Shown:
    """What a Session object shows beside the account itself."""

    methods: list[Method]
    identities: list[Identity]
    factors: list[Factor]


def asked_beside(user_id: UUID, session_id: UUID) -> list[Command]:
    """What brings it."""
    return [sessions.methods_of(session_id), identities.of(user_id), factors.of(user_id)]


def asked_beside_found(key: object, user: str, session: str) -> list[Command]:
    """The same for the account and the session that SQL finds by `key`."""
    return [sessions.methods_of(key, session), identities.of(key, user), factors.of(key, user)]


def read_beside(results: Sequence[list[Row]]) -> Shown:
    """What was brought, in the same order."""
    methods, found, enrolled = results
    return Shown(sessions.read_methods(methods), identities.read_identities(found), factors.read_factors(enrolled))


async def start_session(
    tx: Transaction,
    user: User,
    method: str,
    client: SessionClient | None = None,
    mailed: bool = False,
    not_after: datetime | None = None,
    last: bool = False,
) -> tuple[dict[str, object], dict[str, str]]:
    """Open a session for `user`, authenticated by `method`: the Session object and its headers.

    `mailed` says that a mail to the account's address was answered; `not_after`, when the session ends at the latest.
    The `last` thing of a transaction is committed in the same flush, unless something else is still asked.
    """
    session_id = tx.backend.entropy.uuid4()
    given = {"oauth_client_id": client.id, "scopes": client.scopes} if client else {}
    columns = refresh_chain.new_columns(tx)
    seen = {"user_agent": tx.user_agent, "ip": tx.ip}
    await sessions.create(tx.writer, session_id, user.id, not_after=not_after, **seen, **columns, **given)
    await sessions.add_method(tx.writer, session_id, method)
    if mailed:
        await note_answered_mail(tx, user, session_id)
    token = await refresh_chain.begin(tx, user, session_id, columns)
    written, *beside = await tx.db.ask(
        users.signed_in(user.id, tx.now), *asked_beside(user.id, session_id), commit=last and not _is_asked_more(tx)
    )
    now = only(users.read_users(written))
    if now is None:
        raise LostRace
    shown = read_beside(beside)
    body = await session_json(tx, now, session_id, token, method, client, shown)
    return body, token_headers(now, session_id, token)


def _is_asked_more(tx: Transaction) -> bool:
    """Whether a hook may still refuse the session, or its lifetime depends on its row."""
    return tx.settings.hook("custom_access_token") is not None or bool(tx.settings.sessions_allow_low_aal)


async def answer_session(tx: Transaction, user: User, method: str, mailed: bool = False, **extra: object) -> Response:
    """`start_session` as an answer, which is the last thing its transaction does."""
    body, headers = await start_session(tx, user, method, mailed=mailed, last=True)
    return Response({**body, **extra}, headers=headers)


async def session_json(
    tx: Transaction,
    user: User,
    session_id: UUID,
    refresh_token: str,
    method: str = "token_refresh",
    client: SessionClient | None = None,
    shown: Shown | None = None,
    seconds: float | None = None,
) -> dict[str, object]:
    """The Session object with a new access token, which `method` earned and which is good for so many `seconds`, else
    for as long as the settings say; `shown` is what is known already."""
    issued_at = int(tx.now.timestamp())
    lifetime = await _lifetime(tx, session_id, issued_at) if seconds is None else int(seconds)
    shown = shown or read_beside(await tx.db.ask(*asked_beside(user.id, session_id)))
    claims = build_claims(user, session_id, shown.methods, tx.issuer, issued_at, lifetime)
    if client is not None:
        claims |= {"client_id": str(client.id), **({"scope": client.scopes} if client.scopes else {})}
    claims = await customize_claims(tx, user.id, claims, method)
    return {
        "access_token": tx.backend.keys.sign(claims),
        "token_type": "bearer",
        "expires_in": lifetime,
        "expires_at": issued_at + lifetime,
        "refresh_token": refresh_token,
        "user": user_json(user, shown.identities, shown.factors),
    }


def token_headers(user: User, session_id: UUID, refresh_token: str) -> dict[str, str]:
    """What GoTrue tells proxies and logs about a sign-in."""
    return {
        "sb-auth-user-id": str(user.id),
        "sb-auth-session-id": str(session_id),
        **refresh_chain.headers(refresh_token),
    }


async def _lifetime(tx: Transaction, session_id: UUID, issued_at: int) -> int:
    """Seconds the access token is good for; a session that lacks a second factor may end before."""
    lifetime = tx.settings.jwt_exp
    if not tx.settings.sessions_allow_low_aal:
        return lifetime
    session = await sessions.find(tx.db, session_id)
    end = await weak_end(tx, session) if session is not None else None
    return lifetime if end is None else min(lifetime, int(end.timestamp()) - issued_at)


def build_claims(
    user: User, session_id: UUID, methods: Iterable[Method], issuer: str, issued_at: int, lifetime: int
) -> dict[str, object]:
    """The claims of a token for `user`; `methods` are the session's rows of mfa_amr_claims, newest first."""
    amr = [_amr_entry(user, used) for used in methods]
    return {
        **({"iss": issuer} if issuer else {}),
        "sub": str(user.id),
        "aud": user.aud or "",
        "exp": issued_at + lifetime,
        "iat": issued_at,
        "email": user.email or "",
        "phone": user.phone or "",
        "app_metadata": sorted_map(user.app_metadata),
        "user_metadata": sorted_map(user.user_metadata),
        "role": user.role or "",
        "aal": "aal2" if any(entry["method"] in SECOND_FACTORS for entry in amr) else "aal1",
        "amr": amr,
        "session_id": str(session_id),
        "is_anonymous": user.is_anonymous,
    }


def _amr_entry(user: User, used: Method) -> dict[str, object]:
    method = used.authentication_method
    entry = {"method": method, "timestamp": _unix(used.updated_at)}
    # An account of single sign-on has one provider.
    return {**entry, "provider": user.app_metadata.get("provider", "")[4:]} if method == "sso/saml" else entry


def _unix(moment: datetime) -> int:
    return int(moment.timestamp())
