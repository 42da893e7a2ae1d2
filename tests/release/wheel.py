"""`make wheel`: the sdist, the wheel built from it, and whether they are what a release may be.

python -m tests.release.wheel dist
"""

from __future__ import annotations

import re
import subprocess
import sys
import tarfile
import zipfile
from email import message_from_bytes
from email.message import Message
from pathlib import Path

from minato import __version__

ROOT = Path(__file__).parents[2]
LICENCES = {"LICENSE", "NOTICE", "THIRD-PARTY-NOTICES.md"}
ONLY = ("minato/", f"minato-{__version__}.dist-info/")
# What is of this repository and of no user of the package.
NOT_OURS = re.compile(r"(^|/)(tests?|bench|web|marketplace|node_modules|__pycache__)(/|$)")
RELATIVE_LINK = re.compile(r"\]\((?!https?://|#|mailto:)")


def build(into: Path) -> tuple[Path, Path]:
    """The sdist of this checkout, and the wheel made from nothing but it; both without a network."""
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(into), str(ROOT)]
    subprocess.run(command, check=True, capture_output=True)
    return into / f"minato-{__version__}.tar.gz", into / f"minato-{__version__}-py3-none-any.whl"


def faults(sdist: Path, wheel: Path) -> list[str]:
    """What keeps them from being published, a sentence each."""
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        known = message_from_bytes(archive.read(f"{ONLY[1]}METADATA"))
    with tarfile.open(sdist) as archive:
        sources = archive.getnames()
    found = [f"the wheel installs {name}, beside the package" for name in names if not name.startswith(ONLY)]
    found += [f"{name} belongs to no user of the package" for name in [*names, *sources] if NOT_OURS.search(name)]
    if not any(name.startswith("minato/data/migrations/platform/") for name in names):
        found.append("the wheel lacks the platform's migrations")
    if "minato/dev/console/index.html" not in names:
        found.append("the wheel lacks the console: make console")
    if f"minato/testing/npm/minato-test-{__version__}.tgz" not in names:
        found.append("the wheel lacks minato-test of its version: make minato-test")
    shipped = {name.rpartition("/")[2] for name in names if name.startswith(f"{ONLY[1]}licenses/")}
    found += [f"the wheel lacks {name}" for name in sorted(LICENCES - shipped)]
    return found + _faults_of_metadata(known)


def _faults_of_metadata(known: Message) -> list[str]:
    expected = {
        "Name": "minato",
        "Version": __version__,
        "License-Expression": "Apache-2.0",
        "Requires-Python": ">=3.11",
        "Description-Content-Type": "text/markdown",
    }
    found = [f"{name} is {known[name]} instead of {value}" for name, value in expected.items() if known[name] != value]
    description = str(known.get_payload())
    if not description.startswith("# Minato"):
        found.append("the description is not that of the package")
    if RELATIVE_LINK.search(description):
        found.append("the description links to a file that an index does not have")
    return found


def main(into: Path) -> int:
    sdist, wheel = build(into)
    wrong = faults(sdist, wheel)
    for line in wrong or [f"{sdist}\n{wheel}"]:
        print(line)  # noqa: T201
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
