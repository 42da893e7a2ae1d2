"""What `start` was asked for, in a form that a process of its own can be given."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

# The mail catcher, which is no service of the API.
MAIL = "mail"
FUNCTIONS = "functions"
# The reference's containers that may be left out, and the service each is here.
EXCLUDABLE: Mapping[str, str | None] = {
    "gotrue": "auth",
    "realtime": "realtime",
    "storage-api": "storage",
    "imgproxy": None,
    "kong": None,
    "mailpit": MAIL,
    "postgrest": "rest",
    "postgres-meta": None,
    "studio": None,
    "edge-runtime": FUNCTIONS,
    "logflare": None,
    "vector": None,
    "supavisor": None,
}


class AlreadyServed(Exception):
    """Another process serves the data folder."""


@dataclass(frozen=True)
class StartOptions:
    """The paths are absolute; `settings_file` holds settings behind the environment's, which stay out of the list of
    processes.

    `database_only` is `db start`, and `backup` what is restored there in place of migrations and seeds. The data of an
    ephemeral server go with it, and it goes with whoever started it.
    """

    workdir: Path
    data: Path
    port: int | None = None
    database_port: int | None = None
    mail_port: int | None = None
    services_off: list[str] = field(default_factory=list)
    migrate: bool = False
    ephemeral: bool = False
    database_only: bool = False
    settings_file: Path | None = None
    backup: Path | None = None

    def to_json(self) -> str:
        return json.dumps(asdict(self), default=str)

    @classmethod
    def from_json(cls, text: str) -> StartOptions:
        given = json.loads(text)
        paths = {
            name: Path(given[name])
            for name in ("workdir", "data", "settings_file", "backup")
            if given[name] is not None
        }
        return cls(**{**given, **paths})


# Every service here that may be left out.
SERVICES = tuple(sorted({service for service in EXCLUDABLE.values() if service is not None}))


def services_without(excluded: Sequence[str]) -> tuple[list[str], list[str]]:
    """The services that are switched off by the reference's names of containers, and the names that are none."""
    names = [name for text in excluded for name in text.split(",") if name]
    off = [service for name in names if (service := EXCLUDABLE.get(name))]
    return off, [name for name in names if name not in EXCLUDABLE]
