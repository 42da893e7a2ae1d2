"""POST /otp: a code or link to sign in with, by mail."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from api.auth import users
from api.auth.call import Answer, Call
from api.auth.endpoints.magiclink import MagicLinkParams, send_magic_link
from api.auth.errors import AuthError, invalid, not_implemented
from api.auth.validation import validate_pkce


@dataclass
class OtpParams:
    email: str = ""
    phone: str = ""
    create_user: bool = True
    data: dict[str, Any] | None = None
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
    if not params.create_user and not await _exists(call, params):
        raise AuthError(422, "otp_disabled", "Signups not allowed for otp")
    if params.email:
        link = MagicLinkParams(params.email, params.data, params.code_challenge, params.code_challenge_method)
        return await send_magic_link(call, link)
    if not params.phone:
        raise invalid("One of email or phone must be set")
    if not call.settings.external_phone_enabled:
        raise AuthError(400, "phone_provider_disabled", "Unsupported phone provider")
    raise not_implemented("Sign-in by text message")


async def _exists(call: Call, params: OtpParams) -> bool:
    if params.email:
        return await users.find_by_email(call.db, params.email, call.audience) is not None
    return await users.find_by_phone(call.db, params.phone.removeprefix("+"), call.audience) is not None
