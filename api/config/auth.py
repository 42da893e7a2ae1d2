"""Settings of the auth room: what GoTrue reads."""

from __future__ import annotations

from pydantic_settings import SettingsConfigDict

from api.config.base import RoomSettings


class AuthSettings(RoomSettings):
    """`GOTRUE_*`."""

    model_config = SettingsConfigDict(env_prefix="GOTRUE_", env_file=".env", extra="ignore", frozen=True)
