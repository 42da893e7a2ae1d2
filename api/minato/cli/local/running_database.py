"""The database of a project's server that runs, as that server works on it: its settings, its superuser, its logins."""

from __future__ import annotations

from dataclasses import dataclass, field

from minato.cli.local.data_folder import State
from minato.cli.local.failures import CommandFailure
from minato.cli.secrets_file import jwt_secret
from minato.cli.target import Target, embedded_target
from minato.config import Settings
from minato.postgres.address import running_address
from minato.postgres.layout import Layout


@dataclass(frozen=True)
class RunningDatabase:
    """Of an embedded PostgreSQL, which is the project's alone."""

    settings: Settings
    secret: str = field(repr=False)
    target: Target


def running_database(state: State) -> RunningDatabase | None:
    """None where the server was given a database of somebody else's. Raises `CommandFailure`."""
    settings = Settings.of(state.settings)
    if settings.database.database_url is not None:
        return None
    address = running_address(Layout(settings.server.data_dir)) if state.settings else None
    if address is None:
        raise CommandFailure(
            "The project's PostgreSQL does not answer.", "Start the project again: minato stop; minato start"
        )
    return RunningDatabase(settings, jwt_secret(settings.server), embedded_target(address))
