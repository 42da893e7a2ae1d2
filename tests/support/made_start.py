"""The server as `make start` starts it."""

from __future__ import annotations

import json
import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.support.command import REPOSITORY, environment
from tests.support.starts import watched


@contextmanager
def made_start(data: Path, **settings: str) -> Iterator[dict[str, str]]:
    """The server of `make start` on a data folder; its announcement."""
    given = [*recipe(), "--json", "--port", "0", "--data-dir", str(data)]
    variables = environment(XDG_STATE_HOME=str(data.parent / "state"), MINATO_DEMO_MODE="false", **settings)
    with watched(given, REPOSITORY, variables) as running:
        running.wait_for(lambda: running.out.endswith("\n"), "the server is ready")
        yield json.loads(running.out)
        assert running.end(signal.SIGINT) == 0


def recipe() -> list[str]:
    """What `make start` gives to the command, but for the settings of whoever has this checkout."""
    makefile = (REPOSITORY / "Makefile").read_text()
    [line] = re.findall(r"^start: setup.*\n\t@exec \$\(MINATO\) (start .*)$", makefile, re.MULTILINE)
    words = line.split()
    place = words.index("--env-file")
    assert words[place + 1] == ".env"
    return [*words[:place], *words[place + 2 :]]
