"""Settings of a data API served alone: a `postgrest.conf` below the PGRST_* variables, with PostgREST's defaults."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from minato.config.database import DatabaseSettings
from minato.config.postgrest_syntax import parse_conf
from minato.config.rest import RestSettings

PREFIX, APP_PREFIX = "PGRST_", "PGRST_APP_SETTINGS_"
# Where Minato's own defaults are those of a hosted project instead.
DEFAULTS = {
    "db_schemas": "public",
    "db_anon_role": None,
    "db_extra_search_path": "public",
    "db_max_rows": None,
    "db_planned_count": "planner",
    "max_embeds": None,
    "max_embed_depth": None,
}
ALIASES = {
    "db-schema": "db-schemas",
    "max-rows": "db-max-rows",
    "pre-request": "db-pre-request",
    "root-spec": "db-root-spec",
    "role-claim-key": "jwt-role-claim-key",
    "secret-is-base64": "jwt-secret-is-base64",
    "db-pool-timeout": "db-pool-max-idletime",
}
EMPTYABLE = ("db-extra-search-path",)
TRUE = ("true", "1", "yes", "on")
LOGGED_FROM: Mapping[str, int | None] = {"crit": None, "error": 500, "warn": 400, "info": 100, "debug": 100}
"""The least status that is logged at each `log-level`."""
ANY_IPV4, ANY_IPV6 = ("*", "*4", "!4"), ("*6", "!6")


@dataclass(frozen=True)
class PostgrestConfig:
    """What PostgREST reads. `unix_socket` takes the place of host and port."""

    rest: RestSettings
    database: DatabaseSettings
    db_uri: str
    host: str
    port: int
    unix_socket: Path | None
    unix_socket_mode: int
    admin_host: str
    admin_port: int | None  # None: no admin server
    log_level: str = "error"


def load_postgrest(path: Path | None, environment: Mapping[str, str]) -> PostgrestConfig:
    """The configuration of `path` (None: the environment alone). Raises ValueError, OSError, ValidationError."""
    written = parse_conf(path.read_text(), environment, path.parent) if path else {}
    options = {ALIASES.get(name, name): value for name, value in written.items() if not name.startswith("app.")}
    for name, value in environment.items():
        if name.startswith(PREFIX) and not name.startswith(APP_PREFIX):
            option = name.removeprefix(PREFIX).lower().replace("_", "-")
            options[ALIASES.get(option, option)] = value
    given = {name: value for name, value in options.items() if value or name in EMPTYABLE}
    host, port = _host(given.get("server-host", "!4")), int(given.get("server-port", "3000"))
    return PostgrestConfig(
        rest=_rest_settings(given, _app_settings(written, environment)),
        database=_database_settings(given, environment),
        db_uri=_file_or_text(given.get("db-uri", "postgresql://")),
        host=host,
        port=port,
        unix_socket=Path(given["server-unix-socket"]) if "server-unix-socket" in given else None,
        unix_socket_mode=_socket_mode(given.get("server-unix-socket-mode", "660")),
        admin_host=_host(given["admin-server-host"]) if "admin-server-host" in given else host,
        admin_port=_admin_port(given, port),
        log_level=_log_level(given.get("log-level", "error")),
    )


def _rest_settings(given: Mapping[str, str], app_settings: Mapping[str, str]) -> RestSettings:
    """What neither file nor environment names has PostgREST's own default where that differs from ours."""
    fields = RestSettings.model_fields
    own = {name: field.get_default(call_default_factory=True) for name, field in fields.items()}
    named = {name.replace("-", "_"): value for name, value in given.items()}
    chosen: dict[str, Any] = {name: value for name, value in named.items() if name in fields}
    return RestSettings(**{**own, **DEFAULTS, **chosen, "app_settings": app_settings})


def _database_settings(given: Mapping[str, str], environment: Mapping[str, str]) -> DatabaseSettings:
    size, timeout = int(given.get("db-pool", "10")), float(given.get("db-pool-acquisition-timeout", "10"))
    named = {
        "pool_size": size,
        "pool_timeout": timeout,
        "prepared_statements": given.get("db-prepared-statements", "true").lower() in TRUE,
        "pool_max_lifetime": float(given.get("db-pool-max-lifetime", "1800")),
        "pool_max_idletime": float(given.get("db-pool-max-idletime", "30")),
    }
    # What PostgREST has no name for is called as elsewhere here.
    ours = {name: value for name, value in environment.items() if not name.upper().startswith(PREFIX)}
    return DatabaseSettings.given(ours, **named)


def _app_settings(written: Mapping[str, str], environment: Mapping[str, str]) -> dict[str, str]:
    from_file = {
        name.removeprefix("app.settings."): value for name, value in written.items() if name.startswith("app.settings.")
    }
    given = environment.items()
    return from_file | {name.removeprefix(APP_PREFIX): value for name, value in given if name.startswith(APP_PREFIX)}


def _file_or_text(value: str) -> str:
    return Path(value[1:]).read_text().strip() if value.startswith("@") else value


def _host(value: str) -> str:
    if value in ANY_IPV4:
        return "0.0.0.0"
    return "::" if value in ANY_IPV6 else value


def _admin_port(given: Mapping[str, str], port: int) -> int | None:
    if "admin-server-port" not in given:
        return None
    admin_port = int(given["admin-server-port"])
    if admin_port == port and given.get("admin-server-host", given.get("server-host")) == given.get("server-host"):
        raise ValueError("admin-server-port cannot be the same as server-port")
    return admin_port


def _log_level(name: str) -> str:
    if name not in LOGGED_FROM:
        raise ValueError("Invalid logging level. Check your configuration.")
    return name


def _socket_mode(text: str) -> int:
    mode = int(text, 8)
    if not 0o600 <= mode <= 0o777:
        raise ValueError("Invalid server-unix-socket-mode: needs to be between 600 and 777")
    return mode
