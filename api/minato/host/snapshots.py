"""Databases with a name that nobody connects to, and their files: a situation to come back to."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path

import orjson

from minato.entropy import Entropy
from minato.host.base import Source
from minato.host.carried import CARRIED
from minato.host.errors import BranchError
from minato.host.files import bytes_below
from minato.host.names import SNAPSHOT
from minato.kept_files import write_kept

RECORD, DATABASE = "snapshot.json", "database"
PREFIX = "minato_snapshot_"


@dataclass(frozen=True)
class Snapshot:
    """One of them; `bytes` are the database's, `files` those of the stored files."""

    name: str
    of: str
    bytes: int
    files: int
    created_at: str
    ms: int


class Snapshots:
    """Those of a folder, which has a folder for each. They outlive the server."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def all(self) -> list[Snapshot]:
        """By name; one that was cut off while it was made is none."""
        records = sorted(self._folder.glob(f"*/{RECORD}"))
        return [Snapshot(**orjson.loads(record.read_bytes())) for record in records]

    def source(self, name: str) -> Source:
        """What branches may be made of. Raises BranchError."""
        found = next((one for one in self.all() if one.name == name), None)
        if found is None:
            known = ", ".join(one.name for one in self.all()) or "none"
            raise BranchError(404, "snapshot_not_found", f'There is no snapshot "{name}".', f"Known: {known}.")
        database = self.database(name)
        assert database is not None  # the record is written last
        kept = self.place(name) / CARRIED
        return Source(SNAPSHOT + name, database, self.place(name), carries=kept.read_bytes() if kept.exists() else None)

    def place(self, name: str) -> Path:
        """Where its files are."""
        return self._folder / name

    def database(self, name: str) -> str | None:
        """Its database's name; None where it has none."""
        told = self.place(name) / DATABASE
        return told.read_text() if told.exists() else None

    def begin(self, name: str, entropy: Entropy) -> str:
        """A place for its files; the name for its database, which no other installation on the same server has."""
        database = PREFIX + entropy.base32(8)
        self.place(name).mkdir(mode=0o700, parents=True)
        write_kept(self.place(name) / DATABASE, database)
        return database

    def keep(self, name: str, of: str, size: int, at: datetime, milliseconds: int) -> Snapshot:
        """Say that it is whole."""
        told = at.isoformat(timespec="seconds").replace("+00:00", "Z")
        made = Snapshot(name, of, size, bytes_below(self.place(name)), told, milliseconds)
        write_kept(self.place(name) / RECORD, orjson.dumps(asdict(made)))
        return made
