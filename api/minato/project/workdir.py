"""Which project a command is about: the working directory, its name and the folder of its data, as the Supabase CLI
finds them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from minato.project.config_document import config_file

LONGEST_ID = 40
_NOT_IN_IDS = re.compile(r"[^a-zA-Z0-9_.-]+")


@dataclass(frozen=True)
class Workdir:
    """The folder that holds `supabase/`, or may hold it; `was_sought` says that it is another than the current one."""

    root: Path
    was_sought: bool = False

    @property
    def supabase(self) -> Path:
        return self.root / "supabase"

    @property
    def config_file(self) -> Path:
        """config.toml, or the JSON file that stands for it."""
        return config_file(self.supabase)

    @property
    def data(self) -> Path:
        """Where the project's database and files lie."""
        return self.supabase / ".minato"


def find_workdir(given: Path | None, environment: Mapping[str, str], current: Path) -> Workdir:
    """`given` or SUPABASE_WORKDIR; else the nearest folder upwards with a configuration; else `current`."""
    named = given or (Path(environment["SUPABASE_WORKDIR"]) if environment.get("SUPABASE_WORKDIR") else None)
    if named is not None:
        root = (current / named).resolve()
        return Workdir(root, root != current)
    for folder in (current, *current.parents):
        if Workdir(folder).config_file.is_file():
            return Workdir(folder, folder != current)
    return Workdir(current)


def sanitized_id(wanted: str) -> str:
    """A project's id without the characters that may not stand in one.

    >>> sanitized_id("My shop (2)"), sanitized_id("._x"), sanitized_id("a" * 50) == "a" * 40
    ('My_shop_2_', 'x', True)
    """
    return _NOT_IN_IDS.sub("_", wanted).lstrip("_.-")[:LONGEST_ID]
