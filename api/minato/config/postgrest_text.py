"""A configuration written as a `postgrest.conf`: the one in force, or an example with every option explained."""

from __future__ import annotations

from textwrap import wrap

from pydantic import SecretStr

from minato.config.postgrest import PostgrestConfig, load_postgrest
from minato.config.rest import RestSettings

INTRODUCTION = "## Every option with its default; uncomment what you change.\n"
EXPLAINED = {
    "admin-server-host": "Address of the admin server; the API's if it is not given.",
    "admin-server-port": "Port of the admin server: /live, /ready, /metrics, /schema_cache; empty: none.",
    "db-pool": "Connections that serve requests.",
    "db-pool-max-idletime": "Seconds after which an unused connection is closed.",
    "db-pool-max-lifetime": "Seconds after which a connection is replaced.",
    "db-prepared-statements": "Prepare statements; turn off behind a connection pooler that can't keep them.",
    "db-uri": "The database: a URI, keyword=value pairs or @file.",
    "log-level": "Answers that are logged: crit none, error from 500 on, warn from 400 on, info and debug all.",
    "server-host": "Address to listen on; * and !4 are every one of IPv4, *6 and !6 of IPv6.",
    "server-port": "Port to listen on.",
    "server-unix-socket": "Unix socket to listen on instead.",
    "server-unix-socket-mode": "Its file mode.",
}


def conf_text(config: PostgrestConfig) -> str:
    """Every option of `config`, secrets included, as it can be read again."""
    named = {f"app.settings.{name}": value for name, value in config.rest.app_settings.items()}
    return "".join(f"{name} = {_written(value)}\n" for name, value in (options(config) | named).items())


def example_text() -> str:
    """The defaults, each below what it is for and commented out."""
    lines = [INTRODUCTION]
    for name, value in options(load_postgrest(None, {})).items():
        lines += [f"## {line}" for line in wrap(_explained(name), 116)]
        lines.append(f"# {name} = {_written(value)}\n")
    return "\n".join(lines)


def options(config: PostgrestConfig) -> dict[str, object]:
    """Every option but `app.settings` by its name in the file, sorted."""
    rest = {name.replace("_", "-"): getattr(config.rest, name) for name in RestSettings.model_fields}
    del rest["app-settings"]
    own = {
        "admin-server-host": config.admin_host,
        "admin-server-port": config.admin_port,
        "db-pool": config.database.pool_size,
        "db-pool-max-idletime": config.database.pool_max_idletime,
        "db-pool-max-lifetime": config.database.pool_max_lifetime,
        "db-prepared-statements": config.database.prepared_statements,
        "db-uri": config.db_uri,
        "log-level": config.log_level,
        "server-host": config.host,
        "server-port": config.port,
        "server-unix-socket": config.unix_socket,
        "server-unix-socket-mode": f"{config.unix_socket_mode:o}",
    }
    return dict(sorted((rest | own).items()))


def _explained(name: str) -> str:
    field = RestSettings.model_fields.get(name.replace("-", "_"))
    return EXPLAINED.get(name) or (field and field.description) or ""


def _written(value: object) -> str:
    """A value as the file has it.

    >>> _written(True), _written(1800.0), _written(None), _written('a "b" $(c)')
    ('true', '1800', '""', '"a \\\\"b\\\\" $$(c)"')
    """
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return f"{value:.15g}"
    text = value.get_secret_value() if isinstance(value, SecretStr) else str(value or "")
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("$", "$$") + '"'
