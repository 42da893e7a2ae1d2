"""The code that proves a phone as second factor."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from uuid import UUID

from sqlalchemy import RowMapping
from sqlalchemy.ext.asyncio import AsyncConnection

from api.auth import factors
from api.auth.call import Call
from api.auth.deliveries import Delivery
from api.auth.errors import AuthError
from api.auth.frequency import require_interval
from api.auth.mail_templates import fill
from api.auth.text_messages import require_channel
from api.sms.errors import NoSmsProvider, SmsError
from api.sms.text_message import TextMessage


@dataclass
class ChallengeFactorParams:
    channel: str = ""


def send_code(call: Call, factor: RowMapping, challenge_id: UUID) -> str:
    """Text a fresh code to the factor's number once its challenge is committed; the code."""
    channel = require_channel(call, call.params(ChallengeFactorParams).channel)
    frequency = call.settings.mfa_phone_max_frequency
    require_interval(call, factor["last_challenged_at"], frequency, "over_sms_send_rate_limit")
    otp = call.backend.entropy.digits(call.settings.mfa_phone_otp_length)
    text = fill(call.settings.mfa_phone_template, {"Code": otp})
    message = TextMessage(factor["phone"], text, "mfa", otp, channel)

    async def take_back(db: AsyncConnection) -> None:
        await factors.take_back_challenge(db, challenge_id, factor)

    call.deliveries.append(Delivery(partial(_send, call, message), take_back))
    return otp


async def _send(call: Call, message: TextMessage) -> None:
    try:
        await call.backend.sms.send(message)
    except NoSmsProvider as error:
        raise AuthError(500, "unexpected_failure", "Failed to get SMS provider") from error
    except SmsError as error:
        raise AuthError(500, "unexpected_failure", "error sending message") from error
