"""The variables of a function's process: the project's, and `SUPABASE_*`; nothing of the server's own."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import structlog

from minato.backend import Backend
from minato.config.functions import FunctionsSettings
from minato.functions.discovery import Function
from minato.project.dotenv import read_dotenv
from minato.project.errors import ProjectError

RESERVED = "SUPABASE_"


def function_environment(backend: Backend, settings: FunctionsSettings, function: Function) -> dict[str, str]:
    """Of the project, weakest first: secrets of config.toml, `functions/.env`, the function's `env` of config.toml,
    its own `.env`. A file that is asked for stands for both. Then what every function knows of this server.
    """
    asked = function.asked.variables
    files = (
        [_of_file(Path(asked), backend.log), {}]
        if asked
        else [_of_file(folder / ".env", backend.log) for folder in (function.folder, function.folder / function.name)]
    )
    secrets = {name.upper(): value.get_secret_value() for name, value in settings.secrets.items()}
    own = {name: value.get_secret_value() for name, value in function.settings.env.items()}
    return _of_user({**secrets, **files[0], **own, **files[1]}, backend.log) | _of_server(backend, settings)


def _of_file(path: Path, log: structlog.stdlib.BoundLogger) -> Mapping[str, str]:
    if not path.is_file():
        return {}
    try:
        return read_dotenv(path)
    except ProjectError as error:
        log.error("the variables of functions can't be read", path=str(path), error=str(error))
        return {}


def _of_user(given: Mapping[str, str], log: structlog.stdlib.BoundLogger) -> dict[str, str]:
    for name in given:
        if name.startswith(RESERVED):
            log.warning(f"Env name cannot start with SUPABASE_, skipping: {name}")
    return {name: value for name, value in given.items() if name and not name.startswith(RESERVED)}


def _of_server(backend: Backend, settings: FunctionsSettings) -> dict[str, str]:
    keys, db_url = backend.api_keys, settings.db_url
    return {
        # Of the reference's runtime: one for each process.
        "SB_EXECUTION_ID": str(backend.entropy.uuid4()),
        "SUPABASE_URL": backend.public_url,
        "SUPABASE_ANON_KEY": keys.anon,
        "SUPABASE_SERVICE_ROLE_KEY": keys.service_role,
        "SUPABASE_PUBLISHABLE_KEYS": json.dumps({"default": keys.publishable}),
        "SUPABASE_SECRET_KEYS": json.dumps({"default": keys.secret}),
        "SUPABASE_JWKS": json.dumps({"keys": [dict(key) for key in backend.keys.public_jwks]}),
        **({"SUPABASE_DB_URL": db_url.get_secret_value()} if db_url else {}),
    }
