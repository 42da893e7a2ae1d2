"""The server itself: where it listens, what it is called from outside, its keys."""

from __future__ import annotations

import json
import re
from functools import cached_property
from ipaddress import ip_network
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AliasChoices, Field, SecretStr, field_validator, model_validator
from pydantic_settings import NoDecode, SettingsConfigDict

from minato.config.base import ReadItems, RoomSettings
from minato.config.third_party import ANY_ROLE, why_no_issuer
from minato.places import checkout_folder

# A directive of a Content-Security-Policy and its sources, without what would end the directive or the header.
DIRECTIVE = re.compile(r"[a-z]+(-[a-z]+)+( +[!-+\--:<-~]+)+")


class ServerSettings(RoomSettings):
    """`MINATO_*`."""

    model_config = SettingsConfigDict(env_prefix="MINATO_", extra="ignore", frozen=True, populate_by_name=True)

    environment: Literal["development", "production"] = Field(
        "development",
        description="development serves /_dev and switches mail rate limits off; production refuses to start unsafe: "
        "minato doctor --production tells why.",
    )
    host: str = Field("127.0.0.1", description="Address to listen on.")
    port: int = Field(54321, ge=0, le=65535, description="Port to listen on; 0 takes a free one.")
    workers: int = Field(
        1,
        ge=1,
        le=64,
        description="Processes of minato serve that answer requests on the one port; 1: no other process.",
    )
    worker_timeout: float = Field(
        30,
        ge=0,
        le=3600,
        description="Seconds for which a worker's event loop may stand still before it is ended and replaced; 0: for "
        "ever.",
    )
    data_dir: Path = Field(Path(".minato"), description="Holds the embedded database, files and generated secrets.")
    public_url: str | None = Field(None, description="What clients call this server; default http://host:port.")
    web_root: Path | None = Field(
        default_factory=lambda _: checkout_folder("web_root"),
        description="Built web app served at /; empty for none. Without it a checkout serves what [tool.minato] in its "
        "pyproject.toml names, and a wheel none.",
    )
    project: Path | None = Field(
        default_factory=lambda _: checkout_folder("project"),
        description="Folder of the project to serve, which holds supabase/; empty for the platform alone. Without it a "
        "checkout serves what [tool.minato] in its pyproject.toml names, and a wheel the platform alone.",
    )
    users: Path | None = Field(
        None, description="The people of a developer's server, a TOML file; default users.toml of the project."
    )
    jwt_secret: SecretStr | None = Field(
        None,
        validation_alias=AliasChoices("MINATO_JWT_SECRET", "GOTRUE_JWT_SECRET"),
        description="Signs and verifies HS256 tokens, at least 32 characters; generated once when not given. "
        "GOTRUE_JWT_SECRET is the same.",
    )
    jwt_keys: SecretStr | None = Field(
        None,
        validation_alias="GOTRUE_JWT_KEYS",
        description="JWK array as JSON or @file; the one with key_ops sign signs, the others verify.",
    )
    hs256_tokens: bool | None = Field(
        None,
        description="Sign users' tokens with the JWT secret (HS256), for programs that verify them with it. Default: "
        "with a key (ES256), in production only if GOTRUE_JWT_KEYS has one that signs. All are verified either way.",
    )
    third_party_issuers: str = Field(
        "",
        description="Other issuers whose tokens the data API, realtime, storage and functions take: what they call "
        "themselves in iss, comma-separated (https://example.clerk.accounts.dev).",
    )
    third_party_roles: str = Field(
        "anon,authenticated",
        description="Roles that tokens of other issuers may name, comma-separated; * for any, service_role included, "
        "which lets whoever chooses claims there do everything here.",
    )
    anon_key: str | None = Field(None, description="Overrides the anon key derived from the JWT secret.")
    service_role_key: SecretStr | None = Field(
        None, description="Overrides the service_role key derived from the JWT secret."
    )
    publishable_key: str | None = Field(None, description="sb_publishable_… key, the modern anon key.")
    secret_key: SecretStr | None = Field(None, description="sb_secret_… key, the modern service_role key.")
    services_off: Annotated[list[Literal["auth", "functions", "realtime", "rest", "storage"]], NoDecode, ReadItems] = (
        Field([], description="Services that don't answer: what config.toml of a project switches off.")
    )
    require_apikey: bool = Field(False, description="Refuse calls without an apikey, as the hosted gateway does.")
    trusted_proxies: Annotated[list[str], NoDecode, ReadItems] = Field(
        [],
        description="Peers whose X-Forwarded-* headers are believed: addresses and networks (10.0.0.0/8), separated by "
        "commas.",
    )
    cors_allowed_origins: Annotated[list[str], NoDecode, ReadItems] = Field(
        [], description="Browser origins that may call, separated by commas; empty means any."
    )
    csp_allow: str = Field(
        "",
        description="Sources the site's Content-Security-Policy allows besides its own, in that header's words: "
        "script-src https://stats.example; connect-src https://stats.example.",
    )
    explain: Literal["hint", "off"] = Field(
        "hint",
        description="In development, what row level security or a missing privilege refuses says why in the hint of "
        "its answer; off: the answer is the reference's to the byte, as in production.",
    )
    journal: bool = Field(
        True,
        description="In development, the last 5,000 requests and what they led to are kept for the developer, in "
        "memory alone and without keys, tokens and passwords.",
    )
    app_name: str = Field("Minato", description="Name the web app shows.")
    demo_mode: bool = Field(
        False,
        description="Says that this is a demonstration: development loads the project's demo data. In development the "
        "project's minato.toml may say so.",
    )
    demo_password: SecretStr | None = Field(
        None,
        validation_alias="DEMO_PASSWORD",
        description="Password of the demo accounts; without it development takes a known one, production none.",
    )
    admin_email: str = Field(
        "",
        description="The one address that may become administrator; nobody without it. In development the project's "
        "minato.toml may name one.",
    )
    admin_signup_enabled: bool = Field(
        True, description="Whether that address may sign up. Its role follows a password set by way of a mail to it."
    )
    metrics_token: SecretStr | None = Field(
        None,
        description="Bearer token that opens /metrics; without one only development shows them, at this machine.",
    )

    dev_token: SecretStr | None = Field(
        None,
        min_length=32,
        description="Bearer token of at least 32 characters that everybody then needs for /_dev, in development; who "
        "has it may ask through a proxy, or from another machine.",
    )

    @field_validator("dev_token", mode="before")
    @classmethod
    def _empty_token_is_none(cls, given: object) -> object:
        return None if given == "" else given

    @model_validator(mode="after")
    def _check_issuers(self) -> ServerSettings:
        for url in self.other_issuers:
            wrong = why_no_issuer(url, self.environment == "production")
            if wrong is not None:
                raise ValueError(f"MINATO_THIRD_PARTY_ISSUERS: {url!r} {wrong}")
        return self

    @cached_property
    def other_issuers(self) -> tuple[str, ...]:
        """What other issuers call themselves, each once."""
        return tuple(dict.fromkeys(_items(self.third_party_issuers)))

    @cached_property
    def other_issuers_roles(self) -> frozenset[str] | None:
        """The roles that their tokens may name; None for any."""
        roles = frozenset(_items(self.third_party_roles))
        return None if ANY_ROLE in roles else roles

    @field_validator("project", "web_root", "users", mode="before")
    @classmethod
    def _empty_is_none(cls, given: object) -> object:
        return None if given == "" else given

    @field_validator("project")
    @classmethod
    def _look_for_the_project(cls, given: Path | None) -> Path | None:
        """A folder that was named must be one."""
        if given is not None and not (given / "supabase").is_dir():
            raise ValueError(f"{given} holds no supabase folder")
        return given

    @field_validator("users")
    @classmethod
    def _look_for_the_file(cls, given: Path | None) -> Path | None:
        if given is not None and not given.is_file():
            raise ValueError(f"{given} is no file")
        return given

    @field_validator("csp_allow")
    @classmethod
    def _check_policy(cls, given: str) -> str:
        if given.strip() and not all(DIRECTIVE.fullmatch(part.strip()) for part in given.strip(" ;").split(";")):
            raise ValueError(
                "wants directives and their sources: script-src https://a.example; img-src https://b.example"
            )
        return given

    @field_validator("trusted_proxies")
    @classmethod
    def _are_networks(cls, given: list[str]) -> list[str]:
        for text in given:
            ip_network(text, strict=False)
        return given

    @field_validator("jwt_keys", mode="before")
    @classmethod
    def _read_keys(cls, given: object) -> object:
        """`@file` stands for what is in the file."""
        if isinstance(given, str) and given.startswith("@"):
            try:
                return Path(given[1:]).expanduser().read_text()
            except OSError as error:
                raise ValueError(f"{given[1:]}: {error.strerror}") from None
        return given

    @field_validator("jwt_keys")
    @classmethod
    def _are_keys(cls, given: SecretStr | None) -> SecretStr | None:
        """What each of them is good for is found out where it is used."""
        documents = json.loads(given.get_secret_value()) if given is not None else []
        if not isinstance(documents, list) or not all(isinstance(document, dict) for document in documents):
            raise ValueError("wants a JSON array of JWKs")
        return given


def _items(text: str) -> tuple[str, ...]:
    return tuple(item.strip() for item in text.split(",") if item.strip())
