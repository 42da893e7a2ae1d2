"""/recover, /resend, /reauthenticate and /verify: a one-time token goes out by mail or text message, and comes back."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial

from minato.auth.accounts import pending_sign_ups
from minato.auth.accounts.discretion import discreetly
from minato.auth.accounts.phone_signup import find_by_phone
from minato.auth.accounts.phone_verification import redeem
from minato.auth.accounts.verification import COLUMNS, FIRST_HALF, Redeemed, find_by_code, find_by_hash, use
from minato.auth.messages import emails, text_messages
from minato.auth.messages.emails import Challenge
from minato.auth.messages.limits import find_by_email_in_turn
from minato.auth.request.context import RequestContext, Transaction, in_transaction
from minato.auth.request.data import RequestData
from minato.auth.request.response import Response
from minato.auth.rows import flow_states
from minato.auth.rows.one_time_tokens import PKCE_PREFIX
from minato.auth.sessions.authentication import require_user
from minato.auth.sessions.sign_in import answer_session, start_session
from minato.auth.wire.errors import AuthError, invalid, lost_race
from minato.auth.wire.redirects import with_fragment, with_query, without_fragment
from minato.auth.wire.validation import EMAIL, validate_email, validate_phone, validate_pkce

ERROR_NAMES = {
    400: "invalid_request",
    401: "unauthorized_client",
    403: "access_denied",
    500: "server_error",
    503: "temporarily_unavailable",
}


@dataclass
class RecoverParams:
    email: str = ""
    code_challenge: str = ""
    code_challenge_method: str = ""


async def recover(context: RequestContext) -> Response:
    params = context.params(RecoverParams)
    if not context.settings.external_email_enabled:
        raise AuthError(400, "email_provider_disabled", "Email logins are disabled")
    if not params.email:
        raise invalid("Password recovery requires an email")
    email = validate_email(params.email)
    validate_pkce(params.code_challenge, params.code_challenge_method)
    challenge = Challenge(params.code_challenge, params.code_challenge_method)
    return await discreetly(context, in_transaction(partial(_send, email=email, challenge=challenge)))


async def _send(tx: Transaction, email: str, challenge: Challenge) -> Response:
    user, _ = await find_by_email_in_turn(tx, email)
    if user is not None:
        await tx.record(user, "user_recovery_requested")
        await emails.send(tx, user, emails.RECOVERY, challenge)
    return Response({})


@dataclass
class ResendConfirmationParams:
    type: str = ""
    email: str = ""
    phone: str = ""
    code_challenge: str = ""
    code_challenge_method: str = ""


async def resend(context: RequestContext) -> Response:
    params = context.params(ResendConfirmationParams)
    _require_address(context, params)
    validate_pkce(params.code_challenge, params.code_challenge_method)
    if params.phone:
        phone = validate_phone(params.phone)
        return await discreetly(context, in_transaction(partial(_resend_by_phone, kind=params.type, phone=phone)))
    challenge = Challenge(params.code_challenge, params.code_challenge_method)
    email = validate_email(params.email)
    resending = partial(_resend_by_mail, params=params, email=email, challenge=challenge)
    return await discreetly(context, in_transaction(resending))


async def _resend_by_mail(
    tx: Transaction, params: ResendConfirmationParams, email: str, challenge: Challenge
) -> Response:
    user, _ = await find_by_email_in_turn(tx, email)
    if user is not None and params.type == "signup" and not user.is_confirmed:
        await tx.record(user, "user_confirmation_requested")
        user = await emails.send(tx, user, emails.CONFIRMATION, challenge)
        await pending_sign_ups.carry_on(tx, user)
    elif user is not None and params.type == "email_change" and user.email_change:
        await emails.send_email_change(tx, user, user.email_change, challenge)
    return Response({})


async def _resend_by_phone(tx: Transaction, kind: str, phone: str) -> Response:
    """A change is looked up by the number the account still has, as in the reference."""
    user, message_id = await find_by_phone(tx, phone), ""
    if user is not None and kind == "sms" and user.phone_confirmed_at is None:
        await tx.record(user, "user_recovery_requested")
        user, message_id = await text_messages.send(tx, user, text_messages.CONFIRMATION, phone)
        await pending_sign_ups.carry_on(tx, user)
    elif user is not None and kind == "phone_change" and user.phone_change:
        _, message_id = await text_messages.send(tx, user, text_messages.PHONE_CHANGE, user.phone_change)
    return Response(text_messages.message_body(message_id))


def _require_address(data: RequestData, params: ResendConfirmationParams) -> None:
    if params.type not in ("signup", "email_change", "sms", "phone_change"):
        raise invalid("Missing one of these types: signup, email_change, sms, phone_change")
    if params.type == "signup" and not params.email:
        raise invalid("Type provided requires an email address")
    if params.type == "sms" and not params.phone:
        raise invalid("Type provided requires a phone number")
    if params.email and params.phone:
        raise invalid("Only an email address or phone number should be provided.")
    if not params.email and not params.phone:
        raise invalid("Missing email address or phone number")
    if params.email and not data.settings.external_email_enabled:
        raise AuthError(400, "email_provider_disabled", "Email logins are disabled")
    if params.phone and not data.settings.external_phone_enabled:
        raise AuthError(400, "phone_provider_disabled", "Phone logins are disabled")


async def reauthenticate(tx: Transaction) -> Response:
    user = (await require_user(tx)).user
    if not user.email and not user.phone:
        raise invalid("Reauthentication requires the user to have an email or a phone number")
    if user.email and not user.is_confirmed:
        raise AuthError(422, "email_not_confirmed", "Please verify your email first.")
    if not user.email and user.phone_confirmed_at is None:
        raise AuthError(422, "phone_not_confirmed", "Please verify your phone first.")
    await tx.record(user, "user_reauthenticate_requested")
    if user.email:
        await emails.send(tx, user, emails.REAUTHENTICATION)
        return Response({})
    _, message_id = await text_messages.send(tx, user, text_messages.REAUTHENTICATION, user.phone or "")
    return Response(text_messages.message_body(message_id))


@dataclass
class VerifyParams:
    type: str = ""
    token: str = field(default="", repr=False)
    token_hash: str = field(default="", repr=False)
    email: str = ""
    phone: str = ""
    redirect_to: str = ""


async def verify_posted(context: RequestContext) -> Response:
    params = context.params(VerifyParams)
    _require_one_of(params)
    if params.phone:
        phone = validate_phone(params.phone)
        async with context.transaction() as tx:
            return await answer_session(tx, await redeem(tx, params.type, phone, params.token), "otp")
    unguessable = await context.unguessable_password()
    async with context.transaction() as tx:
        token = await _find(tx, params)
        user = await use(tx, token, unguessable)
        if user is None:
            return Response({"code": "200", "msg": FIRST_HALF})
        return await answer_session(tx, user, "otp", mailed=token.type != "email_change")


def _require_one_of(params: VerifyParams) -> None:
    """A token with the one address it was sent to, or a token hash alone."""
    if not params.type:
        raise invalid("Verify requires a verification type")
    if bool(params.token) == bool(params.token_hash):
        raise invalid("Verify requires either a token or a token hash")
    if params.token_hash:
        if params.email or params.phone or params.redirect_to:
            raise invalid("Only the token_hash and type should be provided")
    elif bool(params.email) == bool(params.phone):
        raise invalid("Only an email address or phone number should be provided on verify")


async def _find(tx: Transaction, params: VerifyParams) -> Redeemed:
    if params.token_hash:
        return await find_by_hash(tx, _email_type(params.type), params.token_hash)
    if not EMAIL.fullmatch(params.email):
        raise invalid("Invalid email format", 422)
    if params.type not in COLUMNS:
        raise AuthError(403, "otp_expired", "Token has expired or is invalid")
    return await find_by_code(tx, params.type, params.email.lower(), params.token)


def _email_type(link_type: str) -> str:
    if link_type not in COLUMNS:
        raise invalid("Invalid email verification type")
    return link_type


async def verify_link(context: RequestContext) -> Response:
    hashed, link_type = context.query.get("token", ""), context.query.get("type", "")
    if not link_type:
        raise invalid("Verify requires a verification type")
    if not hashed:
        raise invalid("Verify requires a token or a token hash")
    is_pkce = hashed.startswith(PKCE_PREFIX)
    try:
        kind, unguessable = _email_type(link_type), await context.unguessable_password()
        async with context.transaction() as tx:
            return _see(await _follow(tx, kind, hashed, is_pkce, unguessable))
    except AuthError as error:
        if lost_race(error):
            raise
        return _see(_error_target(context.redirect_to, error, is_pkce))


async def _follow(tx: Transaction, link_type: str, hashed: str, is_pkce: bool, unguessable: str) -> str:
    """Where the link leads once its token was used; the page is told what a token of type=email turned out to be."""
    token = await find_by_hash(tx, link_type, hashed)
    user = await use(tx, token, unguessable)
    target = tx.redirect_to
    if user is None:
        return _told(target, {"message": FIRST_HALF}, is_pkce)
    if is_pkce:
        return with_query(target, {"code": await _code(tx, user.id, link_type)})
    body, _ = await start_session(tx, user, "otp", mailed=link_type != "email_change", last=True)
    names = ("access_token", "expires_at", "expires_in", "refresh_token", "token_type")
    return with_fragment(target, {**{name: str(body[name]) for name in names}, "type": token.type})


async def _code(tx: Transaction, user_id: object, link_type: str) -> str:
    method = flow_states.METHODS.get(link_type)
    if method is None:
        # type=email names no method: supabase/auth fails the same way.
        raise AuthError(500, "unexpected_failure", "Unexpected failure, please check server logs for more information")
    code = await flow_states.issue_code(tx.db, user_id, method, tx.now)  # type: ignore[arg-type]
    if code is None:
        raise AuthError(422, "flow_state_not_found", "No valid flow state found for user.")
    return code


def _error_target(target: str, error: AuthError, is_pkce: bool) -> str:
    values = {"error_code": error.code, "error_description": error.message}
    if error.status in ERROR_NAMES:
        values["error"] = ERROR_NAMES[error.status]
    return _told(target, values, is_pkce)


def _told(target: str, values: dict[str, str], is_pkce: bool) -> str:
    """`target` with what the page is to read, in its fragment and for PKCE in its query too."""
    plain = without_fragment(target)
    return with_fragment(with_query(plain, values) if is_pkce else plain, values)


def _see(location: str) -> Response:
    return Response(status=303, headers={"Location": location})
