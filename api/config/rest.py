"""Settings of the rest room: what PostgREST reads, under the names it gives them."""

from __future__ import annotations

from functools import cached_property
from typing import Literal

from pydantic import field_validator
from pydantic_settings import SettingsConfigDict

from api.config.base import RoomSettings


class RestSettings(RoomSettings):
    """`PGRST_*`. Lists are comma-separated; the empty string is "not set". Sizes are bytes, skew is seconds."""

    model_config = SettingsConfigDict(env_prefix="PGRST_", env_file=".env", extra="ignore", frozen=True)

    db_schemas: str = "public,graphql_public"
    db_anon_role: str | None = "anon"
    db_extra_search_path: str = "public,extensions"
    db_max_rows: int | None = 1000
    db_aggregates_enabled: bool = False
    db_plan_enabled: bool = False
    db_pre_request: str | None = None
    db_channel: str = "pgrst"
    db_hoisted_tx_settings: str = "statement_timeout,plan_filter.statement_cost_limit,default_transaction_isolation"
    db_tx_end: Literal["commit", "commit-allow-override", "rollback", "rollback-allow-override"] = "commit"
    db_pool_acquisition_timeout: float = 10.0
    jwt_aud: str | None = None
    jwt_role_claim_key: str = "$.role"
    client_error_verbosity: Literal["verbose", "minimal"] = "verbose"
    server_timing_enabled: bool = False
    body_limit: int = 64 * 1024 * 1024

    @field_validator("db_anon_role", "db_max_rows", "db_pre_request", "jwt_aud", mode="before")
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
