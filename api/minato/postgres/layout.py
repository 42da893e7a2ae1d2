"""Where things lie in a data folder, and the short private place sockets move to when its path is too long."""

from __future__ import annotations

import hashlib
import os
import secrets
import stat
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from minato.postgres.errors import PostgresError

# sockaddr_un holds 108 bytes on Linux and 104 on macOS, a closing NUL included.
LONGEST_SOCKET_PATH = 103
LONGEST_SOCKET_NAME = "/.s.PGSQL.65535"


@dataclass(frozen=True)
class Layout:
    """The files of one embedded PostgreSQL below `data_dir`, which is absolute."""

    data_dir: Path

    @property
    def cluster(self) -> Path:
        """What PostgreSQL calls the data directory."""
        return self.data_dir / "postgres"

    @property
    def unfinished_cluster(self) -> Path:
        """Where initdb works, so that an interrupted one is never mistaken for a database."""
        return self.data_dir / "postgres.unfinished"

    @property
    def log(self) -> Path:
        """What the server writes to its standard error."""
        return self.data_dir / "postgres.log"

    @property
    def password(self) -> Path:
        """The superuser's password for TCP connections, mode 0600."""
        return self.data_dir / "postgres.password"

    @property
    def owner_password(self) -> Path:
        """The project owner's, where it is another than the superuser's: that of local development."""
        return self.data_dir / "postgres.owner-password"

    @property
    def vault_key(self) -> Path:
        """The vault's root keys, mode 0600."""
        return self.data_dir / "vault.key"

    @property
    def port(self) -> Path:
        """The TCP port of the last run, taken again when it is free."""
        return self.data_dir / "postgres.port"

    @property
    def lock(self) -> Path:
        """Held by the one process that may start this PostgreSQL."""
        return self.data_dir / "postgres.lock"

    @property
    def extensions(self) -> Path:
        """Control files of extensions that the project's owner may create."""
        return self.data_dir / "postgres.extensions"

    @property
    def pid_file(self) -> Path:
        """PostgreSQL's own `postmaster.pid`."""
        return self.cluster / "postmaster.pid"

    @property
    def tag(self) -> str:
        """The `cluster_name`: it stands in the command line of every process of this PostgreSQL."""
        return f"minato-{hashlib.sha256(os.fsencode(self.data_dir)).hexdigest()[:12]}"

    def prepare(self) -> None:
        """Create the data folder, readable by its owner alone."""
        self.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.data_dir.chmod(0o700)

    @property
    def sockets(self) -> Path:
        """Holds the folder of the sockets, unless its path is too long for one."""
        return self.data_dir / "run"

    @property
    def socket_word(self) -> Path:
        """A word in the path of the sockets, mode 0600."""
        return self.data_dir / "postgres.socket-word"

    def socket_folder(self, runtime: str | None) -> Path:
        """A folder nobody else can enter, short enough for a socket: whoever reaches the socket is trusted.

        Nor can anybody guess its name who can't read the data folder, as an Edge Function in Python that runs as the
        same user can't. `runtime` is XDG_RUNTIME_DIR.
        """
        word = _kept_word(self.socket_word)
        inside = self.sockets / word
        if len(os.fsencode(inside)) + len(LONGEST_SOCKET_NAME) > LONGEST_SOCKET_PATH:
            return private_folder(_runtime_folder(runtime) / f"{self.tag}-{word}")
        private_folder(self.sockets)
        return private_folder(inside)


def _kept_word(path: Path) -> str:
    """The word that the file keeps; made by whoever needs it first."""
    with suppress(FileExistsError), os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(secrets.token_hex(8))
    word = path.read_text()
    if not word:
        # Whoever made it was cut off.
        path.unlink(missing_ok=True)
        return _kept_word(path)
    return word


def private_folder(path: Path) -> Path:
    """`path`, created with mode 0700 or found so. Raises `PostgresError` when another user could enter it."""
    path.mkdir(mode=0o700, exist_ok=True)
    found = path.lstat()
    private = stat.S_ISDIR(found.st_mode) and stat.S_IMODE(found.st_mode) == 0o700
    if not private or os.geteuid() not in (0, found.st_uid):
        raise PostgresError(f"{path} is open to others; remove it and start again.")
    return path


def _runtime_folder(runtime: str | None) -> Path:
    """The operating system's place for sockets. /run belongs to root, so nobody can put a folder there before us."""
    if os.geteuid() == 0 and Path("/run").is_dir():
        return Path("/run")
    return Path(runtime) if runtime and Path(runtime).is_dir() else Path(tempfile.gettempdir())
