"""What a command of the CLI finds out about its project before it does anything."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import typer

from minato.cli.errors import CommandError
from minato.cli.local.data_folder import DataFolder
from minato.project.config_file import ProjectConfig, read_config
from minato.project.dotenv import project_environment
from minato.project.workdir import Workdir, find_workdir


@dataclass(frozen=True)
class Place:
    """Where the project and its data are."""

    workdir: Workdir
    folder: DataFolder


def find_place(workdir: Path | None, data_dir: Path | None, environment: Mapping[str, str]) -> Place:
    """The project a command is about; says on standard error when it is not the current folder."""
    current = Path.cwd()
    found = find_workdir(workdir, environment, current)
    if found.was_sought:
        say(f"Using workdir {found.root}")
    data = (current / data_dir).resolve() if data_dir is not None else found.data
    return Place(found, DataFolder(data))


def load_config(workdir: Workdir, environment: Mapping[str, str]) -> ProjectConfig:
    """The project's configuration, its `.env` files behind the environment. Raises `ProjectError`."""
    return read_config(workdir, project_environment(workdir, environment))


def refuse_production(environment: Mapping[str, str]) -> None:
    """A local project has the keys and the password everybody knows. Raises `CommandError`."""
    if environment.get("MINATO_ENVIRONMENT") == "production":
        raise CommandError(
            "MINATO_ENVIRONMENT=production: minato start serves with the published keys and the password postgres of "
            "local development; use minato serve, with MINATO_PROJECT naming the project's folder."
        )


def say(sentence: str) -> None:
    """Progress and warnings, for people."""
    typer.echo(sentence, err=True)


def is_coloured() -> bool:
    return sys.stdout.isatty()
