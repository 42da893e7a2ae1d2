"""`python -m minato.cli.detached`: the server that `start` and `db start` leave in the background. What it is to serve
stands in the first line of its standard input; without one it ends.

No command of the command line, because nobody types it: a table of sixty commands would be built at every start.
"""

from __future__ import annotations

import os
import sys

from minato.cli.process import uncollected


def main() -> int:
    """Serve until a signal comes; the exit status."""
    with uncollected():
        import typer

        from minato.cli.environment import process_environment
        from minato.cli.errors import told_plainly
        from minato.cli.local.options import StartOptions
        from minato.cli.local.start import import_server, serve_detached

        import_server()
    told = first_line()
    if not told:
        return 0
    try:
        with told_plainly():
            given = StartOptions.from_json(told)
            if not given.ephemeral:
                leave_input()
            if given.backup is None:
                serve_detached(given, process_environment())
            else:
                from minato.cli.db_tools.backup import restore_backup

                serve_detached(given, process_environment(), restore_backup)
    except typer.Exit as ended:
        return ended.exit_code
    return 0


def first_line() -> str:
    """Of the standard input, and nothing behind it: that it ends tells an ephemeral server to end."""
    with open(0, "rb", buffering=0, closefd=False) as given:
        return given.readline().decode()


def leave_input() -> None:
    """As a server that reads nothing."""
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
