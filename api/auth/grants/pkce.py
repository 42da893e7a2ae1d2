"""`grant_type=pkce`: the code a followed link gave, and the proof that the same client began."""

from __future__ import annotations

from datetime import timedelta

from api.auth import pkce, users
from api.auth.call import Answer, Call
from api.auth.errors import AuthError, invalid
from api.auth.sign_in import open_session


async def pkce_grant(call: Call) -> Answer:
    """A session; the flow survives a wrong verifier and is gone after success."""
    body = call.body("PKCEGrantParams")
    code, verifier = body.text("auth_code"), body.text("code_verifier")
    if not code or not verifier:
        raise invalid("invalid request: both auth code and code verifier should be non-empty")
    flow = await pkce.find_by_code(call.db, code)
    if flow is None or flow.user_id is None:
        raise AuthError(404, "flow_state_not_found", "invalid flow state, no valid flow state found")
    began = flow.auth_code_issued_at or flow.created_at
    if call.now > began + timedelta(seconds=call.settings.flow_state_expiry_duration):
        raise AuthError(422, "flow_state_expired", "invalid flow state, flow state has expired")
    if not pkce.proves(verifier, flow):
        detail = "code challenge does not match previously saved code verifier"
        raise AuthError(400, "bad_code_verifier", detail)
    user = await users.find_by_id(call.db, flow.user_id)
    if user is None:
        raise AuthError(404, "flow_state_not_found", "invalid flow state, no valid flow state found")
    await pkce.finish(call.db, flow)
    return await open_session(call, user, flow.authentication_method)
