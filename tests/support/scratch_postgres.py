"""Starts an embedded PostgreSQL for one test process. Durability is off: the data dies with the process."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from api.postgres.cluster import EmbeddedOptions
from api.postgres.embedded import EmbeddedPostgres
from api.postgres.initialize import SUPERUSER
from tests.support.postgres import Cluster


@asynccontextmanager
async def scratch_postgres(folder: Path) -> AsyncIterator[Cluster]:
    postgres = EmbeddedPostgres(EmbeddedOptions(folder, durable=False))
    address = await postgres.start()
    try:
        yield Cluster(str(address.socket_folder), address.port, SUPERUSER)
    finally:
        await postgres.stop()
