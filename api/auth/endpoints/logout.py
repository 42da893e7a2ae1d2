"""`POST /logout?scope=…`: end this session, the others, or all."""

from __future__ import annotations

from api.auth import audit, sessions
from api.auth.call import Answer, Call
from api.auth.errors import invalid

SCOPES = ("global", "local", "others")


async def logout(call: Call) -> Answer:
    """204. A token without a session counts as all of them."""
    scope = call.query.get("scope") or "global"
    if scope not in SCOPES:
        raise invalid(f'Unsupported logout scope "{scope}"')
    await audit.record(call, "logout", call.user)
    if call.session_id is None or scope == "global":
        await sessions.end_all(call.db, call.user.id)
    elif scope == "local":
        await sessions.end(call.db, call.session_id)
    else:
        await sessions.end_all(call.db, call.user.id, but=call.session_id)
    return Answer(204)
