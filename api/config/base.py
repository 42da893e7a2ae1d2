"""How settings are read: the environment first, then `.env`; unknown names in `.env` are left to other tools."""

from __future__ import annotations

from pydantic_settings import BaseSettings, SettingsConfigDict


class RoomSettings(BaseSettings):
    """Base of every room's settings; a room adds its `env_prefix`."""

    model_config = SettingsConfigDict(env_file=".env", extra="ignore", frozen=True)
