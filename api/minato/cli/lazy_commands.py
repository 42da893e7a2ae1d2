"""A command line that builds a command when it is asked for.

Typer reads the signatures of all commands before it runs one of them, which is most of what a short command takes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from copy import copy
from functools import cache, partial
from typing import TYPE_CHECKING, cast

import typer
from typer.main import get_command_name, get_group
from typer.models import CommandInfo, TyperInfo

if TYPE_CHECKING:
    from collections.abc import MutableMapping

    from typer._click import Command
    from typer.core import TyperGroup


@cache
def command_line(app: typer.Typer) -> TyperGroup:
    """What `typer.main.get_command` makes of `app`, whose commands and groups all have names."""
    return _of_commands(get_group(_only(app)), app)


class _Commands(Mapping[str, "Command"]):
    """The commands of `app` by their names, each built once; groups come last, as Typer has them."""

    def __init__(self, app: typer.Typer) -> None:
        self._makers: dict[str, Callable[[], Command]] = {
            **{_name(info): partial(_command, app, info) for info in app.registered_commands},
            **{_group_name(info): partial(_group, app, info) for info in app.registered_groups},
        }
        self._made: dict[str, Command] = {}

    def __getitem__(self, name: str) -> Command:
        if name not in self._made:
            self._made[name] = self._makers[name]()
        return self._made[name]

    def __contains__(self, name: object) -> bool:
        return name in self._makers

    def __iter__(self) -> Iterator[str]:
        return iter(self._makers)

    def __len__(self) -> int:
        return len(self._makers)


def _name(info: CommandInfo) -> str:
    return info.name or get_command_name(info.callback.__name__)  # type: ignore[union-attr]


def _group_name(info: TyperInfo) -> str:
    return cast(str, info.name)


def _command(app: typer.Typer, info: CommandInfo) -> Command:
    return get_group(_only(app, commands=[info])).commands[_name(info)]


def _group(app: typer.Typer, info: TyperInfo) -> Command:
    below = cast(typer.Typer, info.typer_instance)
    alone = copy(info)
    alone.typer_instance = _only(below)
    group = get_group(_only(app, groups=[alone])).commands[_group_name(info)]
    return _of_commands(cast("TyperGroup", group), below)


def _only(
    app: typer.Typer, *, commands: list[CommandInfo] | None = None, groups: list[TyperInfo] | None = None
) -> typer.Typer:
    """`app` with these commands and groups, and no others."""
    alone = copy(app)
    alone.registered_commands = commands or []
    alone.registered_groups = groups or []
    return alone


def _of_commands(group: TyperGroup, app: typer.Typer) -> TyperGroup:
    group.commands = cast("MutableMapping[str, Command]", _Commands(app))
    return group
