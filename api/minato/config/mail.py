"""Where mail goes: an SMTP server, or the outbox when none is configured."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, SecretStr
from pydantic_settings import SettingsConfigDict

from minato.config.base import RoomSettings


class MailSettings(RoomSettings):
    """`SMTP_*`."""

    model_config = SettingsConfigDict(env_prefix="SMTP_", extra="ignore", frozen=True)

    host: str | None = Field(None, description="SMTP server; without it mail stays in the outbox.")
    port: int = Field(587, description="SMTP port.")
    user: str | None = Field(None, description="SMTP user name.")
    password: SecretStr | None = Field(None, description="SMTP password.")
    security: Literal["starttls", "tls", "none"] = Field("starttls", description="How the connection is protected.")
    sender_email: str = Field("no-reply@minato.example", description="From address.")
    sender_name: str = Field("Minato", description="From name.")
    timeout: float = Field(10.0, description="Seconds until a delivery is given up.")
    outbox_size: int = Field(1000, ge=1, description="Messages the development outbox keeps.")
