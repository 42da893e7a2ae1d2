"""One server with branches for all tests of this folder: each makes branches of its own."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.support.hosted import Hosted, hosting
from tests.support.postgres import Cluster


@pytest.fixture(scope="package")
async def hosted(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Hosted]:
    async with (
        cluster.fresh_database() as address,
        hosting(cluster, tmp_path_factory.mktemp("hosted"), address) as serving,
    ):
        yield serving


@pytest.fixture(autouse=True)
async def _leave_nothing(request: pytest.FixtureRequest) -> AsyncIterator[None]:
    """Drop the branches of the test."""
    yield
    if "hosted" in request.fixturenames:
        serving: Hosted = request.getfixturevalue("hosted")
        for branch in serving.branches.living:
            await serving.branches.drop(branch.id)
        await serving.branches.leavings.settle()
