"""The ports on which a local project's mail is read and taken, beside that of its API."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager

from minato.cli.errors import CommandError

BACKLOG = 128


@contextmanager
def mail_listener(host: str, port: int | None, key: str = "port") -> Iterator[socket.socket | None]:
    """The port, taken until the block ends; None for none. `key` names it in [local_smtp]. Raises `CommandError` when
    it can't be had.
    """
    if port is None:
        yield None
        return
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listener = socket.create_server((host, port), family=family, backlog=BACKLOG)
    except OSError as error:
        done = "shown" if key == "port" else "taken"
        raise CommandError(
            f"Mail can't be {done} on port {port}: {error.strerror or error}. Choose another as {key} of [local_smtp] "
            "in config.toml, or start with --exclude mailpit."
        ) from None
    with listener:
        yield listener
