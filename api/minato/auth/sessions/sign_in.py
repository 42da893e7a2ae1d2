"""Signing in: a new session with its first refresh token, answered as the Session object with an access token."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from minato.auth.accounts.administrator import note_answered_mail
from minato.auth.hooks.points import customize_claims
from minato.auth.request.context import Transaction
from minato.auth.request.response import Response
from minato.auth.rows import sessions, users
from minato.auth.rows.sessions import Method
from minato.auth.rows.users import User
from minato.auth.sessions import refresh_chain
from minato.auth.sessions.validity import weak_end
from minato.auth.wire.json_format import sorted_map

SECOND_FACTORS = frozenset({"totp", "mfa/phone", "mfa/webauthn"})


@dataclass(frozen=True)
class SessionClient:
    """The OAuth client a session was opened for, and what it may do."""

    id: UUID
    scopes: str


async def start_session(
    tx: Transaction,
    user: User,
    method: str,
    client: SessionClient | None = None,
    mailed: bool = False,
    not_after: datetime | None = None,
) -> tuple[dict[str, object], dict[str, str]]:
    """Open a session for `user`, authenticated by `method`: the Session object and its headers.

    `mailed` says that a mail to the account's address was answered; `not_after`, when the session ends at the latest.
    """
    session_id = tx.backend.entropy.uuid4()
    given = {"oauth_client_id": client.id, "scopes": client.scopes} if client else {}
    columns = refresh_chain.new_columns(tx)
    seen = {"user_agent": tx.user_agent, "ip": tx.ip}
    await sessions.create(tx.writer, session_id, user.id, not_after=not_after, **seen, **columns, **given)
    await sessions.add_method(tx.writer, session_id, method)
    if mailed:
        await note_answered_mail(tx, user, session_id)
    user = await users.change(tx.db, user, tx.now, last_sign_in_at=tx.now)
    token = await refresh_chain.begin(tx, user, session_id, columns)
    return await session_json(tx, user, session_id, token, method, client), token_headers(user, session_id, token)


async def answer_session(tx: Transaction, user: User, method: str, mailed: bool = False, **extra: object) -> Response:
    """`start_session` as an answer."""
    body, headers = await start_session(tx, user, method, mailed=mailed)
    return Response({**body, **extra}, headers=headers)


async def session_json(
    tx: Transaction,
    user: User,
    session_id: UUID,
    refresh_token: str,
    method: str = "token_refresh",
    client: SessionClient | None = None,
) -> dict[str, object]:
    """The Session object with a new access token, which `method` earned."""
    issued_at = int(tx.now.timestamp())
    lifetime = await _lifetime(tx, session_id, issued_at)
    methods = await sessions.methods(tx.db, session_id)
    claims = build_claims(user, session_id, methods, tx.issuer, issued_at, lifetime)
    if client is not None:
        claims |= {"client_id": str(client.id), **({"scope": client.scopes} if client.scopes else {})}
    claims = await customize_claims(tx, user.id, claims, method)
    return {
        "access_token": tx.backend.keys.sign(claims),
        "token_type": "bearer",
        "expires_in": lifetime,
        "expires_at": issued_at + lifetime,
        "refresh_token": refresh_token,
        "user": await tx.user_json(user),
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
