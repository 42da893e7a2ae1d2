"""A streaming replica of the tests' PostgreSQL: a real one, made by `pg_basebackup`."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

import asyncpg
import psutil
from minato.database.address import DatabaseAddress
from minato.postgres.address import PostgresAddress
from minato.postgres.binaries import find_binaries
from minato.postgres.cluster import EmbeddedOptions
from minato.postgres.embedded import EmbeddedPostgres
from minato.postgres.layout import Layout

from tests.support.postgres import Cluster
from tests.support.waiting import until_rows


@dataclass
class StreamingReplica:
    """A running one at `at`."""

    at: PostgresAddress
    folder: Path

    def url(self, address: DatabaseAddress) -> str:
        """The connection string of its owner to the copy of the database at `address`."""
        return self.at.socket_url(database=address.admin.rpartition("/")[2].partition("?")[0])

    async def pause(self) -> None:
        """What comes is kept, and not shown, until `resume`."""
        await self.run("select pg_wal_replay_pause()")
        connection = await asyncpg.connect(self.at.socket_url())
        await until_rows(connection, "select pg_get_wal_replay_pause_state() = 'paused'")
        await connection.close()

    async def resume(self) -> None:
        await self.run("select pg_wal_replay_resume()")

    async def promote(self) -> None:
        """It becomes a primary of its own."""
        await self.run("select pg_promote()")

    async def run(self, statement: str) -> object:
        connection = await asyncpg.connect(self.at.socket_url())
        try:
            return await connection.fetchval(statement)
        finally:
            await connection.close()

    @property
    def processes(self) -> list[int]:
        """The ids of its processes, the postmaster's first."""
        postmaster = psutil.Process(int(Layout(self.folder).pid_file.read_text().splitlines()[0]))
        return [postmaster.pid, *(each.pid for each in postmaster.children())]


@asynccontextmanager
async def streaming_replica(
    cluster: Cluster, folder: Path, binaries: Path | None, *settings: str
) -> AsyncIterator[StreamingReplica]:
    """A replica of `cluster` in `folder`, ended with the block.

    `settings` are lines of its configuration. A slot keeps the log for it: each database made by copying files forces
    checkpoints, and a segment of the log that is removed before it was sent leaves a replica behind for ever.
    """
    layout = Layout(folder)
    layout.prepare()
    program = find_binaries(binaries).program("pg_basebackup")
    arguments = ("--dbname", cluster.postgres.socket_url(), "--pgdata", str(layout.cluster))
    slot = f"replica_{uuid4().hex}"
    copying = await asyncio.create_subprocess_exec(
        program, *arguments, "--checkpoint=fast", "--no-sync", "--write-recovery-conf", "--create-slot", "--slot", slot
    )
    assert await copying.wait() == 0
    layout.password.write_text(cluster.postgres.password)
    with (layout.cluster / "postgresql.auto.conf").open("a") as configuration:
        configuration.writelines(f"{line}\n" for line in settings)
    postgres = EmbeddedPostgres(EmbeddedOptions(folder, binaries, durable=False))
    try:
        yield StreamingReplica(await postgres.start(), folder)
    finally:
        await postgres.stop()
        await cluster.drop_slot(slot)
        shutil.rmtree(folder, ignore_errors=True)
