"""What tests of sessions need: sessions that are over, a refresh token that was stolen, a sign-out from everywhere."""

from __future__ import annotations

from datetime import timedelta

from minato.auth.people.target import require_person
from minato.auth.request.context import Transaction
from minato.auth.request.response import Response
from minato.auth.rows import refresh_tokens, sessions
from minato.auth.rows.sessions import Session
from minato.auth.rows.users import User
from minato.auth.sessions import refresh_chain

A_SECOND = timedelta(seconds=1)


async def expire_session(tx: Transaction) -> Response:
    """Every session of the account has lasted its time; access tokens go on until their own end."""
    _, found = await _sessions(tx)
    for session in found:
        await sessions.change(tx.db, session.id, not_after=tx.now - A_SECOND)
    return Response({"sessions": len(found)})


async def reuse_refresh_token(tx: Transaction) -> Response:
    """Somebody else has used the refresh tokens that clients hold, longer ago than is excused."""
    user, found = await _sessions(tx)
    for session in found:
        await _use(tx, user, session)
    return Response({"sessions": len(found)})


async def _use(tx: Transaction, user: User, session: Session) -> None:
    used = tx.now - timedelta(seconds=tx.settings.security_refresh_token_reuse_interval) - A_SECOND
    if refresh_chain.is_version_2(session):
        await refresh_chain.advance(tx, session, 2)
        await sessions.change(tx.db, session.id, refreshed_at=used.replace(tzinfo=None))
        return
    await refresh_tokens.revoke_family(tx.db, session.id, used)
    await refresh_chain.issue(tx, user, session.id, parent=None)


async def sign_out(tx: Transaction) -> Response:
    """End every session of the account."""
    user, found = await _sessions(tx)
    await sessions.end_all(tx.db, user.id)
    await tx.record(user, "logout")
    return Response({"sessions": len(found)})


async def _sessions(tx: Transaction) -> tuple[User, list[Session]]:
    user = await require_person(tx, tx.path_params["user"])
    return user, await sessions.of_user(tx.db, user.id)
