"""How the Supabase CLI's commands fail: the sentence on standard error, below it what to do, exit status 1."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import typer

from minato.cli.errors import CommandError, refusal_of_a_setting, refusal_of_the_machine
from minato.postgres.errors import PostgresError
from minato.project.errors import ProjectError

TRY_DEBUG: Final = "Try rerunning the command with --debug to troubleshoot the error."


class CommandFailure(CommandError):
    """`suggestion` is what to do about it; without one, `--debug` is suggested."""

    def __init__(self, sentence: str, suggestion: str = "") -> None:
        super().__init__(sentence)
        self.suggestion = suggestion


class Declined(CommandError):
    """Somebody said no, or Ctrl-C."""

    def __init__(self) -> None:
        super().__init__("context canceled")


@contextmanager
def told_as_the_cli(debug: bool = False) -> Iterator[None]:
    """Run a command of the CLI's; print its failure as that does."""
    try:
        yield
    except (CommandError, PostgresError, ProjectError) as error:
        raise tell(error, debug) from None
    except KeyboardInterrupt:
        raise tell(Declined()) from None
    except Exception as error:
        sentence = _sentence(error)
        if sentence is None:
            raise
        raise tell(CommandError(sentence), debug) from None


def tell(error: Exception, debug: bool = False) -> typer.Exit:
    """Print a failure; raise what comes back."""
    typer.secho(str(error), err=True, fg=typer.colors.RED)
    suggestion = getattr(error, "suggestion", "")
    if suggestion:
        typer.echo(suggestion, err=True)
    elif not debug and not isinstance(error, Declined):
        typer.echo(TRY_DEBUG, err=True)
    return typer.Exit(1)


def named(text: str) -> str:
    """A command or a name, coloured where colours are shown."""
    return typer.style(text, fg=typer.colors.BRIGHT_CYAN)


def bold(text: str) -> str:
    """A path, bold where that is shown."""
    return typer.style(text, bold=True)


def _sentence(error: Exception) -> str | None:
    """What PostgreSQL said, what is wrong with a setting, or what the machine refuses. A command that used neither
    PostgreSQL nor settings has not imported them.
    """
    if isinstance(error, OSError):
        return refusal_of_the_machine(error)
    psycopg2 = sys.modules.get("psycopg2")
    if psycopg2 is not None and isinstance(error, psycopg2.Error):
        said = error.diag
        if said.sqlstate is None:
            return str(error).strip()
        detail = f"\n{said.message_detail}" if said.message_detail else ""
        return f"ERROR: {said.message_primary} (SQLSTATE {said.sqlstate}){detail}"
    return refusal_of_a_setting(error)
