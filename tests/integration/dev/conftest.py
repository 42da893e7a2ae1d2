"""A server with branches, for what has to hold on main and on a branch alike."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.support.hosted import Hosted, hosting
from tests.support.postgres import Cluster


@pytest.fixture(scope="package")
async def hosted(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Hosted]:
    folder = tmp_path_factory.mktemp("hosted")
    async with cluster.fresh_database() as address, hosting(cluster, folder, address) as serving:
        yield serving
