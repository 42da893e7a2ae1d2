"""What a command of the CLI finds out about its project before it does anything."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import typer

from minato.cli.environment import file_variables
from minato.cli.errors import CommandError
from minato.cli.local.data_folder import DataFolder
from minato.cli.local.process_lock import lock_holder
from minato.cli.local.registry import Registry
from minato.project.config_file import ProjectConfig, read_config
from minato.project.dotenv import project_environment
from minato.project.folder import Project
from minato.project.minato_toml import read_minato_toml
from minato.project.workdir import Workdir, find_workdir


@dataclass(frozen=True)
class Place:
    """Where the project and its data are."""

    workdir: Workdir
    folder: DataFolder


def find_place(workdir: Path | None, data_dir: Path | None, environment: Mapping[str, str]) -> Place:
    """The project a command is about; says on standard error when it is not the current folder. The data lie where
    `data_dir`, MINATO_DATA_DIR or the project's `minato.toml` says; where none does, and a server of the project has
    them in another folder, there. Raises `ProjectError` and, where several have, `CommandError`."""
    current = Path.cwd()
    found = find_workdir(workdir, environment, current)
    if found.was_sought:
        say(f"Using workdir {found.root}")
    named = data_dir or environment.get("MINATO_DATA_DIR")
    data = (current / named).resolve() if named else read_minato_toml(Project(found.root)).data_dir
    return Place(found, DataFolder(data) if data else _own_folder(found, environment))


def _own_folder(workdir: Workdir, environment: Mapping[str, str]) -> DataFolder:
    """The project's own, unless it was started with `--data-dir` and runs there alone."""
    own = DataFolder(workdir.data)
    if lock_holder(own.lock) is not None:
        return own
    serving = Registry(environment).serving(workdir.root)
    if len(serving) > 1:
        places = " and ".join(sorted(str(folder.path) for folder in serving))
        raise CommandError(f"This project runs with its data in {places}: name one by --data-dir.")
    return serving[0] if serving else own


def load_config(workdir: Workdir, environment: Mapping[str, str]) -> ProjectConfig:
    """The project's configuration, its `.env` files behind the environment. Raises `ProjectError`."""
    return read_config(workdir, project_environment(workdir, environment))


def own_variables(settings_file: Path | None) -> dict[str, str]:
    """What an `--env-file` says, read as `minato serve` reads its `.env`. Raises `CommandError` when there is none."""
    if settings_file is None:
        return {}
    if not settings_file.is_file():
        raise CommandError(f"--env-file {settings_file} does not exist.")
    return file_variables(settings_file)


def refuse_other_project(environment: Mapping[str, str], workdir: Workdir) -> None:
    """Data that `minato serve` filled for one project are not opened, and migrated, for another. Raises `CommandError`.

    A MINATO_PROJECT that is empty stands for the platform alone.
    """
    named = environment.get("MINATO_PROJECT")
    if named is not None and (not named or Path(named).resolve() != workdir.root):
        raise CommandError(
            f"MINATO_PROJECT is {named or 'empty'}, but this would start {workdir.root}: leave it out, or say "
            f"minato start --workdir {named or 'FOLDER'}."
        )


def refuse_production(environment: Mapping[str, str]) -> None:
    """A local project has the keys and the password everybody knows. Raises `CommandError`."""
    # Of settings, capitals and small letters are alike.
    if any(value == "production" for name, value in environment.items() if name.upper() == "MINATO_ENVIRONMENT"):
        raise CommandError(
            "MINATO_ENVIRONMENT=production: minato start serves with the published keys and the password postgres of "
            "local development; use minato serve, with MINATO_PROJECT naming the project's folder."
        )


def say(sentence: str) -> None:
    """Progress and warnings, for people."""
    typer.echo(sentence, err=True)


def is_coloured() -> bool:
    return sys.stdout.isatty()
