"""A project's functions as its server sees them, and that server, where it runs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from minato.cli.environment import process_environment
from minato.cli.local.data_folder import State
from minato.cli.local.database_target import START_FIRST
from minato.cli.local.failures import CommandFailure, named
from minato.cli.local.global_flags import GlobalFlags
from minato.cli.local.plan import Place, find_place, load_config
from minato.cli.local.process_lock import lock_holder
from minato.cli.local.settings import function_settings
from minato.config.functions import FunctionsSettings
from minato.functions.attached import attachment
from minato.functions.discovery import Functions
from minato.project.config_file import ProjectConfig


@dataclass(frozen=True)
class FunctionsProject:
    """`state` is what the server says of itself; None where none runs."""

    place: Place
    config: ProjectConfig
    state: State | None

    @property
    def folder(self) -> Path:
        """The sources."""
        return self.settings.folder or self.place.workdir.supabase / "functions"

    @property
    def work(self) -> Path:
        """Logs, and what `functions serve` asks for."""
        return self.place.folder.path / "functions"

    @cached_property
    def settings(self) -> FunctionsSettings:
        """The server's own, else those that the next one would have."""
        if self.state is not None and self.state.settings:
            return FunctionsSettings.of(self.state.settings)
        return FunctionsSettings.of({**function_settings(self.config), **process_environment()})

    @cached_property
    def functions(self) -> Functions:
        return Functions(self.folder, self.settings, lambda: attachment(self.work))

    @property
    def url(self) -> str:
        """What functions' names follow."""
        known = self.state.values.get("api.url") if self.state is not None else None
        port = self.config.number("api.port")
        return f"{known or f'http://127.0.0.1:{port}'}/functions/v1"

    def is_served(self) -> bool:
        """Whether the server is still there."""
        return lock_holder(self.place.folder.lock) is not None


def functions_project(flags: GlobalFlags, data_dir: Path | None = None) -> FunctionsProject:
    """The project that this command is given in, or for. Raises `CommandError` and `ProjectError`."""
    environment = process_environment()
    place = find_place(flags.workdir, data_dir, environment)
    holder = lock_holder(place.folder.lock)
    state = place.folder.read_state(holder.pid) if holder is not None else None
    return FunctionsProject(place, load_config(place.workdir, environment), state)


def served_project(flags: GlobalFlags) -> FunctionsProject:
    """The same of a project that runs. Raises `CommandFailure` where it does not."""
    project = functions_project(flags)
    if project.state is None:
        raise CommandFailure(f"{named('supabase start')} is not running.", START_FIRST)
    return project
