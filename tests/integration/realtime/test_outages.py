"""PostgreSQL ends under a connected subscriber: what is committed arrives, or a gap is announced, and nothing twice."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path

import asyncpg
import pytest
from minato.config.realtime import RealtimeSettings
from minato.postgres.cluster import EmbeddedOptions
from minato.postgres.embedded import EmbeddedPostgres

from tests.integration.realtime.phoenix import Phoenix, phoenix
from tests.support.postgres import Cluster
from tests.support.server import Minato, running, settings_for

ENTRY = {"event": "INSERT", "schema": "public", "table": "feed"}
OPEN_TABLE = """
create table public.feed (id int primary key);
alter table public.feed enable row level security;
create policy everybody on public.feed for select using (true);
grant all on public.feed to anon;
alter publication supabase_realtime add table public.feed;
"""
PATIENCE = 60.0


@dataclass
class Writer:
    """Commits ascending numbers, whatever happens to its connection; a commit that was not answered counts as none."""

    dsn: str
    committed: list[int] = field(default_factory=list)
    stopping: bool = False

    async def run(self) -> None:
        number = 0
        while not self.stopping:
            try:
                connection = await asyncpg.connect(self.dsn, timeout=PATIENCE)
                while not self.stopping:
                    number += 1
                    await connection.execute("insert into feed values ($1)", number)
                    self.committed.append(number)
                await connection.close()
            except (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError):
                await asyncio.sleep(0.01)


@dataclass
class Story:
    """What a subscriber heard: numbers in their order, "gap" for an error, "on" for being subscribed again."""

    heard: list[int | str] = field(default_factory=list)

    async def listen(self, client: Phoenix, until: int | str) -> None:
        """Hear on until that word, or a number that high."""
        async with asyncio.timeout(PATIENCE):
            while not self.heard or not reaches(self.heard[-1], until):
                heard = await client.hear(lambda h: h.event in ("system", "postgres_changes"))
                if heard.event == "system":
                    self.heard.append({"ok": "on", "error": "gap"}[heard.payload["status"]])
                else:
                    self.heard.append(heard.payload["data"]["record"]["id"])

    @property
    def numbers(self) -> list[int]:
        return [item for item in self.heard if isinstance(item, int)]

    def announced(self, number: int) -> bool:
        """Whether a missing number falls between its neighbours where a gap was announced."""
        below = [i for i, item in enumerate(self.heard) if isinstance(item, int) and item < number]
        above = [i for i, item in enumerate(self.heard) if isinstance(item, int) and item > number]
        between = self.heard[below[-1] if below else 0 : above[0] if above else None]
        return "gap" in between


def reaches(item: int | str, until: int | str) -> bool:
    return item >= until if isinstance(item, int) and isinstance(until, int) else item == until


@pytest.fixture(params=["logical", "triggers"])
async def mortal(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[tuple[EmbeddedPostgres, Minato]]:
    """A server on a PostgreSQL that the test may end; it is started again at once."""
    postgres = EmbeddedPostgres(EmbeddedOptions(tmp_path / "postgres", durable=False))
    cluster = Cluster(await postgres.start())
    try:
        await cluster.migrate_template()
        settings = settings_for(tmp_path / "data", realtime=RealtimeSettings(change_feed=request.param))
        async with cluster.fresh_database() as address, running(address, settings) as server:
            await server.db.execute(OPEN_TABLE)
            yield postgres, server
    finally:
        await cluster.close()
        await postgres.stop()


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
async def test_no_change_is_lost_unannounced_when_postgresql_ends(
    mortal: tuple[EmbeddedPostgres, Minato], how: signal.Signals
) -> None:
    postgres, server = mortal
    writer, story = Writer(server.backend.database.admin_dsn), Story()
    async with phoenix(server) as client:
        await client.follow("room", ENTRY)
        writing = asyncio.create_task(writer.run())
        for _ in range(2):
            await story.listen(client, until=(writer.committed[-1] if writer.committed else 0) + 50)
            assert postgres.pid is not None
            os.kill(postgres.pid, how)
            await story.listen(client, until="gap")
            await story.listen(client, until="on")
        await story.listen(client, until=story.numbers[-1] + 500)
        writer.stopping = True
        await writing
        if writer.committed[-1] not in story.numbers:
            await story.listen(client, until=writer.committed[-1])
    assert story.numbers == sorted(set(story.numbers))
    missing = set(writer.committed) - set(story.numbers)
    assert [number for number in sorted(missing) if not story.announced(number)] == []


async def test_channels_without_row_changes_outlive_postgresql(mortal: tuple[EmbeddedPostgres, Minato]) -> None:
    postgres, server = mortal
    move = {"type": "broadcast", "event": "move", "payload": {}}
    async with phoenix(server) as speaker, phoenix(server) as listener, phoenix(server) as follower:
        for client in (speaker, listener):
            await client.join("room", {"broadcast": {"ack": True}})
        await follower.follow("room", ENTRY)
        assert postgres.pid is not None
        os.kill(postgres.pid, signal.SIGKILL)
        await speaker.call("realtime:room", "broadcast", move)
        assert (await listener.event("broadcast")).payload == move
        assert (await follower.system("room"))["status"] == "error"
        joined = await speaker.join("secret", {"private": True})
        assert joined.payload["status"] == "error"
        while (await follower.system("room"))["status"] != "ok":
            pass
        assert (await speaker.call("phoenix", "heartbeat", {})).payload["status"] == "ok"
