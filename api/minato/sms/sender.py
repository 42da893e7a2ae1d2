"""A text message, and how it leaves: by the configured provider, or into the outbox while developing.

Providers send for money, each by one HTTP call: Twilio and what speaks like it, and three more.
"""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from minato.config.auth_sms import SmsSettings
from minato.http.outgoing import Outgoing, OutgoingError
from minato.json_text import JsonObject
from minato.mail.outbox import Outbox

TIMEOUT = 10.0
TEMPLATE_ERROR = 80
_NUMBER = re.compile(r"\+?[1-9][0-9]{1,14}")


@dataclass(frozen=True)
class TextMessage:
    """`to` is a number without its plus sign; `type` says what `token` is for, `channel` is sms or whatsapp."""

    to: str
    text: str = field(repr=False)
    type: str
    token: str = field(repr=False)
    channel: str = "sms"

    def as_json(self) -> dict[str, object]:
        """The message as `/_dev/sms` gives it."""
        return {"to": self.to, "type": self.type, "text": self.text, "token": self.token, "channel": self.channel}


class SmsError(Exception):
    """The provider refused, or could not be reached; the text is its own."""


class NoSmsProvider(SmsError):
    """Nobody is configured who could send it."""


async def send_by_twilio(outgoing: Outgoing, settings: SmsSettings, message: TextMessage) -> None:
    """Twilio's Messages resource, version 2010-04-01."""
    account = settings.sms_twilio_account_sid
    secret = settings.sms_twilio_auth_token.get_secret_value()
    url = f"{settings.sms_twilio_api_url.rstrip('/')}/2010-04-01/Accounts/{account}/Messages.json"
    status, reply = await _post(outgoing, url, _twilio_form(settings, message), auth=(account, secret))
    if status not in (200, 201):
        raise SmsError(f"{reply.get('message', '')} More information: {reply.get('more_info', '')}")
    if reply.get("status") in ("failed", "undelivered"):
        why = f"{reply.get('error_message') or ''} {reply.get('error_code') or ''}"
        raise SmsError(f"twilio error: {why} for message {reply.get('sid', '')}")


def _twilio_form(settings: SmsSettings, message: TextMessage) -> dict[str, str]:
    sender, receiver = settings.sms_twilio_message_service_sid, f"+{message.to}"
    if message.channel != "whatsapp":
        return {"To": receiver, "Channel": message.channel, "From": sender, "Body": message.text}
    if _NUMBER.fullmatch(sender.replace(" ", "")):
        sender = f"whatsapp:{sender}"
    form = {"To": f"whatsapp:{receiver}", "Channel": "whatsapp", "From": sender}
    if settings.sms_twilio_content_sid:
        variables = json.dumps({"1": message.token})
        return {**form, "ContentSid": settings.sms_twilio_content_sid, "ContentVariables": variables}
    return {**form, "Body": message.text}


async def send_by_messagebird(outgoing: Outgoing, settings: SmsSettings, message: TextMessage) -> None:
    """MessageBird's messages resource."""
    form = {"originator": settings.sms_messagebird_originator, "body": message.text, "recipients": message.to}
    form |= {"type": "sms", "datacoding": "unicode"}
    key = settings.sms_messagebird_access_key.get_secret_value()
    url = f"{settings.sms_messagebird_api_url.rstrip('/')}/messages"
    status, reply = await _post(outgoing, url, form, {"authorization": f"AccessKey {key}"})
    if status in (400, 401, 403, 422):
        raise SmsError(_first(reply, "errors").get("description", ""))
    if not (reply.get("recipients") or {}).get("totalSentCount"):
        raise SmsError("messagebird error: total sent count is 0")


async def send_by_textlocal(outgoing: Outgoing, settings: SmsSettings, message: TextMessage) -> None:
    """Textlocal's send resource."""
    form = {"sender": settings.sms_textlocal_sender, "apikey": settings.sms_textlocal_api_key.get_secret_value()}
    form |= {"message": message.text, "numbers": message.to}
    _, reply = await _post(outgoing, f"{settings.sms_textlocal_api_url.rstrip('/')}/send", form)
    if reply.get("status") != "success":
        error = _first(reply, "errors")
        why = f"textlocal error: {error.get('message', '')} (code: {error.get('code', 0)})"
        sent = _first(reply, "messages").get("id", "")
        # A text that matches no registered template is the operator's to correct: GoTrue shows it, and so do we.
        shown = f"template message: {message.text}" if error.get("code") == TEMPLATE_ERROR else f"message {sent}"
        raise SmsError(f"{why} {shown}")


async def send_by_vonage(outgoing: Outgoing, settings: SmsSettings, message: TextMessage) -> None:
    """Vonage's SMS resource."""
    form = {"from": settings.sms_vonage_from, "to": message.to, "text": message.text}
    form |= {"api_key": settings.sms_vonage_api_key, "api_secret": settings.sms_vonage_api_secret.get_secret_value()}
    if not message.text.isascii():
        form["type"] = "unicode"
    _, reply = await _post(outgoing, f"{settings.sms_vonage_api_url.rstrip('/')}/sms/json", form)
    answer = _first(reply, "messages")
    if not answer:
        raise SmsError("vonage error: Internal Error")
    if answer.get("status") != "0":
        status, sent = answer.get("status", ""), answer.get("message-id", "")
        raise SmsError(f"vonage error: {answer.get('error-text', '')} (status: {status}) for message {sent}")


Send = Callable[[Outgoing, SmsSettings, TextMessage], Awaitable[None]]
PROVIDERS: Mapping[str, Send] = {
    "twilio": send_by_twilio,
    "messagebird": send_by_messagebird,
    "textlocal": send_by_textlocal,
    "vonage": send_by_vonage,
}


async def _post(
    outgoing: Outgoing,
    url: str,
    form: Mapping[str, str],
    headers: Mapping[str, str] | None = None,
    auth: tuple[str, str] | None = None,
) -> tuple[int, JsonObject]:
    try:
        reply = await outgoing.post(url, form=form, headers=headers or {}, auth=auth, seconds=TIMEOUT)
        document = json.loads(reply.body)
    except (OutgoingError, ValueError) as error:
        raise SmsError(str(error)) from error
    return reply.status, document if isinstance(document, dict) else {}


def _first(reply: Mapping[str, object], name: str) -> dict[str, object]:
    items = reply.get(name)
    return items[0] if isinstance(items, list) and items and isinstance(items[0], dict) else {}


class SmsSender(Protocol):
    """Anything that takes a text message."""

    async def send(self, message: TextMessage) -> None:
        """Hand `message` over. Raises SmsError."""
        ...


class OutboxSender:
    """Keeps every message where the developer can read it."""

    def __init__(self, outbox: Outbox[TextMessage]) -> None:
        self._outbox = outbox

    async def send(self, message: TextMessage) -> None:
        self._outbox.add(message)


class ProviderSender:
    """Sends through the configured provider."""

    def __init__(self, settings: SmsSettings, outgoing: Outgoing) -> None:
        self._settings = settings
        self._outgoing = outgoing

    async def send(self, message: TextMessage) -> None:
        if self._settings.sms_provider is None:
            raise NoSmsProvider("no provider is configured")
        await PROVIDERS[self._settings.sms_provider](self._outgoing, self._settings, message)


def create_sms_sender(
    settings: SmsSettings, outbox: Outbox[TextMessage], outgoing: Outgoing, development: bool
) -> SmsSender:
    """The sender these settings ask for."""
    if settings.sms_provider is None and development:
        return OutboxSender(outbox)
    return ProviderSender(settings, outgoing)
