"""What a server may have in all, parted among its workers where each counts for itself."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TypeVar

from pydantic import BaseModel

from minato.config import Settings

CONNECTIONS = ("max_connections", "max_connections_per_address")
REALTIME = (
    *("max_concurrent_users", "max_sockets_per_address", "max_channels_per_user"),
    *("max_joins_per_second", "max_events_per_second", "max_presence_events_per_second"),
)
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
    )


def _parted(model: M, names: tuple[str, ...], count: int) -> M:
    whole = {name: getattr(model, name) for name in names}
    return model.model_copy(update={name: math.ceil(n / count) for name, n in whole.items() if n is not None})
