"""POST /otp: a code or link to sign in with, by mail or text message."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from minato.auth.accounts.discretion import discreetly, is_discreet
from minato.auth.accounts.phone_signup import confirm_or_ask, find_by_phone, require_phone_signups
from minato.auth.accounts.registration import new_account, open_or_reread
from minato.auth.endpoints.magiclink import MagicLinkParams, send_magic_link
from minato.auth.messages import text_messages
from minato.auth.messages.text_messages import require_channel
from minato.auth.request.context import ReadTransaction, RequestContext
from minato.auth.request.response import Response
from minato.auth.rows import users
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
        user = await find_by_phone(reading, phone)
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
