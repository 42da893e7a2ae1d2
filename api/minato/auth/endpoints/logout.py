"""POST /logout: ends this session, the others, or all."""

from __future__ import annotations

from minato.auth.request.context import Transaction
from minato.auth.request.response import Response
from minato.auth.rows import sessions
from minato.auth.sessions.authentication import require_user
from minato.auth.wire.errors import invalid

SCOPES = ("global", "local", "others")


async def logout(tx: Transaction) -> Response:
    who = await require_user(tx, by_client=True)
    scope = tx.query.get("scope") or "global"
    if scope not in SCOPES:
        raise invalid(f'Unsupported logout scope "{scope}"')
    if who.is_client and who.session_id is not None:
        # What was lent to a client ends nobody else's session.
        await sessions.end(tx.db, who.session_id)
    elif scope == "global" or who.session_id is None:
        await sessions.end_all(tx.db, who.user.id)
    elif scope == "local":
        await sessions.end(tx.db, who.session_id)
    else:
        await sessions.end_others(tx.db, who.user.id, who.session_id)
    await tx.record(who.user, "logout")
    return Response(status=204)
