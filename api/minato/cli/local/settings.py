"""A project's files as settings of ours. Weakest first: the CLI's constants, `minato.toml`, `config.toml`, an
`--env-file`, the environment."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from minato.cli import published
from minato.cli.secrets_file import stored_secret
from minato.config.supabase_toml import auth_settings
from minato.project.config_file import ProjectConfig, find_key
from minato.project.config_keys import Value
from minato.project.errors import ProjectError
from minato.project.folder import Project as Folder
from minato.project.minato_toml import read_minato_toml
from minato.project.workdir import Workdir

# Variables of the person's shell that are settings of ours. Nothing of a project's `.env` is: its DATABASE_URL or
# SMTP_HOST are the application's.
OURS = (
    *("MINATO_", "GOTRUE_", "PGRST_", "REALTIME_", "STORAGE_", "SMTP_", "S3_PROTOCOL_"),
    *("DATABASE_URL", "AUTHENTICATOR_URL", "REDIS_URL", "DEMO_PASSWORD", "UPLOAD_FILE_SIZE_LIMIT"),
    *("VECTOR_ENABLED", "VECTOR_MAX_BUCKETS", "VECTOR_MAX_INDEXES"),
)
# What every local project of the Supabase CLI has alike: everybody knows it, so it is for development.
PASSWORD: Final = "postgres"
CONSTANTS: Final[Mapping[str, str]] = {
    "MINATO_HOST": "127.0.0.1",
    "MINATO_WEB_ROOT": "",
    "STORAGE_S3_REGION": "local",
    # No test that types a code is in that much of a hurry.
    "GOTRUE_SMS_OTP_EXP": "6000",
    **published.CLI_KEYS,
}
SWITCHES = {"api.enabled": "rest", "auth.enabled": "auth", "realtime.enabled": "realtime", "storage.enabled": "storage"}


@dataclass(frozen=True)
class ProjectFiles:
    """What a start has read: `own` are the variables of an `--env-file`, which holds settings of ours alone."""

    workdir: Workdir
    config: ProjectConfig
    own: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Ports:
    """Where to listen; 0 takes a free one, None what config.toml says."""

    api: int | None = None
    database: int | None = None


def project_settings(project: ProjectFiles, data: Path, environment: Mapping[str, str], ports: Ports) -> dict[str, str]:
    """Every setting of a project's server by its environment name. Raises `CommandError` and `ProjectError`."""
    config, workdir = project.config, project.workdir
    shell = {**project.own, **{name: value for name, value in environment.items() if name.startswith(OURS)}}
    if _is_our_own_port(shell.get("DATABASE_URL", ""), config):
        del shell["DATABASE_URL"]
    own = read_minato_toml(Folder(workdir.root)).settings(development=True)
    found = {**_constants(data), **own, **_from_keys(config), **_from_auth(config, workdir)}
    found |= {**_switches(config), **function_settings(config), **shell}
    # A folder without supabase/ gives the platform alone.
    served = str(workdir.root) if workdir.supabase.is_dir() else ""
    found |= {"MINATO_DATA_DIR": str(data), "MINATO_PROJECT": served}
    # Of the ports, what was asked for at this start is strongest.
    asked = {"MINATO_PORT": ports.api, "MINATO_POSTGRES_PORT": ports.database}
    return found | {name: str(port) for name, port in asked.items() if port is not None}


def database_url(port: int) -> str:
    """Of an embedded PostgreSQL, as the CLI prints it."""
    return f"postgresql://postgres:{PASSWORD}@127.0.0.1:{port}/postgres"


def _constants(data: Path) -> dict[str, str]:
    """Data of `minato serve` have a secret of their own, which keeps what is sealed in the database: keys follow from
    it there."""
    if stored_secret(data) in (None, published.CLI_JWT_SECRET):
        return dict(CONSTANTS)
    return {**CONSTANTS, **dict.fromkeys(published.CLI_KEYS, "")}


def _is_our_own_port(url: str, config: ProjectConfig) -> bool:
    """An application's address of the local database is that of the server to be started, as for the CLI's --db-url."""
    try:
        parts = urlsplit(url)
        return parts.hostname in ("127.0.0.1", "localhost", "::1") and parts.port == config.number("db.port")
    except ValueError:
        return False


def _from_keys(config: ProjectConfig) -> dict[str, str]:
    found = {}
    for name, value in config.values.items():
        key = find_key(name)
        if key is not None and key.setting.isupper() and _is_set(value):
            found[key.setting] = _text(value)
    return found


def _from_auth(config: ProjectConfig, workdir: Workdir) -> dict[str, str]:
    values: dict[str, Value] = {}
    for name, value in config.values.items():
        key = find_key(name)
        if key is not None and key.setting == "auth" and _is_set(value):
            values[".".join(name[1:])] = value
    try:
        found = auth_settings(values, workdir.supabase).settings
    except ValueError as error:
        raise ProjectError(str(error)) from None
    if found.get("GOTRUE_SITE_URL", "").rstrip("/") == f"http://127.0.0.1:{config.number('api.port')}":
        # The page is served beside the API, also where that is called by another address than the file's.
        del found["GOTRUE_SITE_URL"]
    if not _has_smtp(config):
        # The local mail catcher takes everything, and is not limited.
        found = {name: value for name, value in found.items() if not name.startswith("SMTP_")}
        found.pop("GOTRUE_RATE_LIMIT_EMAIL_SENT", None)
        sender = {"SMTP_SENDER_EMAIL": "local_smtp.admin_email", "SMTP_SENDER_NAME": "local_smtp.sender_name"}
        found |= {setting: config.text(key) for setting, key in sender.items()}
    return found


def _has_smtp(config: ProjectConfig) -> bool:
    given = any(name[:3] == ("auth", "email", "smtp") for name in config.given)
    return given and config.values.get(("auth", "email", "smtp", "enabled")) is not False


def _switches(config: ProjectConfig) -> dict[str, str]:
    off = [service for key, service in SWITCHES.items() if not config.flag(key)]
    s3 = "true" if config.flag("storage.s3_protocol.enabled") else "false"
    return {"MINATO_SERVICES_OFF": json.dumps(off), "S3_PROTOCOL_ENABLED": s3}


def _of_function(table: Mapping[str, Value]) -> dict[str, object]:
    given = {key: value for key, value in table.items() if value is not None}
    # The file's keys are read in lower case; variables are written in upper case there.
    env = {key.removeprefix("env.").upper(): value for key, value in given.items() if key.startswith("env.")}
    rest: dict[str, object] = {key: value for key, value in given.items() if not key.startswith("env.")}
    return {**rest, "env": env} if env else rest


def function_settings(config: ProjectConfig) -> dict[str, str]:
    """What `[functions]` and `[edge_runtime]` say; the database is told where its port is known before it starts."""
    told = {name: _of_function(table) for name, table in config.below("functions").items()}
    secrets = {name: value for name, table in config.below("edge_runtime.secrets").items() for value in table.values()}
    port = config.number("db.port")
    return {
        "MINATO_FUNCTIONS_ENABLED": _text(config.flag("edge_runtime.enabled")),
        "MINATO_FUNCTIONS_POLICY": config.text("edge_runtime.policy") or "per_worker",
        "MINATO_FUNCTIONS_CONFIG": json.dumps(told),
        "MINATO_FUNCTIONS_SECRETS": json.dumps({name: value for name, value in secrets.items() if value is not None}),
        "MINATO_FUNCTIONS_DB_URL": database_url(port) if port else "",
    }


def _is_set(value: Value) -> bool:
    return value is not None and value != ""


def _text(value: Value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return ",".join(value) if isinstance(value, list) else str(value)
