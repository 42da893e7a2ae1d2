"""Bans: how long an administrator shuts an account out."""

from __future__ import annotations

from datetime import datetime

from minato.auth.durations import parse_duration
from minato.auth.errors import invalid

LIFTED = "none"


def banned_until(now: datetime, duration: str) -> datetime | None:
    """The end of a ban of `duration` (`24h`); None for `none` and no time at all, which lift it, and for no text."""
    if duration in ("", LIFTED):
        return None
    try:
        length = parse_duration(duration)
        return now + length if length else None
    except (ValueError, OverflowError) as error:
        raise invalid(f"invalid format for ban duration: {error}") from error
