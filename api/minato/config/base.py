"""How settings are read: the environment first, then `.env`; unknown names in `.env` are left to other tools."""

from __future__ import annotations

from typing import Any

from pydantic import ValidationInfo, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict


class RoomSettings(BaseSettings):
    """Base of every room's settings; a room adds its `env_prefix`."""

    model_config = SettingsConfigDict(env_file=".env", extra="ignore", frozen=True)

    @field_validator("*", mode="before")
    @classmethod
    def _empty_is_not_set(cls, value: Any, info: ValidationInfo) -> Any:
        """`NAME=`, as .env.example shows a setting without a default of its own."""
        if value != "" or info.field_name is None:
            return value
        field = cls.model_fields[info.field_name]
        if field.default_factory_takes_validated_data:
            return field.get_default(call_default_factory=True, validated_data=info.data)
        return None if field.default is None else value
