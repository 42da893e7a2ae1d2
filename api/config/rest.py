"""Settings of the rest room: what PostgREST reads, under the names it gives them."""

from __future__ import annotations

from functools import cached_property
from typing import Literal

from pydantic import Field, field_validator
from pydantic_settings import SettingsConfigDict

from api.config.base import RoomSettings


class RestSettings(RoomSettings):
    """`PGRST_*`. Lists are comma-separated; the empty string is "not set". Sizes are bytes, skew is seconds."""

    model_config = SettingsConfigDict(env_prefix="PGRST_", env_file=".env", extra="ignore", frozen=True)

    db_schemas: str = Field(
        "public,graphql_public", description="Exposed schemas, comma-separated; the first is the default."
    )
    db_anon_role: str | None = Field(
        "anon", description="Role of requests without a token; empty: such requests are refused."
    )
    db_extra_search_path: str = Field(
        "public,extensions", description="Schemas that are searched after the exposed one."
    )
    db_max_rows: int | None = Field(1000, description="Most rows of one answer; empty: no limit.")
    db_aggregates_enabled: bool = Field(False, description="Allow avg(), count(), max(), min() and sum() in `select`.")
    db_plan_enabled: bool = Field(
        False, description="Answer `Accept: application/vnd.pgrst.plan` with execution plans."
    )
    db_pre_request: str | None = Field(None, description="Function that runs at the start of every transaction.")
    db_config: bool = Field(True, description="Let `ALTER ROLE authenticator SET pgrst.…` overrule these settings.")
    db_channel: str = Field("pgrst", description="Channel of `NOTIFY pgrst` for reloads of schema and configuration.")
    db_hoisted_tx_settings: str = Field(
        "statement_timeout,plan_filter.statement_cost_limit,default_transaction_isolation",
        description="Settings of functions that hold for the whole transaction.",
    )
    db_tx_end: Literal["commit", "commit-allow-override", "rollback", "rollback-allow-override"] = Field(
        "commit", description="How transactions end, and whether `Prefer: tx=…` may say otherwise."
    )
    db_pool_acquisition_timeout: float = Field(10.0, description="Seconds to wait for a free connection before 504.")
    jwt_aud: str | None = Field(None, description="Audience that tokens must name; empty: any.")
    jwt_role_claim_key: str = Field("$.role", description="JSON path of the role in the claims.")
    client_error_verbosity: Literal["verbose", "minimal"] = Field(
        "verbose", description="`minimal` leaves out details and hint of errors."
    )
    server_timing_enabled: bool = Field(False, description="Send `Server-Timing` with the milliseconds of each stage.")
    db_root_spec: str | None = Field(None, description="Function that answers requests for the root; empty: OpenAPI.")
    openapi_mode: Literal["follow-privileges", "ignore-privileges", "disabled"] = Field(
        "follow-privileges", description="What the root document shows: what the role may use, everything, or nothing."
    )
    openapi_security_active: bool = Field(False, description="Describe the token in the root document.")
    openapi_server_proxy_uri: str | None = Field(
        None, description="Address of the data API in the root document; empty: the public URL."
    )
    body_limit: int = Field(64 * 1024 * 1024, description="Most bytes of a request body.")

    @field_validator(
        "db_anon_role",
        "db_max_rows",
        "db_pre_request",
        "db_root_spec",
        "jwt_aud",
        "openapi_server_proxy_uri",
        mode="before",
    )
    @classmethod
    def _empty_is_unset(cls, value: object) -> object:
        return None if value == "" else value

    @cached_property
    def schemas(self) -> tuple[str, ...]:
        """The exposed schemas, the default one first."""
        return _names(self.db_schemas)

    @cached_property
    def extra_search_path(self) -> tuple[str, ...]:
        return _names(self.db_extra_search_path)

    @cached_property
    def hoisted_settings(self) -> frozenset[str]:
        return frozenset(_names(self.db_hoisted_tx_settings))

    @cached_property
    def role_claim_path(self) -> tuple[str, ...]:
        """The keys that lead to the role in the claims, from `$.a.b` or the older `.a.b`."""
        return tuple(key.strip('"') for key in self.jwt_role_claim_key.removeprefix("$").split(".") if key)

    @property
    def allows_tx_override(self) -> bool:
        return self.db_tx_end.endswith("-allow-override")

    @property
    def rolls_back(self) -> bool:
        return self.db_tx_end.startswith("rollback")


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(",") if name.strip())
