"""The hidden command that `start` and `db start` run in the background."""

from __future__ import annotations

from minato.cli.environment import process_environment
from minato.cli.errors import told_plainly


def local_server(options: str) -> None:
    """What `start` runs in the background."""
    with told_plainly():
        from minato.cli.local.options import StartOptions
        from minato.cli.local.start import serve_detached

        given = StartOptions.from_json(options)
        if given.backup is None:
            serve_detached(given, process_environment())
            return
        from minato.cli.db_tools.backup import restore_backup

        serve_detached(given, process_environment(), restore_backup)
