"""One text message, as the room that sends it sees it, and why it could not be handed over."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class TextMessage:
    """`to` is a number without its plus sign; `type` says what `token` is for, `channel` is sms or whatsapp."""

    to: str
    text: str
    type: str
    token: str
    channel: str = "sms"

    def as_json(self) -> dict[str, object]:
        """The message as `/_dev/sms` gives it."""
        return {"to": self.to, "type": self.type, "text": self.text, "token": self.token, "channel": self.channel}


class SmsError(Exception):
    """The provider refused, or could not be reached; the text is its own."""


class NoSmsProvider(SmsError):
    """Nobody is configured who could send it."""
