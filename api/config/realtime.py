"""Settings of the realtime room: Realtime's limits."""

from __future__ import annotations

from pydantic_settings import SettingsConfigDict

from api.config.base import RoomSettings


class RealtimeSettings(RoomSettings):
    """`REALTIME_*`."""

    model_config = SettingsConfigDict(env_prefix="REALTIME_", env_file=".env", extra="ignore", frozen=True)
