"""The code that proves a phone as second factor."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import partial
from uuid import UUID

from minato.auth.hooks.points import send_by_hook
from minato.auth.messages.limits import refuse_too_soon, seconds_apart, take_turn
from minato.auth.messages.mail_templates import fill
from minato.auth.messages.text_messages import require_channel
from minato.auth.request.context import Delivery, RequestContext, Transaction
from minato.auth.rows import factors
from minato.auth.rows.factors import Factor
from minato.auth.rows.users import User
from minato.auth.wire.errors import AuthError
from minato.sms.sender import NoSmsProvider, SmsError, TextMessage


@dataclass
class ChallengeFactorParams:
    channel: str = ""


async def send_code(tx: Transaction, user: User, factor: Factor, challenge_id: UUID) -> str:
    """Text a fresh code to the factor's number once its challenge is committed; the code."""
    channel = require_channel(tx, tx.params(ChallengeFactorParams).channel)
    frequency = tx.settings.mfa_phone_max_frequency
    if seconds_apart(tx, frequency) > 0:
        await take_turn(tx, factor.id)
        factor = await factors.find(tx.db, user.id, factor.id) or factor
    refuse_too_soon(tx, factor.last_challenged_at, frequency, "over_sms_send_rate_limit")
    otp = tx.backend.codes.new(factor.phone or "", tx.settings.mfa_phone_otp_length)
    take_back = partial(factors.take_back_challenge, challenge_id=challenge_id, factor=factor)
    tx.deliveries.append(Delivery(await _sender(tx, user, factor.phone or "", otp, channel), take_back))
    return otp


async def _sender(
    tx: Transaction, user: User, phone: str, otp: str, channel: str
) -> Callable[[RequestContext], Awaitable[None]]:
    if tx.settings.hook("send_sms") is not None:
        told = {"user": await tx.user_json(user), "sms": {"otp": otp, "sms_type": "mfa", "phone": phone}}
        return partial(_send_by_hook, told=told)
    text = fill(tx.settings.mfa_phone_template, {"Code": otp})
    return partial(_send, message=TextMessage(phone, text, "mfa", otp, channel))


async def _send_by_hook(context: RequestContext, told: Mapping[str, object]) -> None:
    try:
        await send_by_hook(context, "send_sms", told)
    except AuthError as error:
        raise AuthError(500, "unexpected_failure", "error invoking hook") from error


async def _send(context: RequestContext, message: TextMessage) -> None:
    try:
        await context.services.backend.sms.send(message)
    except NoSmsProvider as error:
        raise AuthError(500, "unexpected_failure", "Failed to get SMS provider") from error
    except SmsError as error:
        raise AuthError(500, "unexpected_failure", "error sending message") from error
