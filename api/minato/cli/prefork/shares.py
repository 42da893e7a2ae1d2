"""What a server may have in all, parted among its workers where each counts for itself."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TypeVar

from pydantic import BaseModel

from minato.auth.request.rate_limits import MESSAGES_AN_HOUR
from minato.config import Settings
from minato.config.auth import AuthSettings

CONNECTIONS = ("max_connections", "max_connections_per_address")
REALTIME = (
    *("max_concurrent_users", "max_sockets_per_address", "max_channels_per_user"),
    *("max_joins_per_second", "max_events_per_second", "max_presence_events_per_second"),
)
MESSAGES = ("rate_limit_email_sent", "rate_limit_sms_sent")
M = TypeVar("M", bound=BaseModel)
MEMORY = {"database": ("spool_bytes",), "storage": ("image_cache_bytes", "image_workers")}


def share_of(settings: Settings, count: int) -> Settings:
    """The settings of one of `count` workers: limits of what is open at once, rates, and memory. 0 stays no limit."""
    return replace(
        settings,
        connections=_parted(settings.connections, CONNECTIONS, count),
        realtime=_parted(settings.realtime, REALTIME, count),
        database=_parted(settings.database, MEMORY["database"], count),
        storage=_parted(settings.storage, MEMORY["storage"], count),
        auth=_with_rates(settings.auth, settings.server.environment == "production", count),
    )


def _with_rates(auth: AuthSettings, production: bool, count: int) -> AuthSettings:
    """The messages that may leave in a while; in development those of which nothing is said are without a limit."""
    unset = MESSAGES_AN_HOUR if production else None
    whole = {name: getattr(auth, name) or unset for name in MESSAGES}
    parted = {name: rate_share(rate, count) for name, rate in whole.items() if rate is not None}
    return auth.model_copy(update=parted)


def rate_share(text: str, count: int) -> str:
    """One of `count` parts of a number an hour, or of `<events>/<duration>`.

    >>> rate_share("30", 4), rate_share("5/10s", 2), rate_share("0", 2)
    ('8', '3/10s', '0')
    """
    events, slash, duration = text.partition("/")
    return f"{math.ceil(float(events) / count)}{slash}{duration}"


def _parted(model: M, names: tuple[str, ...], count: int) -> M:
    whole = {name: getattr(model, name) for name in names}
    return model.model_copy(update={name: math.ceil(n / count) for name, n in whole.items() if n is not None})
