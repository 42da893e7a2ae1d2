"""Failures a person can mend become one sentence and exit status 1; everything else keeps its stack trace."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import typer

from minato.postgres.errors import PostgresError
from minato.project.errors import ProjectError

if TYPE_CHECKING:
    from pydantic import ValidationError


class CommandError(Exception):
    """What is wrong and what to do about it, in one sentence."""


@contextmanager
def told_plainly() -> Iterator[None]:
    """Run a command; print its failure as a sentence."""
    try:
        yield
    except (CommandError, PostgresError, ProjectError) as error:
        raise fail(str(error)) from None
    except ValueError as error:
        # A command that read no settings has not imported pydantic, which takes a third of a second.
        pydantic = sys.modules.get("pydantic")
        if pydantic is None or not isinstance(error, pydantic.ValidationError):
            raise
        raise fail("; ".join(setting_problems(error))) from None
    except KeyboardInterrupt:
        raise typer.Exit(130) from None


def setting_problems(error: ValidationError) -> list[str]:
    """What is wrong with which environment variable. The values stay out of it: they may be secrets."""
    from minato import config

    settings = getattr(config, error.title, None)
    prefix = settings.model_config.get("env_prefix", "") if settings else ""
    places = [(".".join(map(str, problem["loc"])), problem["msg"]) for problem in error.errors()]
    # A field with an alias is reported by it, and the alias is the variable's whole name.
    return [f"{name if name.isupper() else prefix + name.upper()}: {message}." for name, message in places]


def fail(sentence: str) -> typer.Exit:
    """Say `sentence` on standard error; raise what comes back."""
    typer.secho(f"minato: {sentence}", err=True, fg=typer.colors.RED)
    return typer.Exit(1)
