"""Settings of the storage room: where files live and how large they may be."""

from __future__ import annotations

from pydantic_settings import SettingsConfigDict

from api.config.base import RoomSettings


class StorageSettings(RoomSettings):
    """`STORAGE_*`."""

    model_config = SettingsConfigDict(env_prefix="STORAGE_", env_file=".env", extra="ignore", frozen=True)
