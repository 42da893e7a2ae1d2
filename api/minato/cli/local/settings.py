"""A project's `config.toml` as settings of ours. Weakest first: the CLI's constants, the file, the environment."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from minato.cli.local import constants
from minato.cli.secrets_file import stored_secret
from minato.config.supabase_toml import auth_settings
from minato.project.config_file import ProjectConfig, find_key
from minato.project.config_keys import Value
from minato.project.workdir import Workdir

# Variables of the person's shell that are settings of ours. Nothing of a project's `.env` is: its DATABASE_URL or
# SMTP_HOST are the application's.
OURS = (
    *("MINATO_", "GOTRUE_", "PGRST_", "REALTIME_", "STORAGE_", "SMTP_", "S3_PROTOCOL_"),
    *("DATABASE_URL", "AUTHENTICATOR_URL", "REDIS_URL", "DEMO_PASSWORD", "UPLOAD_FILE_SIZE_LIMIT"),
)
CONSTANTS: Mapping[str, str] = {
    "MINATO_HOST": "127.0.0.1",
    "MINATO_WEB_ROOT": "",
    "MINATO_DEMO_MODE": "false",
    "MINATO_ADMIN_EMAIL": "",
    "MINATO_JWT_SECRET": constants.JWT_SECRET,
    "MINATO_PUBLISHABLE_KEY": constants.PUBLISHABLE_KEY,
    "MINATO_SECRET_KEY": constants.SECRET_KEY,
    "GOTRUE_JWT_KEYS": json.dumps([constants.SIGNING_KEY]),
    "S3_PROTOCOL_ACCESS_KEY_ID": constants.S3_ACCESS_KEY_ID,
    "S3_PROTOCOL_ACCESS_KEY_SECRET": constants.S3_SECRET,
    "STORAGE_S3_REGION": constants.S3_REGION,
    "GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_CURRENT_PASSWORD": "false",
}
# Data of `minato serve` have a secret of their own, which keeps what is sealed in the database; keys follow from it.
FROM_SECRET = (
    *("MINATO_JWT_SECRET", "MINATO_PUBLISHABLE_KEY", "MINATO_SECRET_KEY"),
    *("S3_PROTOCOL_ACCESS_KEY_ID", "S3_PROTOCOL_ACCESS_KEY_SECRET", "GOTRUE_JWT_KEYS"),
)
SWITCHES = {"api.enabled": "rest", "auth.enabled": "auth", "realtime.enabled": "realtime", "storage.enabled": "storage"}


@dataclass(frozen=True)
class Ports:
    """Where to listen; 0 takes a free one, None what config.toml says."""

    api: int | None = None
    database: int | None = None


def project_settings(
    config: ProjectConfig, workdir: Workdir, data: Path, environment: Mapping[str, str], ports: Ports
) -> dict[str, str]:
    """Every setting of a project's server by its environment name. Raises `CommandError`."""
    shell = {name: value for name, value in environment.items() if name.startswith(OURS)}
    known = CONSTANTS if stored_secret(data) is None else {**CONSTANTS, **dict.fromkeys(FROM_SECRET, "")}
    if _is_our_own_port(shell.get("DATABASE_URL", ""), config):
        del shell["DATABASE_URL"]
    found = {**known, **_from_keys(config), **_from_auth(config, workdir), **_switches(config), **shell}
    # A folder without supabase/ gives the platform alone.
    project = str(workdir.root) if workdir.supabase.is_dir() else ""
    found |= {"MINATO_DATA_DIR": str(data), "MINATO_PROJECT": project}
    # Of the ports, what was asked for at this start is strongest.
    asked = {"MINATO_PORT": ports.api, "MINATO_POSTGRES_PORT": ports.database}
    return found | {name: str(port) for name, port in asked.items() if port is not None}


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
    found = auth_settings(values, workdir.supabase).settings
    if not _has_smtp(config):
        # The local mail catcher takes everything, and is not limited.
        found = {name: value for name, value in found.items() if not name.startswith("SMTP_")}
        found.pop("GOTRUE_RATE_LIMIT_EMAIL_SENT", None)
        sender = {"SMTP_SENDER_EMAIL": "inbucket.admin_email", "SMTP_SENDER_NAME": "inbucket.sender_name"}
        found |= {setting: config.text(key) for setting, key in sender.items()}
    return found


def _has_smtp(config: ProjectConfig) -> bool:
    given = any(name[:3] == ("auth", "email", "smtp") for name in config.given)
    return given and config.values.get(("auth", "email", "smtp", "enabled")) is not False


def _switches(config: ProjectConfig) -> dict[str, str]:
    off = [service for key, service in SWITCHES.items() if not config.flag(key)]
    s3 = "true" if config.flag("storage.s3_protocol.enabled") else "false"
    return {"MINATO_SERVICES_OFF": json.dumps(off), "S3_PROTOCOL_ENABLED": s3}


def _is_set(value: Value) -> bool:
    return value is not None and value != ""


def _text(value: Value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return ",".join(value) if isinstance(value, list) else str(value)
