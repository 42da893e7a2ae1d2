"""What is sent by text message: makes the one-time code, notes it on the account, and sends it after the commit."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial

from minato.auth.hooks.points import send_by_hook
from minato.auth.messages import deliveries
from minato.auth.messages.limits import require_interval
from minato.auth.messages.mail_templates import fill
from minato.auth.request.context import RequestContext, Transaction
from minato.auth.request.data import RequestData
from minato.auth.rows import one_time_tokens, users
from minato.auth.rows.one_time_tokens import NewToken, token_hash
from minato.auth.rows.users import User
from minato.auth.wire.errors import AuthError, invalid
from minato.sms.sender import NoSmsProvider, SmsError, TextMessage

INVALID_CHANNEL = (
    "Invalid channel, supported values are 'sms' or 'whatsapp'. "
    "'whatsapp' is only supported if Twilio or Twilio Verify is used as the provider."
)
TEST_MESSAGE = "test-otp"


@dataclass(frozen=True)
class Kind:
    """One kind of text message. `column` is where its token goes, `label` what an error calls it."""

    label: str
    column: str
    sent_at: str


CONFIRMATION = Kind("confirmation", "confirmation_token", "confirmation_sent_at")
PHONE_CHANGE = Kind("phone_change", "phone_change_token", "phone_change_sent_at")
REAUTHENTICATION = Kind("reauthentication", "reauthentication_token", "reauthentication_sent_at")


def require_channel(data: RequestData, channel: str) -> str:
    """The channel asked for, sms when none was."""
    chosen = channel or "sms"
    if data.settings.hook("send_sms") is not None:
        return chosen
    if chosen == "sms" or (chosen == "whatsapp" and data.settings.sms_provider == "twilio"):
        return chosen
    raise invalid(INVALID_CHANNEL)


async def send(
    tx: Transaction, user: User, kind: Kind, phone: str, channel: str = "sms", before: User | None = None
) -> tuple[User, str]:
    """Text a fresh code of `kind` to `phone`: the account, and the message's id, which only test numbers have.

    `before` is the account as it was when the request came, if that changed something else already.
    """
    frequency = tx.settings.sms_max_frequency
    await require_interval(tx, user, kind.sent_at, frequency, "over_sms_send_rate_limit")
    test_otp = tx.settings.test_otp(phone, tx.now)
    if test_otp is None and not tx.settings.sms_autoconfirm and not tx.quotas.allows_text_message():
        raise AuthError(429, "over_sms_send_rate_limit", "SMS rate limit exceeded")
    otp = test_otp or tx.backend.codes.new(phone, tx.settings.sms_otp_length)
    token = NewToken(kind.column, phone, token_hash(phone, otp, tx.backend.sealing_key), otp)
    values: dict[str, object] = {kind.column: token.hashed, kind.sent_at: tx.now}
    if kind is PHONE_CHANGE:
        values["phone_change"] = phone
    changed = users.write(tx.db, user, tx.now, **values)
    one_time_tokens.replace(tx.writer, user.id, token)
    if test_otp is not None:
        return changed, TEST_MESSAGE
    sender = await _sender(tx, kind, changed, token, channel)
    deliveries.later(tx, sender, before or user, token)
    return changed, ""


def message_body(message_id: str) -> dict[str, str]:
    """The answer that tells a message's id, if it has one."""
    return {"message_id": message_id} if message_id else {}


async def _sender(
    tx: Transaction, kind: Kind, user: User, token: NewToken, channel: str
) -> Callable[[RequestContext], Awaitable[None]]:
    if tx.settings.hook("send_sms") is not None:
        told = {"user": await tx.user_json(user), "sms": {"otp": token.otp, "phone": token.address}}
        return partial(send_by_hook, name="send_sms", told=told)
    text = fill(tx.settings.sms_template, {"Code": token.otp})
    return partial(_send_now, kind=kind, message=TextMessage(token.address, text, kind.label, token.otp, channel))


async def _send_now(context: RequestContext, kind: Kind, message: TextMessage) -> None:
    try:
        await context.services.backend.sms.send(message)
    except NoSmsProvider as error:
        raise AuthError(500, "unexpected_failure", "Unable to get SMS provider") from error
    except SmsError as error:
        reason = f"Error sending {kind.label} OTP to provider: {error}"
        raise AuthError(422, "sms_send_failed", reason) from error
