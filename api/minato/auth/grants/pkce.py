"""The PKCE grant: the code that came back from a mail link, with the verifier of its challenge, for a session."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from minato.auth.request.context import Transaction
from minato.auth.request.response import Response
from minato.auth.rows import flow_states, users
from minato.auth.rows.flow_states import challenge_matches
from minato.auth.sessions.sign_in import answer_session
from minato.auth.wire.errors import AuthError, invalid

SIGN_IN_MAILS = frozenset({"email/signup", "invite", "magiclink", "recovery"})
PROVIDER_TOKENS = {"provider_token": "provider_access_token", "provider_refresh_token": "provider_refresh_token"}


@dataclass
class PKCEGrantParams:
    auth_code: str = ""
    code_verifier: str = ""


async def grant_pkce(tx: Transaction) -> Response:
    params = tx.params(PKCEGrantParams)
    if not params.auth_code or not params.code_verifier:
        raise invalid("invalid request: both auth code and code verifier should be non-empty")
    flow = await flow_states.find(tx.db, params.auth_code)
    user = await users.find(tx.db, flow.user_id) if flow and flow.user_id else None
    if flow is None or user is None:
        raise AuthError(404, "flow_state_not_found", "invalid flow state, no valid flow state found")
    # A mail may be read late: for magic links the time runs from the click.
    clicked = flow.authentication_method == "magiclink" and flow.auth_code_issued_at
    if (clicked or flow.created_at) + timedelta(seconds=tx.settings.external_flow_state_expiry_duration) < tx.now:
        raise AuthError(422, "flow_state_expired", "invalid flow state, flow state has expired")
    if not challenge_matches(flow.code_challenge_method, flow.code_challenge, params.code_verifier):
        raise AuthError(400, "bad_code_verifier", "code challenge does not match previously saved code verifier")
    await flow_states.end(tx.db, flow.id)
    await tx.record(user, "login", provider_type=flow.provider_type)
    tokens = {name: getattr(flow, column) for name, column in PROVIDER_TOKENS.items()}
    given = {name: token for name, token in tokens.items() if token}
    method = flow.authentication_method
    return await answer_session(tx, user, method, mailed=method in SIGN_IN_MAILS, **given)
