"""THIRD-PARTY-NOTICES.md: every locked package with its licence, as its own metadata says.

python -m tests.release.notices > THIRD-PARTY-NOTICES.md
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from importlib.metadata import PackageMetadata, metadata
from pathlib import Path

ROOT = Path(__file__).parents[2]
PREFACE = """\
# Third-party notices

Made by `python -m tests.release.notices` from the locks and from what the packages say of themselves.

"""
EXTENSIONS = ROOT / "api/minato/postgres/share/extension"
WORK_OF_OTHERS = re.compile(
    r"^-- (?P<name>\S+) (?P<version>\S+), a work of others.*?^-- (?P<licence>The \w+ Licence)$", re.M | re.S
)
# The SPDX names of licences that packages call by names of their own.
SPDX = {
    "Apache 2": "Apache-2.0",
    "Apache 2.0": "Apache-2.0",
    "Apache License 2.0": "Apache-2.0",
    "Apache License, Version 2.0": "Apache-2.0",
    "Apache Software License": "Apache-2.0",
    "BSD": "BSD-3-Clause",
    "BSD License": "BSD-3-Clause",
    "BSD 3-Clause": "BSD-3-Clause",
    "BSD, Public Domain": "BSD-2-Clause AND Unlicense",
    "ISC License": "ISC",
    "ISC License (ISCL)": "ISC",
    "LGPL with exceptions": "LGPL-3.0-or-later",
    "MIT License": "MIT",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "Python Software Foundation License": "PSF-2.0",
    "The PostgreSQL Licence": "PostgreSQL",
    "The Unlicense (Unlicense)": "Unlicense",
}


@dataclass(frozen=True, order=True)
class Notice:
    """A package of others that is installed or built in."""

    name: str
    version: str
    licence: str


def python_notices(lock: str) -> list[Notice]:
    """The packages of a lock of pip-compile, as they are installed here. Raises PackageNotFoundError for a lock that
    is not.
    """
    pinned = re.findall(r"^([a-zA-Z0-9._-]+)==([^\s;\\]+)", lock, re.M)
    return sorted(Notice(name, version, _licence(metadata(name))) for name, version in pinned)


def npm_notices(lock: str) -> list[Notice]:
    """The packages of a package-lock that are built into the app, development's left out."""
    found = json.loads(lock)["packages"]
    used = {path: known for path, known in found.items() if path and not known.get("dev")}
    return sorted(
        {
            Notice(path.rpartition("node_modules/")[2], known["version"], known.get("license", ""))
            for path, known in used.items()
        }
    )


def sql_notices(folder: Path) -> list[Notice]:
    """The scripts of extensions that say at their head that they are a work of others, whatever name they have."""
    heads = (path.read_text()[:4000] for path in folder.glob("*.sql"))
    found = (WORK_OF_OTHERS.search(head) for head in heads)
    return sorted(Notice(match["name"], match["version"], SPDX[match["licence"]]) for match in found if match)


def render() -> str:
    """The whole document."""
    python = python_notices((ROOT / "requirements.lock").read_text())
    web = npm_notices((ROOT / "web/package-lock.json").read_text())
    parts = [
        _table("Python packages the server installs", python),
        _table("SQL of others in the wheel, its licence at the head of each file", sql_notices(EXTENSIONS)),
        _table("npm packages of the web app", web),
    ]
    return PREFACE + "\n".join(parts)


def _licence(known: PackageMetadata) -> str:
    classes = [value.rpartition(" :: ")[2] for value in known.get_all("Classifier", []) if value.startswith("License")]
    said = [*known.get_all("License-Expression", []), *filter(_is_name, known.get_all("License", [])), *classes]
    licence = next((text for text in said if text), "")
    return SPDX.get(licence, licence)


def _is_name(text: str) -> bool:
    """Rather than the whole licence."""
    return "\n" not in text and len(text) < 50


def _table(title: str, notices: list[Notice]) -> str:
    rows = [f"| {notice.name} | {notice.version} | {notice.licence} |" for notice in notices]
    return "\n".join([f"## {title}", "", "| package | version | licence |", "|---|---|---|", *rows, ""])


if __name__ == "__main__":
    print(render(), end="")  # noqa: T201
