"""Connections of clients: how many there may be, and how slow."""

from __future__ import annotations

from pydantic import Field, field_validator
from pydantic_settings import SettingsConfigDict

from minato.config.base import RoomSettings


class ConnectionSettings(RoomSettings):
    """`MINATO_*`, for whoever connects. Times are seconds."""

    model_config = SettingsConfigDict(env_prefix="MINATO_", extra="ignore", frozen=True)

    header_timeout: float = Field(
        10.0, gt=0, description="Seconds a client has for the headers of a request, once it began."
    )
    body_timeout: float = Field(
        30.0, gt=0, description="Seconds a body may come slower than the slowest transfer before the client is cut off."
    )
    reader_timeout: float = Field(
        10.0, gt=0, description="Seconds an answer may be taken slower than that before the client is cut off."
    )
    socket_reader_timeout: float = Field(
        30.0, gt=0, description="The same for a websocket, whose client may be in a tunnel."
    )
    slowest_transfer: int = Field(
        512, ge=1, description="Bytes per second below which a client counts as one that stands still."
    )
    keep_alive_timeout: int = Field(
        75,
        ge=1,
        description="Seconds a connection may wait for a request; longer than a proxy in front or a client "
        "keeps it, or some of their requests meet a connection that is being closed.",
    )
    max_connections: int | None = Field(
        None,
        ge=1,
        description="Open connections, websockets included; empty: what the descriptor limit leaves room for.",
    )
    max_connections_per_address: int | None = Field(
        None, ge=1, description="Those of one address that is no trusted proxy; empty: half of all."
    )

    @field_validator("max_connections", "max_connections_per_address", mode="before")
    @classmethod
    def _empty_is_unset(cls, value: object) -> object:
        return None if value == "" else value
