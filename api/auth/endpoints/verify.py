"""`POST /verify` and `GET /verify`: a code typed in, or a link followed."""

from __future__ import annotations

from urllib.parse import urlencode

from api.auth import pkce
from api.auth.addresses import normal_email
from api.auth.body import Body
from api.auth.call import Answer, Call
from api.auth.errors import AuthError, invalid, not_implemented
from api.auth.one_time_tokens import PKCE_PREFIX
from api.auth.redirects import with_fragment, with_query
from api.auth.sign_in import open_session
from api.auth.verification import Half, Verified, by_code, by_hash

HALFWAY = "Confirmation link accepted. Please proceed to confirm link sent to the other email"
OAUTH_ERRORS = {400: "invalid_request", 401: "unauthorized_client", 403: "access_denied", 500: "server_error"}
FLOW_METHODS = {"signup": "email/signup", "email": "email/signup"}


async def verify(call: Call) -> Answer:
    """A session; for the first half of an email change only a message."""
    body = call.body("VerifyParams")
    kind = body.text("type")
    if not kind:
        raise invalid("Verify requires a verification type")
    code, hashed = body.text("token"), body.text("token_hash")
    if bool(code) == bool(hashed):
        raise invalid("Verify requires either a token or a token hash")
    outcome = await (_typed(call, body, kind, code) if code else _hashed(call, body, kind, hashed))
    if isinstance(outcome, Half):
        return Answer(200, {"code": "200", "msg": HALFWAY})
    return await open_session(call, outcome.user, "otp")


async def follow_link(call: Call) -> Answer:
    """Back to the page the link was made for, with a session, a code or an error."""
    hashed, kind = call.query.get("token", ""), call.query.get("type", "")
    if not hashed:
        raise invalid("Verify requires a token or a token hash")
    if not kind:
        raise invalid("Verify requires a verification type")
    pkce_flow = hashed.startswith(PKCE_PREFIX)
    try:
        outcome = await by_hash(call, kind, hashed)
        if isinstance(outcome, Half):
            return Answer.redirect(_halfway(call, pkce_flow))
        return Answer.redirect(await _success(call, outcome, kind, pkce_flow))
    except AuthError as error:
        return Answer.redirect(failure_url(call.redirect_to, error, pkce_flow))


async def _typed(call: Call, body: Body, kind: str, code: str) -> Verified | Half:
    email, phone = body.text("email"), body.text("phone")
    if bool(email) == bool(phone):
        raise invalid("Only an email address or phone number should be provided on verify")
    if phone:
        raise not_implemented("Verification by phone")
    try:
        address = normal_email(email)
    except AuthError as error:
        raise invalid("Invalid email format", 422) from error
    return await by_code(call, kind, address, code)


async def _hashed(call: Call, body: Body, kind: str, hashed: str) -> Verified | Half:
    if body.text("email") or body.text("phone") or body.text("redirect_to"):
        raise invalid("Only the token_hash and type should be provided")
    return await by_hash(call, kind, hashed)


async def _success(call: Call, outcome: Verified, kind: str, pkce_flow: bool) -> str:
    if pkce_flow:
        code = await pkce.issue_code(call, outcome.user.id, FLOW_METHODS.get(kind, kind))
        if code is None:
            raise AuthError(422, "flow_state_not_found", "No valid flow state found for user.")
        return with_query(call.redirect_to, {"code": code})
    session = (await open_session(call, outcome.user, "otp")).document
    names = ("access_token", "expires_at", "expires_in", "refresh_token", "token_type")
    return with_fragment(call.redirect_to, {**{n: str(session[n]) for n in names}, "sb": "", "type": kind})


def _halfway(call: Call, pkce_flow: bool) -> str:
    target = with_query(call.redirect_to, {"message": HALFWAY}) if pkce_flow else call.redirect_to
    return with_fragment(target, {"message": HALFWAY, "sb": ""})


def failure_url(target: str, error: AuthError, pkce_flow: bool) -> str:
    """Where a failed link leads: the page, with the error in the fragment and, for PKCE, in the query too."""
    values = {"error_code": error.code, "error_description": error.message}
    if error.status in OAUTH_ERRORS:
        values = {"error": OAUTH_ERRORS[error.status], **values}
    page = with_query(target, values) if pkce_flow else target
    return f"{page}#{urlencode(values)}&sb="
