"""`python -m tests.support.with_server <command>`: runs the command while a Minato of its own serves.

The command finds the server in SUPABASE_URL, SUPABASE_ANON_KEY, SUPABASE_SERVICE_ROLE_KEY, … (the JSON line of
`minato serve --json`, upper case, with that prefix); its exit status is ours.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.support.command import ELSEWHERE, REPOSITORY, environment
from tests.support.folders import use_temporary_folder


def main(command: list[str]) -> int:
    use_temporary_folder()
    with tempfile.TemporaryDirectory(prefix="minato-") as folder:
        serve = [sys.executable, "-m", "minato", "serve", "--port", "0", "--json", "--data-dir", folder]
        settings = environment(
            MINATO_WEB_ROOT=str(REPOSITORY / "web" / "dist"),
            MINATO_FUNCTIONS_FOLDER=str(REPOSITORY / "tests" / "support" / "functions"),
            MINATO_FUNCTIONS_CACHE=str(Path(folder) / "packages"),
            MINATO_FUNCTIONS_CONFIG=json.dumps({name: {"verify_jwt": False} for name in ("wire", "broken")}),
            MINATO_FUNCTIONS_CPU_LIMIT="0.5",
            VECTOR_ENABLED="true",
            VECTOR_MAX_BUCKETS="100",
        )
        server = subprocess.Popen(serve, stdout=subprocess.PIPE, text=True, cwd=ELSEWHERE, env=settings)
        assert server.stdout is not None
        try:
            line = server.stdout.readline()
            if not line:
                return server.wait() or 1
            found = {f"SUPABASE_{name.upper()}": str(value) for name, value in json.loads(line).items()}
            return subprocess.run(command, check=False, env={**os.environ, **found}).returncode
        finally:
            server.terminate()
            server.wait(30)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
