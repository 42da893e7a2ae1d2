"""POST /token, where the grant named in the query gives a session, and POST /logout, which ends it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta

from minato.auth.grants.id_token import grant_id_token
from minato.auth.grants.refresh_token import grant_refresh_token
from minato.auth.grants.web3 import grant_web3
from minato.auth.hooks.points import judge_password
from minato.auth.limits.password_guesses import require_attempt
from minato.auth.request.context import ReadTransaction, RequestContext, Transaction, in_transaction
from minato.auth.request.data import RequestData
from minato.auth.request.response import Endpoint, Response
from minato.auth.rows import flow_states, sessions, users
from minato.auth.rows.flow_states import challenge_matches
from minato.auth.rows.users import User
from minato.auth.sessions.authentication import require_user
from minato.auth.sessions.sign_in import answer_session
from minato.auth.wire.errors import AuthError, WeakPassword, invalid
from minato.auth.wire.validation import phone_digits, require_strong
from minato.json_text import JsonObject

SIGN_IN_MAILS = frozenset({"email/signup", "invite", "magiclink", "recovery"})
PROVIDER_TOKENS = {"provider_token": "provider_access_token", "provider_refresh_token": "provider_refresh_token"}
SCOPES = ("global", "local", "others")


@dataclass
class PasswordGrantParams:
    email: str = ""
    phone: str = ""
    password: str = field(default="", repr=False)


async def grant_password(context: RequestContext) -> Response:
    params = context.params(PasswordGrantParams)
    async with context.read() as reading:
        user = await _find(reading, params)
    if context.settings.security_tell_banned:
        _require_no_ban(context, user)
    hashed = user.encrypted_password if user else None
    account = params.email or phone_digits(params.phone)
    attempt = await require_attempt(context, account, user.id if user else None)
    right = await context.verify_password(params.password, hashed)
    if right:
        await attempt.forgive()
    if user is not None and hashed:
        await judge_password(context, user.id, right)
    if not right or user is None:
        raise AuthError(400, "invalid_credentials", "Invalid login credentials")
    _require_no_ban(context, user)
    # Only whoever knows the password learns that the address is unconfirmed.
    if params.email and user.email_confirmed_at is None:
        raise AuthError(400, "email_not_confirmed", "Email not confirmed")
    if params.phone and user.phone_confirmed_at is None:
        raise AuthError(400, "phone_not_confirmed", "Phone not confirmed")
    async with context.transaction() as tx:
        # While the password was tried it may have been changed, and every session ended.
        users.hold(tx.db, user)
        users.require_password(tx.db, user)
        await tx.record(user, "login", provider="email" if params.email else "phone")
        return await answer_session(tx, user, "password", **_weakness(tx, params.password))


def _require_no_ban(data: RequestData, user: User | None) -> None:
    if user is not None and user.is_banned(data.now):
        raise AuthError(400, "user_banned", "User is banned")


async def _find(tx: ReadTransaction, params: PasswordGrantParams) -> User | None:
    if params.email and params.phone:
        raise invalid("Only an email address or phone number should be provided on login.")
    if params.email:
        if not tx.settings.external_email_enabled:
            raise AuthError(422, "email_provider_disabled", "Email logins are disabled")
        return await users.find_by_email(tx.db, params.email, tx.audience)
    if params.phone:
        if not tx.settings.external_phone_enabled:
            raise AuthError(422, "phone_provider_disabled", "Phone logins are disabled")
        return await users.find_by_phone(tx.db, phone_digits(params.phone), tx.audience)
    raise invalid("missing email or phone")


def _weakness(data: RequestData, password: str) -> JsonObject:
    """What the password lacks by today's rules."""
    try:
        require_strong(password, data.settings)
    except WeakPassword as weak:
        return {"weak_password": {"message": weak.message, "reasons": weak.reasons}}
    return {}


@dataclass
class PKCEGrantParams:
    auth_code: str = field(default="", repr=False)
    code_verifier: str = field(default="", repr=False)


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
    _require_no_ban(tx, user)
    await flow_states.end(tx.db, flow.id)
    await tx.record(user, "login", provider_type=flow.provider_type)
    tokens = {name: getattr(flow, column) for name, column in PROVIDER_TOKENS.items()}
    given = {name: token for name, token in tokens.items() if token}
    method = flow.authentication_method
    return await answer_session(tx, user, method, mailed=method in SIGN_IN_MAILS, **given)


GRANTS: Mapping[str, Endpoint] = {
    "password": grant_password,
    "refresh_token": in_transaction(grant_refresh_token),
    "pkce": in_transaction(grant_pkce),
    "id_token": grant_id_token,
    "web3": grant_web3,
}


async def token(context: RequestContext) -> Response:
    name = context.query.get("grant_type", "")
    if name not in GRANTS:
        raise AuthError(400, "invalid_credentials", "unsupported_grant_type")
    return await GRANTS[name](context)


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
