"""Mistakes on the command line, told as the Supabase CLI's own library (cobra, pflag) tells them.

A switch may have a value (`--local=true`). `--remote`, of the CLI's version 3, stands for `--linked`, and with a URL
for `--db-url`. Words that a command has no use for are left out, as there, unless it says otherwise by `no_arguments`
or `exact_arguments`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from typer.core import TyperCommand, TyperGroup

from minato.cli.local.failures import CommandFailure, tell

if TYPE_CHECKING:
    from typer import Context
    from typer._click import Context as ClickContext

_TRUE: Final = frozenset({"1", "t", "T", "true", "TRUE", "True"})
_FALSE: Final = frozenset({"0", "f", "F", "false", "FALSE", "False"})
# Which of them was typed is what counts, whatever its value.
_SELECTORS: Final = frozenset({"--local", "--linked"})


class CobraCommand(TyperCommand):
    """A command with the CLI's flags."""

    def parse_args(self, ctx: ClickContext, args: list[str]) -> list[str]:
        ctx.allow_extra_args = True
        shown = {name: param for param in self.params for name in (*param.opts, *param.secondary_opts)}
        try:
            plain = list(_plain(args, [name for name, p in shown.items() if _is_switch(p)]))
            return super().parse_args(ctx, [_of_remote(word) for word in plain] if "--linked" in shown else plain)
        except Exception as error:
            sentence = _sentence(error, args)
            if sentence is None:
                raise
            raise tell(CommandFailure(sentence)) from None


class CobraGroup(TyperGroup):
    """A group of such commands; without one of them it prints what there is."""

    def parse_args(self, ctx: ClickContext, args: list[str]) -> list[str]:
        self.no_args_is_help = False
        known = next((word for word in args if not word.startswith("-")), None)
        if known is None and "--help" not in args:
            args = ["--help"]
        elif known is not None and known not in self.commands and "--help" not in args:
            raise tell(CommandFailure(f'unknown command "{known}" for "supabase {ctx.info_name}"'))
        return super().parse_args(ctx, args)


def one_of(*allowed: str) -> Callable[[str], str]:
    """The reader of a flag that takes one of a few words."""

    def read(given: str) -> str:
        if given not in allowed:
            raise ValueError(_invalid(given, f"must be one of [ {' | '.join(allowed)} ]"))
        return given

    return read


def unsigned(given: str | int) -> int:
    """The reader of a flag that takes a number from 0 on; the default is read, too."""
    if isinstance(given, int):
        return given
    if not re.fullmatch(r"[0-9]+", given):
        raise ValueError(_invalid(given, f'strconv.ParseUint: parsing "{given}": invalid syntax'))
    return int(given)


def exclude_each_other(group: Sequence[str], given: Mapping[str, bool]) -> None:
    """Refuse flags of one group that were set together. Raises `CommandFailure`."""
    together = sorted(name for name in group if given.get(name))
    if len(together) > 1:
        raise CommandFailure(
            f"if any flags in the group [{' '.join(group)}] are set none of the others can be; "
            f"[{' '.join(together)}] were all set"
        )


def no_arguments(context: Context) -> None:
    """Raises `CommandFailure` where words follow the command."""
    if context.args:
        raise CommandFailure(f'unknown command "{context.args[0]}" for "{_path(context)}"')


def exact_arguments(words: Sequence[str], count: int) -> None:
    """Raises `CommandFailure` where not exactly so many words follow the command."""
    if len(words) != count:
        raise CommandFailure(f"accepts {count} arg(s), received {len(words)}")


def at_most_arguments(words: Sequence[str], count: int) -> None:
    """Raises `CommandFailure` where more words follow the command."""
    if len(words) > count:
        raise CommandFailure(f"accepts at most {count} arg(s), received {len(words)}")


def _path(context: Context) -> str:
    names: list[str] = []
    at: ClickContext | None = context
    while at is not None and at.parent is not None:
        names.insert(0, str(at.info_name))
        at = at.parent
    return " ".join(["supabase", *names])


def _plain(args: Sequence[str], switches: Sequence[str]) -> list[str]:
    """Without the values of switches, and without those that are off."""
    found: list[str] = []
    for at, word in enumerate(args):
        if word == "--":
            return [*found, *args[at:]]
        name, equals, value = word.partition("=")
        if not equals or name not in switches:
            found.append(word)
        elif value in _TRUE or (value in _FALSE and name in _SELECTORS):
            found.append(name)
        elif value not in _FALSE:
            reason = f'strconv.ParseBool: parsing "{value}": invalid syntax'
            raise tell(CommandFailure(_invalid(value, reason).replace(_FLAG, name)))
    return found


def _of_remote(word: str) -> str:
    name, equals, place = word.partition("=")
    if name != "--remote":
        return word
    if place.startswith(("postgres://", "postgresql://")):
        return f"--db-url={place}"
    if equals:
        raise tell(CommandFailure(f"--remote={place} is not reached from here.", "Name the URL of its database."))
    return "--linked"


def _is_switch(param: object) -> bool:
    return bool(getattr(param, "is_flag", False))


# Where the flag's name goes: who reads a value doesn't know it.
_FLAG: Final = "<flag>"


def _invalid(given: str, reason: str) -> str:
    return f'invalid argument "{given}" for "{_FLAG}" flag: {reason}'


def _sentence(error: Exception, args: Sequence[str]) -> str | None:
    """In pflag's words; None for what is no mistake of the command line."""
    kind, option = type(error).__name__, str(getattr(error, "option_name", "") or "")
    if kind == "NoSuchOption":
        word = next((word for word in args if word.startswith("-") and option.strip("-")[:1] in word), option)
        return f"unknown flag: {option}" if option.startswith("--") else _unknown_short(option, word)
    if kind == "BadOptionUsage":
        shown = option if option.startswith("--") else f"'{option[1:]}' in {option}"
        return f"flag needs an argument: {shown}"
    if kind == "BadParameter":
        opts = list(getattr(getattr(error, "param", None), "opts", []))
        shown = ", ".join(sorted(opts, key=len)) or "argument"
        return str(getattr(error, "message", error)).removeprefix("Value error, ").replace(_FLAG, shown)
    return None


def _unknown_short(option: str, word: str) -> str:
    return f"unknown shorthand flag: '{option.lstrip('-')[:1]}' in {word.partition('=')[0]}"
