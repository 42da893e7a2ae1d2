"""A PgBouncer of the tests' own: Debian's, in transaction mode in front of the tests' PostgreSQL."""

from __future__ import annotations

import asyncio
import os
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


@asynccontextmanager
async def pgbouncer(cluster: Cluster, folder: Path, resets: bool = True) -> AsyncIterator[int]:
    """A running one's port; every role may log in. Ended with the block."""
    program = which("pgbouncer")
    assert program is not None, "pgbouncer is missing: run `make pgbouncer`"
    own, users, log = free_port(), folder / "users", folder / "log"
    users.write_text('"authenticator" ""\n"supabase_admin" ""\n"postgres" ""\n')
    told = {"socket": cluster.postgres.socket_folder, "port": cluster.postgres.port, "users": users}
    file = folder / "pgbouncer.ini"
    file.write_text(CONFIGURATION.format(**told, own=own, resets=int(resets)))
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
