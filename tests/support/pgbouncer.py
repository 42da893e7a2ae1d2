"""A PgBouncer of the tests' own: Debian's, in transaction mode in front of the tests' PostgreSQL."""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from shutil import which

from minato.postgres.account import choose_account
from minato.postgres.cluster import free_port
from minato.postgres.process import Surroundings, spawn

from tests.support.postgres import Cluster
from tests.support.waiting import until

CONFIGURATION = """
[databases]
* = host={socket} port={port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {own}
unix_socket_dir =
auth_type = trust
auth_file = {users}
pool_mode = transaction
default_pool_size = 3
max_client_conn = 200
server_reset_query = DISCARD ALL
server_reset_query_always = {resets}
"""
PREPARING = (1, 21)


def knows_prepared_statements() -> bool:
    """Whether this machine's PgBouncer follows prepared statements from session to session."""
    program = which("pgbouncer")
    if program is None:
        return False
    told = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    version = re.match(r"PgBouncer (\d+)\.(\d+)", told)
    return version is not None and (int(version[1]), int(version[2])) >= PREPARING


@asynccontextmanager
async def pgbouncer(cluster: Cluster, folder: Path, resets: bool = True, prepares: bool = False) -> AsyncIterator[int]:
    """A running one's port; every role may log in, and prepare statements if told so. Ended with the block."""
    program = which("pgbouncer")
    assert program is not None, "pgbouncer is missing: run `make pgbouncer`"
    own, users, log = free_port(), folder / "users", folder / "log"
    users.write_text('"authenticator" ""\n"supabase_admin" ""\n"postgres" ""\n')
    told = {"socket": cluster.postgres.socket_folder, "port": cluster.postgres.port, "users": users}
    file = folder / "pgbouncer.ini"
    prepared = "max_prepared_statements = 200\n" if prepares else ""
    file.write_text(CONFIGURATION.format(**told, own=own, resets=int(resets)) + prepared)
    with log.open("wb") as output:
        # It refuses to be root, as PostgreSQL does, and must get into the same folder.
        account = choose_account(folder)
        child = spawn(Surroundings(account, dict(os.environ)), Path(program), [str(file)], output)
    try:
        await until(lambda: child.poll() is not None or "process up" in log.read_text())
        assert child.poll() is None, log.read_text()
        yield own
    finally:
        child.terminate()
        await asyncio.to_thread(child.wait)
