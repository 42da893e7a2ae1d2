"""Settings of the rest room: what PostgREST reads, under the names it gives them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from typing import Any, Literal

from pydantic import Field, SecretStr, field_validator
from pydantic_settings import BaseSettings, EnvSettingsSource, PydanticBaseSettingsSource, SettingsConfigDict

from minato.config.base import RoomSettings
from minato.config.claim_path import Step, parse_claim_path

APP_SETTINGS = "pgrst_app_settings_"
URI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[A-Za-z0-9._~:/?#\[\]@!$&'()*+,;=%-]*")
WEB_ADDRESS = re.compile(r"https?://[^\s/?#]+(/[^\s?#]*)?", re.IGNORECASE)


class RestSettings(RoomSettings):
    """`PGRST_*`. Lists are comma-separated; the empty string is "not set". Sizes are bytes, skew is seconds."""

    model_config = SettingsConfigDict(env_prefix="PGRST_", extra="ignore", frozen=True)

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
    max_embeds: int | None = Field(
        100, description="Most relations one request may embed; empty: no limit, as in PostgREST."
    )
    max_embed_depth: int | None = Field(
        10, description="How deep they may be nested; empty: 40 levels, the deepest that is read."
    )
    db_planned_count: Literal["policy", "planner"] = Field(
        "policy",
        description="What `count=planned` tells. policy: the rows the caller may see, counted up to db_max_rows and "
        "estimated beyond; planner: always PostgreSQL's estimate, as in PostgREST, in which hidden rows count.",
    )
    db_aggregates_enabled: bool = Field(False, description="Allow avg(), count(), max(), min() and sum() in `select`.")
    db_plan_enabled: bool = Field(
        False, description="Answer `Accept: application/vnd.pgrst.plan` with execution plans."
    )
    db_pre_request: str | None = Field(None, description="Function that runs at the start of every transaction.")
    db_config: bool = Field(True, description="Let `ALTER ROLE authenticator SET pgrst.…` overrule these settings.")
    db_channel: str = Field("pgrst", description="Channel of `NOTIFY pgrst` for reloads of schema and configuration.")
    db_channel_enabled: bool = Field(True, description="Listen on that channel.")
    db_pre_config: str | None = Field(
        None, description="Function that sets `pgrst.…` settings when the configuration is loaded."
    )
    db_hoisted_tx_settings: str = Field(
        "statement_timeout,plan_filter.statement_cost_limit,default_transaction_isolation",
        description="Settings of functions that hold for the whole transaction.",
    )
    db_tx_end: Literal["commit", "commit-allow-override", "rollback", "rollback-allow-override"] = Field(
        "commit", description="How transactions end, and whether `Prefer: tx=…` may say otherwise."
    )
    db_pool_acquisition_timeout: float = Field(10.0, description="Seconds to wait for a free connection before 504.")
    jwt_secret: SecretStr | None = Field(
        None,
        description="Secret, JWK, JWK set or `@file` to verify tokens of the data API with; empty: the server's keys.",
    )
    jwt_secret_is_base64: bool = Field(False, description="That secret is written in base64.")
    jwt_cache_max_entries: int = Field(1000, description="Verified tokens to remember; 0: none.")
    jwt_aud: str | None = Field(None, description="Audience that tokens must name; empty: any.")
    jwt_role_claim_key: str = Field("$.role", description="JSON path of the role in the claims.")
    client_error_verbosity: Literal["verbose", "minimal"] = Field(
        "verbose", description="`minimal` leaves out details and hint of errors."
    )
    server_timing_enabled: bool = Field(False, description="Send `Server-Timing` with the milliseconds of each stage.")
    server_trace_header: str | None = Field(None, description="Header of requests that answers repeat.")
    server_cors_allowed_origins: str = Field(
        "", description="Origins that may call a data API served alone, comma-separated; empty: all."
    )
    url_use_legacy_target_names: bool = Field(
        True, description="Let filters name an embed that has an alias by its table; answers then carry a `Warning`."
    )
    app_settings: Mapping[str, str] = Field(
        default_factory=dict,
        description="`app.settings.…` for SQL; `PGRST_APP_SETTINGS_NAME=value` sets one of them.",
    )
    db_root_spec: str | None = Field(None, description="Function that answers requests for the root; empty: OpenAPI.")
    openapi_mode: Literal["follow-privileges", "ignore-privileges", "disabled"] = Field(
        "follow-privileges", description="What the root document shows: what the role may use, everything, or nothing."
    )
    openapi_security_active: bool = Field(False, description="Describe the token in the root document.")
    openapi_server_proxy_uri: str | None = Field(
        None, description="Address of the data API in the root document; empty: the public URL."
    )
    body_limit: int = Field(64 * 1024 * 1024, description="Most bytes of a request body.")
    body_memory: int = Field(
        512 * 1024 * 1024,
        ge=1,
        description="Most bytes of request bodies in memory at once, at least two of the largest; one caller has half.",
    )

    @field_validator(
        "db_anon_role",
        "db_max_rows",
        "max_embeds",
        "max_embed_depth",
        "db_pre_request",
        "db_root_spec",
        "db_pre_config",
        "jwt_aud",
        "jwt_secret",
        "server_trace_header",
        "openapi_server_proxy_uri",
        mode="before",
    )
    @classmethod
    def _empty_is_unset(cls, value: object) -> object:
        return None if value == "" else value

    @field_validator("db_schemas")
    @classmethod
    def _exposes_no_catalog(cls, value: str) -> str:
        for schema in ("pg_catalog", "information_schema"):
            if schema in _names(value):
                raise ValueError(f"db-schemas does not allow schema: '{schema}'")
        return value

    @field_validator("jwt_aud")
    @classmethod
    def _is_a_uri_if_it_has_a_colon(cls, value: str | None) -> str | None:
        if value is not None and ":" in value and not URI.fullmatch(value):
            raise ValueError("jwt-aud should be a string or a valid URI")
        return value

    @field_validator("openapi_server_proxy_uri")
    @classmethod
    def _is_an_address_of_the_web(cls, value: str | None) -> str | None:
        if value is not None and not WEB_ADDRESS.fullmatch(value):
            raise ValueError("Malformed proxy uri, a correct example: https://example.com:8443/basePath")
        return value

    @field_validator("jwt_role_claim_key")
    @classmethod
    def _leads_to_a_claim(cls, value: str) -> str:
        parse_claim_path(value)
        return value

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """The usual sources, and before them the variables that are named by their users: `PGRST_APP_SETTINGS_…`."""
        first, *others = super().settings_customise_sources(
            settings_cls, init_settings, env_settings, dotenv_settings, file_secret_settings
        )
        return first, _AppSettings(settings_cls, tuple(reversed(others))), *others

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
    def role_claim_path(self) -> tuple[Step, ...]:
        """The way to the role in the claims."""
        return parse_claim_path(self.jwt_role_claim_key)

    @cached_property
    def app_setting_pairs(self) -> tuple[tuple[str, str], ...]:
        return tuple((f"app.settings.{name}", value) for name, value in self.app_settings.items())

    @property
    def allows_tx_override(self) -> bool:
        return self.db_tx_end.endswith("-allow-override")

    @property
    def rolls_back(self) -> bool:
        return self.db_tx_end.startswith("rollback")


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(",") if name.strip())


class _AppSettings(PydanticBaseSettingsSource):
    """Variables that begin with PGRST_APP_SETTINGS_, as one mapping."""

    def __init__(self, settings_cls: type[BaseSettings], sources: tuple[PydanticBaseSettingsSource, ...]) -> None:
        super().__init__(settings_cls)
        self._sources = [source for source in sources if isinstance(source, EnvSettingsSource)]

    def get_field_value(self, field: Any, field_name: str) -> tuple[Any, str, bool]:
        return None, field_name, False

    def __call__(self) -> dict[str, Any]:
        found = {
            name.removeprefix(APP_SETTINGS): value
            for source in self._sources
            for name, value in source.env_vars.items()
            if name.startswith(APP_SETTINGS) and value is not None
        }
        return {"app_settings": found} if found else {}
