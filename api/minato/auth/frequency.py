"""How soon the same account may be sent the same kind of message again."""

from __future__ import annotations

from datetime import datetime
from math import ceil

from minato.auth.call import Call
from minato.auth.errors import AuthError

DEFAULT_FREQUENCY = 60.0


def require_interval(call: Call, sent_at: datetime | None, frequency: float | None, code: str) -> None:
    """Refuses with 429 `code` what comes sooner than `frequency` seconds after `sent_at`."""
    if frequency is None:
        frequency = 0 if call.backend.development else DEFAULT_FREQUENCY
    passed = (call.now - sent_at).total_seconds() if sent_at else frequency
    if passed < frequency:
        seconds = ceil(frequency - passed)
        message = f"For security purposes, you can only request this after {seconds} seconds."
        raise AuthError(429, code, message, retry_after=seconds)
