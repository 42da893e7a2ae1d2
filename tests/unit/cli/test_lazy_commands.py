"""A command line whose commands are built one by one is the one that Typer builds at once."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from minato.cli.app import app
from minato.cli.lazy_commands import command_line
from typer import Typer
from typer._click import Command, Context
from typer.core import TyperGroup
from typer.main import get_command, get_group


def below(command: Command, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Command]]:
    yield path, command
    if isinstance(command, TyperGroup):
        for name, each in command.commands.items():
            yield from below(each, (*path, name))


def told(command: Command) -> object:
    return type(command), command.name, command.hidden, command.get_help(Context(command, info_name=command.name))


AT_ONCE = dict(below(get_command(app)))


def test_no_command_is_missing_and_all_stand_in_the_same_order() -> None:
    assert [path for path, _ in below(command_line(app))] == list(AT_ONCE)


@pytest.mark.parametrize("path", AT_ONCE, ids=" ".join)
def test_a_command_is_the_same(path: tuple[str, ...]) -> None:
    assert told(dict(below(command_line(app)))[path]) == told(AT_ONCE[path])


def test_only_what_is_asked_for_is_built(monkeypatch: pytest.MonkeyPatch) -> None:
    built: list[list[str]] = []

    def counted(asked: Typer) -> TyperGroup:
        group = get_group(asked)
        built.append(list(group.commands))
        return group

    monkeypatch.setattr("minato.cli.lazy_commands.get_group", counted)
    database = command_line.__wrapped__(app).commands["db"]
    assert isinstance(database, TyperGroup)
    assert database.commands["migrate"].name == "migrate"
    assert built == [[], ["db"], ["migrate"]]
