"""The port on which a local project's mail is read, beside that of its API."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager

from minato.cli.errors import CommandError

BACKLOG = 128


@contextmanager
def mail_listener(host: str, port: int | None) -> Iterator[socket.socket | None]:
    """The port, taken until the block ends; None for none. Raises `CommandError` when it can't be had."""
    if port is None:
        yield None
        return
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listener = socket.create_server((host, port), family=family, backlog=BACKLOG)
    except OSError as error:
        raise CommandError(
            f"Mail can't be shown on port {port}: {error.strerror or error}. Choose another as port of [inbucket] in "
            "config.toml, or start with --exclude mailpit."
        ) from None
    with listener:
        yield listener
