"""Settings of the rest room: what PostgREST reads."""

from __future__ import annotations

from pydantic_settings import SettingsConfigDict

from api.config.base import RoomSettings


class RestSettings(RoomSettings):
    """`PGRST_*`."""

    model_config = SettingsConfigDict(env_prefix="PGRST_", env_file=".env", extra="ignore", frozen=True)
