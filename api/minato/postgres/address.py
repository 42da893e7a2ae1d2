"""How to reach the embedded PostgreSQL: by its private socket without a password, by TCP with one."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

from minato.postgres.initialize import SUPERUSER
from minato.postgres.layout import Layout
from minato.postgres.pid_file import READY, read_pid_file

DATABASE = "postgres"
OWNER = "postgres"


@dataclass(frozen=True)
class PostgresAddress:
    """Where the server listens: `socket_folder` and, on 127.0.0.1, `port`. The password is shown in no repr."""

    socket_folder: Path
    port: int
    password: str = field(repr=False)
    owner_password: str | None = field(default=None, repr=False)

    def socket_url(self, user: str = SUPERUSER, database: str = DATABASE) -> str:
        """The connection string of any role, over the socket only this user can open."""
        folder = quote(str(self.socket_folder), safe="")
        return f"postgresql://{user}@/{database}?host={folder}&port={self.port}"

    def tcp_url(self, user: str = SUPERUSER, database: str = DATABASE) -> str:
        """The connection string for tools: the superuser and the project owner share the password, unless the owner
        has one of its own."""
        own = self.owner_password if user == OWNER else None
        return f"postgresql://{user}:{quote(own or self.password, safe='')}@127.0.0.1:{self.port}/{database}"


def running_address(layout: Layout) -> PostgresAddress | None:
    """The address of the server that runs on this data folder now, whoever started it; None when none is ready."""
    found = read_pid_file(layout.pid_file)
    if found is None or found.status != READY or found.socket_folder is None:
        return None
    socket = found.socket_folder / f".s.PGSQL.{found.port}"
    if not socket.exists():
        return None
    return address_at(layout, found.socket_folder, found.port)


def address_at(layout: Layout, socket_folder: Path, port: int) -> PostgresAddress:
    """The address with the passwords that the data folder keeps."""
    own = layout.owner_password
    return PostgresAddress(socket_folder, port, layout.password.read_text(), own.read_text() if own.exists() else None)
