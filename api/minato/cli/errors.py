"""Failures a person can mend become one sentence and exit status 1; everything else keeps its stack trace."""

from __future__ import annotations

import errno
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

import typer

from minato.postgres.errors import PostgresError
from minato.project.errors import ProjectError

if TYPE_CHECKING:
    from pydantic import ValidationError


_RIGHTS: Final = "Run this as the user who owns it, or give this one rights."
_ROOM: Final = "Make room, and run it again."
_FILES: Final = "Allow more of them, by ulimit -n, and run it again."
# What a machine refuses whatever the program does, and what somebody can do about it. Any other error of the operating
# system is a mistake of ours.
_REFUSALS: Final = {
    errno.EACCES: _RIGHTS,
    errno.EPERM: _RIGHTS,
    errno.EROFS: "Choose a place that can be written to.",
    errno.ENOSPC: _ROOM,
    errno.EDQUOT: _ROOM,
    errno.EMFILE: _FILES,
    errno.ENFILE: _FILES,
}


class CommandError(Exception):
    """What is wrong and what to do about it, in one sentence."""


@contextmanager
def told_plainly() -> Iterator[None]:
    """Run a command; print its failure as a sentence."""
    try:
        yield
    except (CommandError, PostgresError, ProjectError) as error:
        raise fail(str(error)) from None
    except (OSError, ValueError) as error:
        refusal = refusal_of_the_machine(error) if isinstance(error, OSError) else refusal_of_a_setting(error)
        if refusal is None:
            raise
        raise fail(refusal) from None
    except KeyboardInterrupt:
        raise typer.Exit(130) from None


def refusal_of_the_machine(error: OSError) -> str | None:
    """What the machine refuses and what to do about it; None for an error that is no refusal."""
    advice = _REFUSALS.get(error.errno or 0)
    if advice is None:
        return None
    reason = error.strerror or str(error)
    told = f"{error.filename}: {reason[:1].lower()}{reason[1:]}" if error.filename is not None else reason
    return f"{told}. {advice}"


def refusal_of_a_setting(error: Exception) -> str | None:
    """What is wrong with a setting; None for another error."""
    # A command that read no settings has imported none of them: pydantic alone takes a third of a second.
    pydantic, keys = sys.modules.get("pydantic"), sys.modules.get("minato.tokens.user_keys")
    stores = sys.modules.get("minato.storage.backend.object_store")
    if pydantic is not None and isinstance(error, pydantic.ValidationError):
        return "; ".join(setting_problems(error))
    is_told = (keys is not None and isinstance(error, keys.UnusableKeys)) or (
        stores is not None and isinstance(error, stores.UnusableStore)
    )
    return str(error) if is_told else None


def setting_problems(error: ValidationError) -> list[str]:
    """What is wrong with which environment variable. The values stay out of it: they may be secrets."""
    from minato import config

    settings = getattr(config, error.title, None)
    prefix = settings.model_config.get("env_prefix", "") if settings else ""
    # A default that follows from what is wrong is no problem of its own.
    problems = [problem for problem in error.errors() if problem["type"] != "default_factory_not_called"]
    places = [(".".join(map(str, problem["loc"])), problem["msg"]) for problem in problems]
    # A field with an alias is reported by it, and the alias is the variable's whole name.
    return [f"{name if name.isupper() else prefix + name.upper()}: {message}." for name, message in places]


def fail(sentence: str) -> typer.Exit:
    """Say `sentence` on standard error; raise what comes back."""
    typer.secho(f"minato: {sentence}", err=True, fg=typer.colors.RED)
    return typer.Exit(1)
