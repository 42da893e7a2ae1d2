"""Creates the database cluster, once per data folder."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from minato.entropy import Entropy
from minato.kept_files import sync, write_kept
from minato.postgres.account import give_files
from minato.postgres.binaries import PostgresBinaries
from minato.postgres.errors import PostgresError
from minato.postgres.layout import Layout
from minato.postgres.log_file import open_log
from minato.postgres.process import Surroundings, require_account, spawn
from minato.postgres.waiting import Steps

# A hosted project's cluster belongs to supabase_admin; `postgres` is the project owner's role, made by a migration.
SUPERUSER = "supabase_admin"
POLL_SECONDS = 0.005


def is_initialized(layout: Layout) -> bool:
    """Whether the cluster exists; it appears in one rename, so never half made."""
    return (layout.cluster / "PG_VERSION").exists()


def require_same_version(layout: Layout, binaries: PostgresBinaries) -> None:
    """Refuse a cluster of another major version with a sentence instead of a line in a log."""
    found = (layout.cluster / "PG_VERSION").read_text().strip()
    if found != str(binaries.major_version):
        raise PostgresError(
            f"{layout.cluster} was made by PostgreSQL {found} and {binaries.folder} is {binaries.major_version}: "
            "set MINATO_POSTGRES_BIN to the older one, or choose another --data-dir."
        )


def initialize_steps(layout: Layout, binaries: PostgresBinaries, surroundings: Surroundings, durable: bool) -> Steps:
    """Run initdb; yields the seconds to wait until looking again. Raises `NamespaceRefused` or `PostgresError`."""
    target = layout.unfinished_cluster
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(mode=0o700)
    give_files(target, surroundings.account)
    write_password(layout.password)
    with open_log(layout.log, anew=True) as log:
        child = spawn(surroundings, binaries.program("initdb"), _arguments(layout, binaries, durable), log)
    try:
        while child.poll() is None:
            yield POLL_SECONDS
    finally:
        # Still running here means that the caller gave up (Ctrl-C): initdb must not go on without us.
        if child.poll() is None:
            child.kill()
            child.wait()
    require_account(child)
    if child.returncode != 0:
        raise PostgresError(f"initdb failed: {layout.log.read_text(errors='replace').strip()[-2000:]}")
    target.rename(layout.cluster)
    sync(layout.cluster.parent)


def _arguments(layout: Layout, binaries: PostgresBinaries, durable: bool) -> list[str]:
    # C.UTF-8 sorts by code point and is the same everywhere; 17 and later bring it themselves.
    builtin = ["--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"]
    syncfs = ["--sync-method=syncfs"] if sys.platform == "linux" else []
    modern = binaries.major_version >= 17
    return [
        f"--pgdata={layout.unfinished_cluster}",
        f"--username={SUPERUSER}",
        "--encoding=UTF8",
        *(builtin if modern else ["--locale=C"]),
        "--auth-local=trust",
        "--auth-host=scram-sha-256",
        f"--pwfile={layout.password}",
        *((syncfs if modern else []) if durable else ["--no-sync"]),
    ]


def write_password(path: Path) -> None:
    """The superuser's, made anew."""
    write_kept(path, Entropy().bytes(24).hex())
