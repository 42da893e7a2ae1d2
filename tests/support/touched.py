"""`python -m tests.support.touched integration|web [commit]`: what a quick run proves of a change, one file a line.

`integration`: the tests of a PostgreSQL that changed, or that import a module which did. `web`: the changed sources,
whose tests Vitest finds by itself. A change is what differs from `commit`, without one from where the branch began.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterable, Iterator

from tests.support.command import REPOSITORY

ROOMS = ("tests/integration", "tests/security")
SOURCES = (".ts", ".tsx", ".js", ".mjs")


def changed(since: str) -> list[str]:
    """Files that differ from `since` and those that git does not know yet."""
    lists = (("diff", "--name-only", "--diff-filter=d", since), ("ls-files", "--others", "--exclude-standard"))
    return sorted({name for arguments in lists for name in git(*arguments).splitlines()})


def beginning() -> str:
    """Where this branch left the main one; the last commit where there is no other branch."""
    for main in ("origin/main", "main"):
        if base := git("merge-base", "HEAD", main, check=False).strip():
            return base
    return "HEAD"


def integration_tests(files: Iterable[str]) -> Iterator[str]:
    """The changed test files and those that import a changed module."""
    files = list(files)
    modules = [name for file in files if (name := module_of(file))]
    imports = re.compile(rf"^from ({'|'.join(map(re.escape, modules))}) import", re.MULTILINE) if modules else None
    for room in ROOMS:
        for path in sorted((REPOSITORY / room).rglob("test_*.py")):
            name = path.relative_to(REPOSITORY).as_posix()
            if name in files or (imports and imports.search(path.read_text())):
                yield name


def module_of(file: str) -> str:
    """`minato.rest.app` of `api/minato/rest/app.py`; nothing for what tests don't import."""
    module = re.fullmatch(r"(?:api/)?((?:minato|tests)/.+?)(?:/__init__)?\.py", file)
    return module[1].replace("/", ".") if module else ""


def web_files(files: Iterable[str]) -> Iterator[str]:
    """Changed sources of the web app, as its own tools name them."""
    for file in files:
        if file.startswith("web/") and file.endswith(SOURCES):
            yield file.removeprefix("web/")


def git(*arguments: str, check: bool = True) -> str:
    command = ["git", "-C", str(REPOSITORY), *arguments]
    return subprocess.run(command, check=check, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout


if __name__ == "__main__":
    kind, since = sys.argv[1], (sys.argv[2:] or [beginning()])[0]
    found = {"integration": integration_tests, "web": web_files}[kind](changed(since))
    sys.stdout.write("".join(f"{name}\n" for name in found))
