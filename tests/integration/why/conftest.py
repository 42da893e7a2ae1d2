"""A server that explains what it refuses, and sessions on its database to ask why without it."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from minato.config.server import ServerSettings

from tests.support.postgres import Cluster
from tests.support.server import Minato, running, settings_for


@pytest.fixture(scope="module")
async def told(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Minato]:
    """A server in development, as people have it."""
    folder = tmp_path_factory.mktemp("data")
    server = ServerSettings(data_dir=folder, environment="development", web_root=None)
    async with cluster.fresh_database() as address, running(address, settings_for(folder, server=server)) as minato:
        yield minato
