"""`minato snapshot export` and `import`: a file between two servers, whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, Final

import httpx

from minato.cli.branches import SNAPSHOTS, Server, at, refusal, with_query
from minato.cli.local.failures import CommandFailure

# A large database is dumped or restored before the first byte of an answer.
SECONDS: Final = 3600.0


def write_snapshot(server: Server, name: str, file: Path, replace: bool) -> None:
    """Write it beside `file` first, so that a file of that name is a whole one. Raises `CommandFailure`."""
    if file.exists() and not replace:
        raise CommandFailure(f"There is a file {file} already.", "Give it another name, or say --replace.")
    with _drafted(file) as draft, _answered(server, "GET", at(SNAPSHOTS, name, "export")) as answer:
        for piece in answer.iter_raw():
            draft.write(piece)


def read_snapshot(server: Server, file: Path, name: str | None, replace: bool) -> Any:
    """What the server says of the snapshot that it made. Raises `CommandFailure`."""
    path = with_query(f"{SNAPSHOTS}/import", name=name, replace="true" if replace else None)
    try:
        with file.open("rb") as opened, _answered(server, "POST", path, opened) as answer:
            answer.read()
            return answer.json()
    except OSError as error:
        raise CommandFailure(f"{file} cannot be read: {error.strerror}") from None


@contextmanager
def _drafted(file: Path) -> Iterator[IO[bytes]]:
    """A file for its owner alone, which takes the place of `file` once all is in it. Raises `CommandFailure`."""
    if file.exists() and not file.is_file():
        # A device, a pipe or a folder, which no file may take the place of.
        raise CommandFailure(f"{file} cannot be written: it is no file")
    # Where a link leads: the link itself stays.
    file = file.resolve()
    try:
        number, draft = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
    except OSError as error:
        raise CommandFailure(f"{file} cannot be written: {error.strerror}") from None
    try:
        with os.fdopen(number, "wb") as opened:
            yield opened
            opened.flush()
            os.fsync(opened.fileno())
        Path(draft).replace(file)
    except OSError as error:
        raise CommandFailure(f"{file} cannot be written: {error.strerror}") from None
    finally:
        with suppress(FileNotFoundError):
            Path(draft).unlink()


@contextmanager
def _answered(server: Server, method: str, path: str, body: IO[bytes] | None = None) -> Iterator[httpx.Response]:
    """The answer of a call that succeeded, unread. Raises `CommandFailure`."""
    headers = {"authorization": f"Bearer {server.token}"} if server.token else {}
    try:
        with (
            httpx.Client(trust_env=False, timeout=SECONDS, headers=headers) as client,
            client.stream(method, f"{server.url}/_dev/v1{path}", content=body) as answer,
        ):
            if not answer.is_success:
                answer.read()
                raise refusal(answer)
            yield answer
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise CommandFailure(f"{server.url} does not answer: {str(error) or type(error).__name__}") from None
