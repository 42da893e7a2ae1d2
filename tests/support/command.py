"""The `minato` command as a process of its own, the way a person or a script runs it."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.support.copies import Copy, run

START_LIMIT = 120.0
REPOSITORY = Path(__file__).parents[2]
# Settings of the person who runs the tests must not reach the servers under test: neither the environment's, nor those
# of the repository's .env, so they also run in a folder that has none.
ELSEWHERE = "/"
FOREIGN = (
    *("MINATO_", "GOTRUE_", "PGRST_", "REALTIME_", "STORAGE_", "SMTP_", "S3_PROTOCOL_", "SUPABASE_"),
    *("DATABASE_URL", "AUTHENTICATOR_URL", "REDIS_URL", "DEMO_PASSWORD"),
)


@dataclass
class Served:
    """A server that is ready: its JSON line and its process."""

    info: dict[str, Any]
    process: subprocess.Popen[str] | Copy

    def stop(self, number: signal.Signals = signal.SIGINT) -> int:
        """Send a signal and return the exit status."""
        self.process.send_signal(number)
        return self.process.wait(START_LIMIT)


def environment(**settings: str) -> dict[str, str]:
    """This process's environment with only the given settings of the product."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(FOREIGN)}
    paths = [str(REPOSITORY), *(settings.pop("PYTHONPATH", kept.pop("PYTHONPATH", "")).split(os.pathsep))]
    return {**kept, "PYTHONPATH": os.pathsep.join(filter(None, paths)), **settings}


def run_minato(*arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
    """Run a command to its end."""
    return run(arguments, cwd=ELSEWHERE, env=environment(**settings), timeout=START_LIMIT)


@contextmanager
def served(
    data_dir: Path,
    *arguments: str,
    prefix: Sequence[str] = (),
    python: str | None = None,
    module: str = "minato",
    cwd: Path | str = ELSEWHERE,
    **settings: str,
) -> Iterator[Served]:
    """`minato serve --port 0 --json` on `data_dir`, ready; ended at the end of the block, whatever state it is in.

    A process that imports the program itself where a `prefix`, `python` or PYTHONPATH is named, else a copy of a
    prepared one.
    """
    given = ["serve", "--port", "0", "--json", "--no-seed", *arguments, "--data-dir", str(data_dir)]
    imports = bool(prefix or python or "PYTHONPATH" in settings)
    variables = environment(**settings)
    process: subprocess.Popen[str] | Copy
    if imports:
        command = [*prefix, python or sys.executable, "-m", module, *given]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=cwd, env=variables)
    else:
        process = Copy(given, module=module, stdout=subprocess.PIPE, text=True, cwd=cwd, env=variables)
    try:
        yield Served(json.loads(_first_line(process)), process)
    finally:
        if process.poll() is None:
            process.terminate()
            process.wait(START_LIMIT)
        assert process.stdout is not None
        process.stdout.close()


def _first_line(process: subprocess.Popen[str] | Copy) -> str:
    assert process.stdout is not None
    readable, _, _ = select.select([process.stdout], [], [], START_LIMIT)
    assert readable, "the server did not become ready"
    line = process.stdout.readline()
    assert line, "the server ended before it was ready"
    return line
