"""POST /otp: a code or link to sign in with, by mail or text message."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from minato.auth.accounts.discretion import discreetly, is_discreet
from minato.auth.accounts.phone_signup import find_by_phone, open_by_phone, require_phone_signups
from minato.auth.endpoints.magiclink import MagicLinkParams, send_magic_link
from minato.auth.messages import text_messages
from minato.auth.messages.text_messages import require_channel
from minato.auth.request.call import Answer, Call
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


async def otp(call: Call) -> Answer:
    params = call.params(OtpParams)
    if params.email and params.phone:
        raise invalid("Only an email address or phone number should be provided")
    if params.email and params.channel:
        raise invalid("Channel should only be specified with Phone OTP")
    validate_pkce(params.code_challenge, params.code_challenge_method)
    if not is_discreet(call) and not params.create_user and not await _exists(call, params):
        raise AuthError(422, "otp_disabled", "Signups not allowed for otp")
    if params.email:
        link = MagicLinkParams(params.email, params.data, params.code_challenge, params.code_challenge_method)
        return await send_magic_link(call, link, params.create_user)
    if not params.phone:
        raise invalid("One of email or phone must be set")
    if not call.settings.external_phone_enabled:
        raise AuthError(400, "phone_provider_disabled", "Unsupported phone provider")
    phone = validate_phone(params.phone)
    channel = require_channel(call, params.channel)
    return await discreetly(call, partial(_send_by_phone, params=params, phone=phone, channel=channel))


async def _send_by_phone(call: Call, params: OtpParams, phone: str, channel: str) -> Answer:
    """A code for an account that has its number; any other is opened first, and its confirmation is the code."""
    user = await find_by_phone(call, phone)
    if user is None and not params.create_user:
        raise AuthError(422, "otp_disabled", "Signups not allowed for otp")
    if user is None or user.phone_confirmed_at is None:
        require_phone_signups(call)
        hashed = await call.unguessable_password()
        user = await open_by_phone(call, user, phone, hashed, params.data or {}, channel)
        if user.phone_confirmed_at is None:
            return Answer({})
    await call.record(user, "user_recovery_requested", channel=channel)
    _, message_id = await text_messages.send(call, user, text_messages.CONFIRMATION, phone, channel)
    return Answer(text_messages.message_body(message_id))


async def _exists(call: Call, params: OtpParams) -> bool:
    """Whether the address has an account; one that is no address has none."""
    try:
        if params.email:
            return await users.find_by_email(call.db, validate_email(params.email), call.audience) is not None
        return not params.phone or await find_by_phone(call, validate_phone(params.phone)) is not None
    except AuthError:
        return False
