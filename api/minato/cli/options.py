"""Command-line options laid over the environment and `.env`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from minato.cli.environment import process_environment, setting_variables
from minato.cli.published import CLI_JWT_SECRET, CLI_KEYS
from minato.cli.secrets_file import stored_secret
from minato.config import Settings
from minato.config.server import ServerSettings
from minato.project.folder import Project
from minato.project.minato_toml import read_minato_toml


def load_settings(
    data_dir: Path | None = None,
    *,
    host: str | None = None,
    port: int | None = None,
    workers: int | None = None,
    demo: bool | None = None,
    environment: str | None = None,
    behind: Mapping[str, str] | None = None,
) -> Settings:
    """All settings; an option that was not given leaves the variable's value. The data folder becomes absolute.

    `behind` are variables that count where neither the environment nor `.env` has them; behind those count the settings
    of the project's `minato.toml`, some of them in development alone. Raises `ProjectError`.
    """
    options = {"data_dir": data_dir, "host": host, "port": port, "demo_mode": demo, "environment": environment}
    options |= {"workers": workers}
    given = {name: value for name, value in options.items() if value is not None}
    variables = {**(behind or {}), **setting_variables()}
    settings = Settings.of({**_of_project(variables, data_dir, environment), **variables})
    # What nobody set stays unset: a default may follow from an option.
    known = settings.server.model_dump(by_alias=True, exclude_unset=True)
    server = ServerSettings.model_validate({**known, **given})
    return replace(settings, server=server.model_copy(update={"data_dir": server.data_dir.absolute()}))


def _of_project(variables: Mapping[str, str], data_dir: Path | None, environment: str | None) -> Mapping[str, str]:
    """What the project sets; in development also what it has for that, and the keys of data that `minato start` made.
    A mistake in the project's file is told in production, too."""
    server = ServerSettings.of(variables)
    file = read_minato_toml(Project(server.project) if server.project is not None else None)
    if (environment or server.environment) == "production":
        return file.settings(development=False)
    has_known_keys = server.jwt_secret is None and stored_secret(data_dir or server.data_dir) == CLI_JWT_SECRET
    return {**file.settings(development=True), **(CLI_KEYS if has_known_keys else {})}


@dataclass(frozen=True)
class ConfigFile:
    """What a `supabase/config.toml`, or its JSON form, says: variables, and the keys that have no counterpart here."""

    variables: Mapping[str, str]
    unknown: list[str]


def read_config_file(path: Path) -> ConfigFile:
    """The file; `env(NAME)` in it is a variable of the process, what dotenvx encrypted is decrypted. Raises
    `CommandError`."""
    from minato.cli.errors import CommandError
    from minato.config.supabase_toml import supabase_config
    from minato.project.config_document import read_document
    from minato.project.encrypted import PREFIX, NotDecrypted, decrypted, private_keys

    try:
        # A file that was named has to be there.
        path.stat()
        found = supabase_config(read_document(path), path.parent, process_environment())
    except (OSError, ValueError, RecursionError) as error:
        raise CommandError(f"{path}: {error}") from error
    keys = private_keys(setting_variables())

    def readable(name: str, value: str) -> str:
        try:
            return decrypted(value, keys) if value.startswith(PREFIX) else value
        except NotDecrypted as error:
            raise CommandError(f"{path}: {name} can't be decrypted by DOTENV_PRIVATE_KEY: {error}") from None

    variables = {name: readable(name, value) for name, value in found.settings.items()}
    secrets = {name: readable(name, value) for name, value in found.secrets.items()}
    if secrets:
        variables["MINATO_FUNCTIONS_SECRETS"] = json.dumps(secrets)
    return ConfigFile(variables, found.unknown)
