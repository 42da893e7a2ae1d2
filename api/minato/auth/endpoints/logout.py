"""POST /logout: ends this session, the others, or all."""

from __future__ import annotations

from minato.auth import sessions
from minato.auth.authentication import require_user
from minato.auth.call import Answer, Call
from minato.auth.errors import invalid

SCOPES = ("global", "local", "others")


async def logout(call: Call) -> Answer:
    who = await require_user(call, by_client=True)
    scope = call.query.get("scope") or "global"
    if scope not in SCOPES:
        raise invalid(f'Unsupported logout scope "{scope}"')
    if who.is_client and who.session_id is not None:
        # What was lent to a client ends nobody else's session.
        await sessions.end(call.db, who.session_id)
    elif scope == "global" or who.session_id is None:
        await sessions.end_all(call.db, who.user.id)
    elif scope == "local":
        await sessions.end(call.db, who.session_id)
    else:
        await sessions.end_others(call.db, who.user.id, who.session_id)
    await call.record(who.user, "logout")
    return Answer(status=204)
