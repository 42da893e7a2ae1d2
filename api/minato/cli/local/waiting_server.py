"""A server's process that begins before it is known what it is to serve: its imports and those of the command line take
as long as each other, and go on side by side.

Nothing is imported here that a command line could wait for.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from minato.cli.local.options import StartOptions

# What runs in the background.
SERVER = "minato.cli.detached"
# With these `start` serves in its own process, or only says how it is used.
WITHOUT = frozenset({"--foreground", "--json", "--help"})


class WaitingServer:
    """It ends by itself when it is told nothing, and when whoever would tell it is gone."""

    def __init__(self) -> None:
        # The folder is for whoever reads the list of processes. It runs in one that is nobody's: what lies in the
        # current one must not be imported.
        command = [sys.executable, "-m", SERVER, os.getcwd()]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd="/", start_new_session=True
        )

    def serve(self, options: StartOptions) -> None:
        """Tell it what to serve. An ephemeral server ends when this process does, because nobody holds its standard
        input any more."""
        assert self.process.stdin is not None
        # One that is gone has said why, or is asked for its exit status.
        with suppress(BrokenPipeError):
            self.process.stdin.write(options.to_json().encode() + b"\n")
            self.process.stdin.flush()
        if not options.ephemeral:
            self.dismiss()

    def dismiss(self) -> None:
        """Tell it nothing more."""
        if self.process.stdin is not None:
            with suppress(BrokenPipeError):
                self.process.stdin.close()


def server_ahead(arguments: Sequence[str]) -> WaitingServer | None:
    """The server for a command line of `minato start`; None where it may not want one in the background.

    >>> server_ahead(["stop"]), server_ahead(["start", "--foreground"]), server_ahead(["--debug", "start"])
    (None, None, None)
    """
    if arguments[:1] != ["start"] or not WITHOUT.isdisjoint(arguments):
        return None
    try:
        return WaitingServer()
    except OSError:
        # The current folder is gone, or there is no process left: whoever needs a server meets that again.
        return None
