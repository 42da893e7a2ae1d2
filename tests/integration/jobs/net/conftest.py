"""`net`: pg_net in a database of the test's own, worked by hand; `there`: whom it calls."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from minato.database.address import DatabaseAddress

from tests.support.loopback import Loopback, loopback
from tests.support.net import Net, sending
from tests.support.postgres import Cluster


@pytest.fixture
async def net(cluster: Cluster, address: DatabaseAddress) -> AsyncIterator[Net]:
    async with sending(address, cluster.url(address, "postgres")) as net:
        yield net


@pytest.fixture
async def there() -> AsyncIterator[Loopback]:
    async with loopback() as there:
        yield there
