"""Calm lines while something takes long; nothing when a script reads the output."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import typer


class Progress:
    """Says what is being done on standard error, and how long it took; `warn` says what works, but not as it should."""

    def __init__(self, *, quiet: bool = False, warn: Callable[[str], object] | None = None) -> None:
        self._quiet = quiet
        self.warn = warn or _say_yellow

    @contextmanager
    def step(self, sentence: str) -> Iterator[None]:
        """Announce a step; a tick and the seconds follow when it is done."""
        if self._quiet:
            yield
            return
        began = time.perf_counter()
        typer.echo(f"  {sentence} …", nl=False, err=True)
        try:
            yield
        except BaseException:
            typer.echo(" stopped", err=True)
            raise
        typer.secho(f" {time.perf_counter() - began:.1f} s", err=True, fg=typer.colors.BRIGHT_BLACK)


def _say_yellow(sentence: str) -> None:
    """Something that works, but not as it should; said to scripts too, on standard error."""
    typer.secho(f"  {sentence}", err=True, fg=typer.colors.YELLOW)
