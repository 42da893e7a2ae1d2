"""`functions list`: what the Supabase CLI tells of hosted functions, told of the project's own."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Final

import typer

from minato.cli.db_tools.rows import Rows, as_table
from minato.cli.functions.project import FunctionsProject
from minato.cli.functions.server import running_functions
from minato.cli.local.failures import CommandFailure
from minato.cli.local.formats import toml_text, yaml_text
from minato.cli.local.plan import say
from minato.config.functions import FunctionSettings
from minato.functions.command import SENTENCE, find_deno
from minato.functions.discovery import Function

COLUMNS: Final = ("NAME", "STATUS", "VERIFY JWT", "ENTRYPOINT", "URL", "RUNNING")
_NO_DENO: Final = "DENO MISSING"
NOT_SERVED: Final = "env flag is not supported"


@dataclass(frozen=True)
class Listed:
    """`status` is ACTIVE, DISABLED, or says what is missing; `entrypoint` is relative to the project."""

    name: str
    slug: str
    status: str
    verify_jwt: bool
    entrypoint_path: str
    url: str
    running: bool


def list_functions(project: FunctionsProject, form: str) -> None:
    """Print them. Raises `CommandFailure`."""
    if form == "env":
        raise CommandFailure(f"--output {NOT_SERVED}")
    if form not in ("pretty", "json", "toml", "yaml"):
        allowed = "must be one of [ env | pretty | json | toml | yaml ]"
        raise CommandFailure(f'invalid argument "{form}" for "-o, --output" flag: {allowed}')
    listed = listed_functions(project)
    if form == "pretty":
        typer.echo(as_table(Rows(list(COLUMNS), [_cells(each) for each in listed])), nl=False)
        if any(each.status == _NO_DENO for each in listed):
            say(SENTENCE)
    else:
        typer.echo(_FORMATS[form](listed), nl=False)


def listed_functions(project: FunctionsProject) -> list[Listed]:
    """In the order of their names, those that are switched off too."""
    running = running_functions(project)
    has_deno = find_deno(project.settings.deno) is not None
    is_on = project.settings.enabled if project.state is None else "api.functions_url" in project.state.values
    found = {name: project.functions.find(name) for name in project.functions.names()}
    listed = [
        _listed(project, function, _status(function, has_deno=has_deno, is_on=is_on), name in running)
        for name, function in found.items()
        if function is not None
    ]
    off = {name for name, given in project.settings.config.items() if not given.enabled and name not in found}
    listed += [_switched_off(project, name) for name in off]
    return sorted(listed, key=lambda each: each.name)


def _status(function: Function, *, has_deno: bool, is_on: bool) -> str:
    if not has_deno and not function.is_python:
        return _NO_DENO
    return "ACTIVE" if is_on else "DISABLED"


def _listed(project: FunctionsProject, function: Function, status: str, running: bool) -> Listed:
    path = function.entrypoint
    root = project.place.workdir.root
    shown = str(path.relative_to(root)) if path.is_relative_to(root) else str(path)
    name, verify = function.name, function.settings.verify_jwt
    return Listed(name, name, status, verify, shown, f"{project.url}/{name}", running)


def _switched_off(project: FunctionsProject, name: str) -> Listed:
    given = project.settings.config.get(name, FunctionSettings())
    path = given.entrypoint or f"functions/{name}/index.ts"
    shown = f"supabase/{path.removeprefix('./')}"
    return Listed(name, name, "DISABLED", given.verify_jwt, shown, f"{project.url}/{name}", False)


def _cells(each: Listed) -> list[object]:
    return [
        *(each.name, each.status, "yes" if each.verify_jwt else "no"),
        *(each.entrypoint_path, each.url, "yes" if each.running else "no"),
    ]


def _json(listed: list[Listed]) -> str:
    return json.dumps([asdict(each) for each in listed], indent=2, ensure_ascii=False) + "\n"


def _toml(listed: list[Listed]) -> str:
    tables = [[f"{key} = {toml_text(value)}" for key, value in asdict(each).items()] for each in listed]
    return "\n".join("\n".join(["[[functions]]", *lines]) + "\n" for lines in tables)


def _yaml(listed: list[Listed]) -> str:
    entries = [[f"{key}: {yaml_text(value)}" for key, value in asdict(each).items()] for each in listed]
    return "".join("- " + "\n  ".join(lines) + "\n" for lines in entries) or "[]\n"


_FORMATS: Final = {"json": _json, "toml": _toml, "yaml": _yaml}
