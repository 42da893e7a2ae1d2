"""Why a text message could not be handed over."""

from __future__ import annotations


class SmsError(Exception):
    """The provider refused, or could not be reached; the text is its own."""


class NoSmsProvider(SmsError):
    """Nobody is configured who could send it."""
