"""What lies in a project's `supabase/` folder, by the names the Supabase CLI gives it.

`jobs/`, `startup.sql` and the folders below `seeds/` are Minato's own additions; a project may lack each of them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

_MIGRATION = re.compile(r"([0-9]+)_(.*)\.sql")


@dataclass(frozen=True)
class Migration:
    """One file of `supabase/migrations`: `<version>_<name>.sql`."""

    path: Path
    version: str
    name: str


@dataclass(frozen=True)
class Project:
    """The folder that holds `supabase/`."""

    root: Path

    @property
    def folder(self) -> Path:
        """Where everything of the project lies."""
        return self.root / "supabase"

    @property
    def migrations_folder(self) -> Path:
        return self.folder / "migrations"

    @property
    def seeds_folder(self) -> Path:
        return self.folder / "seeds"

    @property
    def startup_script(self) -> Path:
        """SQL that runs at every start, as the owner."""
        return self.folder / "startup.sql"

    def job(self, name: str) -> Path:
        """The statement of a background job."""
        return self.folder / "jobs" / f"{name}.sql"

    def migrations(self) -> list[Migration]:
        """Every migration in the order of the file names; files of other names are none."""
        if not self.migrations_folder.is_dir():
            return []
        files = sorted(self.migrations_folder.iterdir(), key=lambda path: path.name.encode())
        found = ((path, _MIGRATION.fullmatch(path.name)) for path in files if path.is_file())
        return [Migration(path, match[1], match[2]) for path, match in found if match]
