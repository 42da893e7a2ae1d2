"""Settings of the realtime room: Realtime's limits and where row changes come from."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, SecretStr, field_validator
from pydantic_settings import SettingsConfigDict

from minato.config.base import RoomSettings, with_scheme


class RealtimeSettings(RoomSettings):
    """`REALTIME_*`. A rate of 0 means no limit."""

    model_config = SettingsConfigDict(env_prefix="REALTIME_", extra="ignore", frozen=True, populate_by_name=True)

    publication: str = Field("supabase_realtime", description="Whose tables' changes subscribers may follow.")
    messages_publication: str = Field(
        "supabase_realtime_messages_publication", description="Publication of realtime.messages: broadcasts from SQL."
    )
    change_feed: Literal["logical", "triggers"] | None = Field(
        None,
        description="Where row changes come from: logical decoding, or triggers that NOTIFY. "
        "Unset: triggers only where the database can't decode.",
    )
    fanout: Literal["process", "postgres", "redis"] | None = Field(
        None,
        description="How broadcasts and presence reach other processes: not at all, by NOTIFY, or by Redis. "
        "Unset: by Redis if there is a REDIS_URL.",
    )
    redis_url: SecretStr | None = Field(
        None, validation_alias="REDIS_URL", description="redis://… shared by the processes of several machines."
    )
    redis_channel: str = Field("minato:realtime", description="Keeps installations that share a Redis apart.")
    fanout_backlog: int = Field(10_000, ge=1, description="Messages waiting for the way to other processes.")
    presence_beat: float = Field(5.0, gt=0, description="Seconds between signs of life among processes.")
    private_only: bool = Field(False, description="Refuse public channels.")
    max_concurrent_users: int = Field(10_000, ge=1, description="Open sockets.")
    max_sockets_per_address: int = Field(6_000, ge=1, description="Those of one client address.")
    account_check_interval: float = Field(
        10.0,
        ge=0,
        description="Seconds between looks whether accounts with open channels were deleted or banned; 0: never, as in "
        "Supabase, where a channel stays until its token expires.",
    )
    max_channels_per_client: int = Field(100, ge=1, description="Topics joined on one socket.")
    max_channels_per_user: int = Field(
        6_000, ge=1, description="Topics joined by one user, or without a token by one address, on all sockets."
    )
    max_joins_per_second: int = Field(0, ge=0, description="Joins per second over all sockets, 0: no limit.")
    max_events_per_second: int = Field(0, ge=0, description="Broadcasts per second over all sockets, 0: no limit.")
    max_presence_events_per_second: int = Field(1000, ge=0, description="Tracks per second over all sockets.")
    max_client_presence_events: int = Field(
        5, ge=0, description="Presence calls of one channel per window, 0: no limit."
    )
    client_presence_window: float = Field(30.0, gt=0, description="Seconds of that window.")
    max_payload_bytes: int = Field(3_000_500, ge=1, description="One broadcast or presence payload.")
    max_body_bytes: int = Field(8_000_000, ge=1, description="The body of a batch broadcast over HTTP.")
    max_frame_bytes: int = Field(5_000_000, ge=1, description="One incoming frame; over it the socket is closed.")
    max_record_bytes: int = Field(1_048_576, ge=1, description="One row change; over it long values are left out.")
    idle_timeout: float = Field(60.0, gt=0, description="Seconds without a frame of the client before it is closed.")
    joinless_timeout: float = Field(600.0, gt=0, description="Seconds a socket may stay without a joined topic.")
    send_queue_frames: int = Field(2_000, ge=1, description="Frames waiting for one slow client before it is closed.")
    send_queue_bytes: int = Field(16_000_000, ge=1, description="Bytes waiting for one slow client, likewise.")
    token_check_interval: float = Field(300.0, gt=0, description="Seconds between looks at a channel's token.")
    check_timeout: float = Field(5.0, gt=0, description="Seconds one policy check in the database may take.")
    feed_batch: int = Field(500, ge=1, description="Row changes checked together.")
    feed_backlog: int = Field(10_000, ge=1, description="Row changes waiting before the stream is paused.")
    feed_retry_max: float = Field(
        10.0, gt=0, description="Longest pause in seconds between attempts to follow changes."
    )

    @field_validator("redis_url")
    @classmethod
    def _is_redis(cls, value: SecretStr | None) -> SecretStr | None:
        return with_scheme(value, "redis", "rediss", "unix")
