"""Which PostgreSQL the backend works on, and how many connections it takes."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import Field, SecretStr, field_validator
from pydantic_settings import SettingsConfigDict

from minato.config.base import RoomSettings, with_scheme


class DatabaseSettings(RoomSettings):
    """`DATABASE_URL` selects any PostgreSQL 15-18; without it an embedded one is started."""

    model_config = SettingsConfigDict(env_prefix="MINATO_", extra="ignore", frozen=True, populate_by_name=True)

    database_url: SecretStr | None = Field(
        None, validation_alias="DATABASE_URL", description="postgresql://… of an owner that may create roles."
    )
    authenticator_url: SecretStr | None = Field(
        None,
        validation_alias="AUTHENTICATOR_URL",
        description="How requests log in, when the owner may not give `authenticator` a password.",
    )
    direct_url: SecretStr | None = Field(
        None,
        validation_alias="DATABASE_DIRECT_URL",
        description="postgresql://… of the same database past the connection pooler that DATABASE_URL leads to. Only "
        "requests go through the pooler; docs/scaling.md says what it must be told.",
    )
    read_url: SecretStr | None = Field(
        None,
        validation_alias="DATABASE_READ_URL",
        description="postgresql://… of a streaming replica, which then takes reads of the data API; docs/scaling.md.",
    )
    replica_lag: float = Field(
        5.0, gt=0, description="Seconds the replica may be behind; while it is further, the primary takes all reads."
    )
    replica_wait: float = Field(
        0.1,
        ge=0,
        description="Seconds a read waits for the replica to have what its caller wrote before the primary takes it.",
    )
    postgres_bin: Path | None = Field(None, description="Folder with initdb and postgres for the embedded server.")
    missing_extensions: Literal["refuse", "skip"] = Field(
        "refuse",
        description="What the embedded PostgreSQL does with an extension that hosted projects have and it lacks: "
        "`skip` creates an empty one, with a warning.",
    )
    postgres_port: int = Field(0, ge=0, le=65535, description="Loopback port of the embedded server; 0: a free one.")
    pool_size: int = Field(10, ge=1, validation_alias="PGRST_DB_POOL", description="Connections that serve requests.")
    pool_timeout: float = Field(
        10.0, validation_alias="PGRST_DB_POOL_ACQUISITION_TIMEOUT", description="Seconds to wait for a free connection."
    )
    prepared_statements: bool = Field(
        True,
        validation_alias="PGRST_DB_PREPARED_STATEMENTS",
        description="Prepare statements; turn off behind a connection pooler that can't keep them. With "
        "DATABASE_DIRECT_URL they are prepared only if this says so.",
    )
    pool_max_lifetime: float = Field(
        1800.0,
        validation_alias="PGRST_DB_POOL_MAX_LIFETIME",
        description="Seconds after which a connection is replaced.",
    )
    pool_max_idletime: float = Field(
        30.0, validation_alias="PGRST_DB_POOL_MAX_IDLETIME", description="Seconds after which an unused one is closed."
    )
    reads_at_once: int | None = Field(
        None,
        ge=1,
        description="Reads of the data API that begin at once; the others wait in line, each as long as the last. "
        "Empty: two for each processor where the database runs on this machine, else no limit.",
    )
    service_pool_size: int = Field(5, ge=1, description="Connections of each service of ours (auth, storage).")
    sessions_per_caller: int | None = Field(
        None,
        ge=1,
        description="Of the connections that serve requests, how many one user, or one address without a token, may "
        "hold; empty: all but four, or half of fewer than eight.",
    )
    spool_after: float = Field(
        1.0, ge=0, description="Seconds a client may take over a large answer before the rest of it waits on disk."
    )
    spool_bytes: int = Field(
        512 * 1024 * 1024, ge=0, description="Most bytes of such answers, all together; 0: they keep their connection."
    )
    largest_row: int = Field(
        256 * 1024 * 1024, ge=1024 * 1024, description="Most bytes of a row, and so of an answer of the data API."
    )

    @field_validator("sessions_per_caller", "reads_at_once", mode="before")
    @classmethod
    def _empty_is_unset(cls, value: object) -> object:
        return None if value == "" else value

    @field_validator("database_url", "authenticator_url", "direct_url", "read_url")
    @classmethod
    def _is_postgresql(cls, value: SecretStr | None) -> SecretStr | None:
        return with_scheme(value, "postgresql", "postgres")
