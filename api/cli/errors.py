"""Failures a person can mend become one sentence and exit status 1; everything else keeps its stack trace."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import typer
from pydantic import ValidationError

from api.postgres.errors import PostgresError


class CommandError(Exception):
    """What is wrong and what to do about it, in one sentence."""


@contextmanager
def told_plainly() -> Iterator[None]:
    """Run a command; print its failure as a sentence."""
    try:
        yield
    except (CommandError, PostgresError) as error:
        raise fail(str(error)) from None
    except ValidationError as error:
        problems = "; ".join(f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors())
        raise fail(f"The settings can't be used: {problems}") from None
    except KeyboardInterrupt:
        raise typer.Exit(130) from None


def fail(sentence: str) -> typer.Exit:
    """Say `sentence` on standard error; raise what comes back."""
    typer.secho(f"minato: {sentence}", err=True, fg=typer.colors.RED)
    return typer.Exit(1)
