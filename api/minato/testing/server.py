"""Which server the tests use: the one that is named, the project's own that runs, or one for this run alone."""

from __future__ import annotations

import fcntl
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from minato.testing.control import MinatoError, call

STATE = Path("supabase", ".minato", "server.json")
# It says where it is and stays for as long as somebody holds its input: whoever is killed holds it no more.
HELD = 'echo "$MINATO_URL"; exec cat >/dev/null'


@dataclass
class Server:
    """`url` without a slash at the end. `held` keeps a server alive that was started for this run."""

    url: str
    held: int | None = None

    def release(self) -> None:
        """Ends it when nobody else holds it; a server that ran before goes on."""
        if self.held is not None:
            os.close(self.held)
            self.held = None


def find_server(shared: Path | None = None) -> Server:
    """The server; processes that name the same `shared` folder start one between them. Raises `RuntimeError`."""
    named = os.environ.get("MINATO_URL")
    if named:
        return Server(named.rstrip("/"))
    url = _running_above(Path.cwd())
    if url is not None:
        return Server(url)
    folder = shared or Path(tempfile.mkdtemp(prefix="minato-run-"))
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        with _locked(folder / "lock"):
            return _join(folder) or _start(folder)
    finally:
        if shared is None:
            for path in folder.iterdir():
                path.unlink()
            folder.rmdir()


def _running_above(folder: Path) -> str | None:
    """The project's own server, as its data folder tells: of this folder or one above it."""
    for place in (folder, *folder.parents):
        url = _url_in(place / STATE)
        if url is not None and _answers(url):
            return url
    return None


def _url_in(file: Path) -> str | None:
    with suppress(OSError, ValueError, KeyError, TypeError):
        # Somebody else's file could lead tests, and the keys they use, to somebody else's server.
        if file.stat().st_uid == os.getuid():
            return str(json.loads(file.read_text())["announcement"]["url"])
    return None


def _answers(url: str) -> bool:
    """A server that refuses says why when a branch is asked for; one that was killed left its file behind."""
    try:
        call("GET", f"{url}/_dev/v1/branches")
    except MinatoError:
        return True
    except OSError:
        return False
    return True


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _join(folder: Path) -> Server | None:
    """The one that another process of the run has started, if it still runs."""
    with suppress(OSError):
        # Nobody reads it any more: ENXIO.
        held = os.open(folder / "held", os.O_WRONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        return Server((folder / "url").read_text(), held)
    return None


def _start(folder: Path) -> Server:
    pipe, said = folder / "held", folder / "log"
    pipe.unlink(missing_ok=True)
    os.mkfifo(pipe, 0o600)
    # Both ends at once: neither waits for the other.
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    held = os.open(pipe, os.O_WRONLY | os.O_CLOEXEC)
    os.set_blocking(reader, True)
    command = [sys.executable, "-m", "minato", "exec", "--", "sh", "-c", HELD]
    with said.open("wb") as log, os.fdopen(reader) as given:
        # A session of its own: Ctrl-C is for the runner, whose end ends the server.
        child = subprocess.Popen(command, stdin=given, stdout=subprocess.PIPE, stderr=log, start_new_session=True)
    assert child.stdout is not None
    with child.stdout:
        url = child.stdout.readline().decode().strip()
    if not url:
        os.close(held)
        raise RuntimeError(f"minato exec ended with {child.wait()}.\n{said.read_text(errors='replace')}")
    (folder / "url").write_text(url)
    return Server(url, held)
