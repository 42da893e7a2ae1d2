"""S3 behind a proxy: what a client signed is the host that it named, not the one that the proxy asks."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import httpx
import pytest
from minato.database.address import DatabaseAddress

from tests.integration.storage.conftest import Storage
from tests.integration.storage.test_s3_signatures import Client, send
from tests.support.server import running, settings_for

NAMED = "files.example"


@pytest.fixture(params=[True, False], ids=["trusted", "a stranger"])
async def proxied(request: pytest.FixtureRequest, address: DatabaseAddress, tmp_path: Path) -> AsyncIterator[Storage]:
    """Storage behind a proxy on this machine that is trusted or not."""
    settings = settings_for(tmp_path)
    trusted = settings.server.model_copy(update={"trusted_proxies": ["127.0.0.1"] if request.param else []})
    async with running(address, replace(settings, server=trusted)) as server:
        yield Storage(server)


async def test_the_host_that_was_signed_is_the_one_that_the_client_named(
    proxied: Storage,
) -> None:
    client = Client(proxied)
    asked = client.url.removeprefix("http://")
    client.url = f"http://{NAMED}"
    signed, *_ = client.request("GET", "/")
    is_trusted = proxied.minato.backend.settings.server.trusted_proxies != []
    for forwarded, is_good in ((NAMED, is_trusted), ("other.example", False), (asked, False)):
        headers = {**signed.headers, "host": asked, "x-forwarded-host": forwarded}
        answer = await send(httpx.Request("GET", f"http://{asked}/storage/v1/s3/", headers=headers))
        assert answer.status_code == (200 if is_good else 403), answer.text
