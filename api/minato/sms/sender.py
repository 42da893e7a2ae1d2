"""How a text message leaves: by the configured provider, or into the outbox while developing."""

from __future__ import annotations

from typing import Protocol

from minato.config.auth_sms import SmsSettings
from minato.http.outgoing import Outgoing
from minato.mail.outbox import Outbox
from minato.sms.providers import PROVIDERS
from minato.sms.text_message import NoSmsProvider, TextMessage


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
