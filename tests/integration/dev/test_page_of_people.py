"""docs/how-to/people-mail-and-providers.md: its files and its scripts, as they stand there, with the real client."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

from tests.support.command import REPOSITORY, START_LIMIT
from tests.support.local_project import local_project

PAGE = REPOSITORY / "docs/how-to/people-mail-and-providers.md"

# A false assertion ends the script; Node 20 lacks sockets, which nobody opens here.
STRICT = """console.assert = (right) => { if (!right) throw new Error('not so'); };
globalThis.WebSocket ??= class {};
"""


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.S | re.M)


@contextmanager
def app() -> Iterator[str]:
    """Where people come back to: an app that has no page."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_what_the_page_says_is_so(tmp_path: Path) -> None:
    people, provider = blocks("toml")
    with app() as site, local_project(tmp_path, config=f'[auth]\nsite_url = "{site}"\n{provider}') as project:
        project.write("users.toml", people)
        (started,) = blocks("sh")
        settings = dict(re.findall(r"(\w+)=(\S+)", started))
        project.start(**settings)
        told = project.values()
        script = STRICT + "\n".join(blocks("js"))
        # Imports are looked up from the file's own place.
        ended = subprocess.run(
            ["node", "--input-type=module", "--eval", script],
            cwd=REPOSITORY / "web",
            env={**os.environ, "SUPABASE_URL": told["API_URL"], "SUPABASE_ANON_KEY": told["ANON_KEY"]},
            capture_output=True,
            text=True,
            timeout=START_LIMIT,
            check=False,
        )
        assert ended.returncode == 0, ended.stderr
