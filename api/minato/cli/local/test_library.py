"""`minato test init`: the npm package `minato-test` as this installation carries it, in the project's package.json.

A copy lies in the project and is named by a path within it, so that it is the same on every machine and in CI.
"""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Final

from minato.cli.local.failures import CommandFailure
from minato.cli.local.plan import say
from minato.json_text import JsonObject
from minato.places import PACKAGE

CARRIED: Final = PACKAGE / "testing" / "npm"
NAME: Final = "minato-test"
_INDENT: Final = re.compile(r'^([ \t]+)"', re.MULTILINE)


def add_library(workdir: Path, carried: Path = CARRIED) -> None:
    """Put the package beside the nearest package.json, and write it there. Raises `CommandFailure`."""
    package = next(iter(sorted(carried.glob(f"{NAME}-*.tgz"))), None)
    if package is None:
        raise CommandFailure("This installation carries no minato-test.", "In a checkout, make minato-test packs it.")
    manifest = next((place / "package.json" for place in (workdir, *workdir.parents) if _has_manifest(place)), None)
    if manifest is None:
        raise CommandFailure(f"There is no package.json in {workdir} or above.", "npm init makes one.")
    root = manifest.parent
    folder = root / "supabase" if (root / "supabase").is_dir() else root
    text, told = _read(manifest)
    for former in folder.glob(f"{NAME}-*.tgz"):
        former.unlink()
    shutil.copyfile(package, folder / package.name)
    named = f"file:{(folder / package.name).relative_to(root).as_posix()}"
    _write(manifest, text, told, named)
    say(f"{manifest.name} names {NAME} by {named}: keep both, and run npm install.")


def _has_manifest(place: Path) -> bool:
    return (place / "package.json").is_file()


def _read(manifest: Path) -> tuple[str, JsonObject]:
    text = manifest.read_text(encoding="utf-8")
    try:
        told = json.loads(text)
    except ValueError as error:
        raise CommandFailure(f"{manifest} is no JSON: {error}.") from None
    if not isinstance(told, dict) or not isinstance(told.get("devDependencies", {}), dict):
        raise CommandFailure(f"{manifest} is no package.json.")
    return text, told


def _write(manifest: Path, text: str, told: JsonObject, named: str) -> None:
    """As npm writes it: in the file's own indent, dependencies by name."""
    known = {**told.get("devDependencies", {}), NAME: named}
    told["devDependencies"] = dict(sorted(known.items()))
    told.get("dependencies", {}).pop(NAME, None)
    found = _INDENT.search(text)
    ending = "\n" if text.endswith("\n") or not text.strip() else ""
    written = json.dumps(told, indent=found[1] if found else 2, ensure_ascii=False) + ending
    draft = manifest.with_name(f".{manifest.name}.new")
    draft.write_text(written, encoding="utf-8")
    draft.replace(manifest)
