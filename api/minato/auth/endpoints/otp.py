"""POST /otp and /magiclink: a code or link to sign in with, by mail or text message."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

from minato.auth.accounts import pending_sign_ups
from minato.auth.accounts.administrator import require_open_sign_up
from minato.auth.accounts.discretion import discreetly, is_discreet
from minato.auth.accounts.phone_signup import confirm_or_ask, find_by_phone, require_phone_signups
from minato.auth.accounts.registration import confirm_email, new_account, open_account, open_or_reread, taken_over
from minato.auth.messages import emails, text_messages
from minato.auth.messages.emails import Challenge
from minato.auth.messages.limits import find_by_email_in_turn
from minato.auth.messages.text_messages import require_channel
from minato.auth.request.context import ReadTransaction, RequestContext, Transaction
from minato.auth.request.response import Response
from minato.auth.rows import users
from minato.auth.rows.users import User
from minato.auth.wire.body import parse_first
from minato.auth.wire.errors import AuthError, invalid
from minato.auth.wire.validation import validate_email, validate_phone, validate_pkce


@dataclass
class OtpParams:
    email: str = ""
    phone: str = ""
    create_user: bool = True
    data: dict[str, object] | None = None
    channel: str = ""
    code_challenge: str = ""
    code_challenge_method: str = ""


async def otp(context: RequestContext) -> Response:
    params = context.params(OtpParams)
    if params.email and params.phone:
        raise invalid("Only an email address or phone number should be provided")
    if params.email and params.channel:
        raise invalid("Channel should only be specified with Phone OTP")
    validate_pkce(params.code_challenge, params.code_challenge_method)
    if not is_discreet(context) and not params.create_user:
        await _require_account(context, params)
    if params.email:
        link = MagicLinkParams(params.email, params.data, params.code_challenge, params.code_challenge_method)
        return await send_magic_link(context, link, params.create_user)
    if not params.phone:
        raise invalid("One of email or phone must be set")
    if not context.settings.external_phone_enabled:
        raise AuthError(400, "phone_provider_disabled", "Unsupported phone provider")
    phone = validate_phone(params.phone)
    channel = require_channel(context, params.channel)
    return await discreetly(context, partial(_send_by_phone, params=params, phone=phone, channel=channel))


async def _send_by_phone(context: RequestContext, params: OtpParams, phone: str, channel: str) -> Response:
    """A code for an account that has its number; any other is opened first, and its confirmation is the code."""
    hashed, data = await context.unguessable_password(), params.data or {}
    async with context.read() as reading:
        user = await users.find_by_any_phone(reading.db, phone)
    if user is not None and not users.is_open_to(user, context.audience):
        raise AuthError(422, "phone_exists", "A user with this phone number has already been registered")
    if user is None and not params.create_user:
        raise AuthError(422, "otp_disabled", "Signups not allowed for otp")
    if user is None or user.phone_confirmed_at is None:
        require_phone_signups(context)
    account = user or await new_account(context, "phone", phone, data)
    async with context.transaction() as tx:
        user = await open_or_reread(tx, account, hashed)
        if user.phone_confirmed_at is None:
            user = await confirm_or_ask(tx, user, phone, hashed, data, channel)
            if user.phone_confirmed_at is None:
                return Response({})
        await tx.record(user, "user_recovery_requested", channel=channel)
        _, message_id = await text_messages.send(tx, user, text_messages.CONFIRMATION, phone, channel)
    return Response(text_messages.message_body(message_id))


async def _require_account(context: RequestContext, params: OtpParams) -> None:
    async with context.read() as tx:
        if not await _exists(tx, params):
            raise AuthError(422, "otp_disabled", "Signups not allowed for otp")


async def _exists(tx: ReadTransaction, params: OtpParams) -> bool:
    """Whether the address has an account; one that is no address has none."""
    try:
        if params.email:
            return await users.find_by_email(tx.db, validate_email(params.email), tx.audience) is not None
        return not params.phone or await find_by_phone(tx, validate_phone(params.phone)) is not None
    except AuthError:
        return False


@dataclass
class MagicLinkParams:
    email: str = ""
    data: dict[str, object] | None = None
    code_challenge: str = ""
    code_challenge_method: str = ""


async def magiclink(context: RequestContext) -> Response:
    return await send_magic_link(
        context, parse_first(MagicLinkParams, context.body, "Could not read verification params: ")
    )


async def send_magic_link(context: RequestContext, params: MagicLinkParams, create_user: bool = True) -> Response:
    """Always `{}`. Without `create_user` an address that nobody has is left alone."""
    if not context.settings.external_email_enabled:
        raise AuthError(422, "email_provider_disabled", "Email logins are disabled")
    if not context.settings.external_email_magic_link_enabled:
        raise AuthError(422, "email_provider_disabled", "Login with magic link is disabled")
    if not params.email:
        raise invalid("Password recovery requires an email", 422)
    email = validate_email(params.email)
    validate_pkce(params.code_challenge, params.code_challenge_method)
    await require_open_sign_up(context, email)
    return await discreetly(context, partial(_send, params=params, email=email, create=create_user))


async def _send(context: RequestContext, params: MagicLinkParams, email: str, create: bool) -> Response:
    challenge = Challenge(params.code_challenge, params.code_challenge_method)
    hashed, data = await context.unguessable_password(), params.data or {}
    async with context.transaction() as tx:
        user, taken = await find_by_email_in_turn(tx, email)
        if user is not None:
            return await _mail(tx, user, challenge, hashed, data)
        tx.db.drop()
    if not create:
        raise AuthError(422, "otp_disabled", "Signups not allowed for otp")
    if context.settings.disable_signup:
        raise AuthError(422, "signup_disabled", "Signups not allowed for this instance")
    if taken:
        raise AuthError(422, "email_exists", "A user with this email address has already been registered")
    account = await new_account(context, "email", email, data)
    async with context.transaction() as tx:
        return await _mail(tx, await open_account(tx, account, hashed), challenge, hashed, data)


async def _mail(tx: Transaction, user: User, challenge: Challenge, hashed: str, data: dict[str, object]) -> Response:
    """A link to sign in with, or the one that confirms the account first."""
    if not user.is_confirmed and not tx.settings.mailer_autoconfirm:
        await tx.record(user, "user_confirmation_requested", provider="email")
        user = await emails.send(tx, user, emails.CONFIRMATION, replace(challenge, provider="email"))
        await pending_sign_ups.keep(tx, user, hashed, data)
        return Response({})
    if not user.is_confirmed:
        user, values = await taken_over(tx, user, "email", hashed, data)
        user = await confirm_email(tx, user, **values)
    await tx.record(user, "user_recovery_requested")
    await emails.send(tx, user, emails.MAGIC_LINK, challenge)
    return Response({})
