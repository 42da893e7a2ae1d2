"""Where origins are listed, an answer tells caches that it depends on who asked."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
from minato.database.address import DatabaseAddress

from tests.support.server import Minato, running, settings_for

SHOP = "https://shop.example"


@pytest.fixture
async def listed(address: DatabaseAddress, tmp_path: Path) -> AsyncIterator[Minato]:
    settings = settings_for(tmp_path)
    settings = replace(settings, server=settings.server.model_copy(update={"cors_allowed_origins": [SHOP]}))
    async with running(address, settings) as minato:
        yield minato


@pytest.mark.parametrize("path", ["/rest/v1/no_such_table", "/storage/v1/object/public/a/b", "/auth/v1/settings"])
@pytest.mark.parametrize(("origin", "allowed"), [(SHOP, SHOP), ("https://other.example", None), (None, None)])
async def test_a_cache_keeps_apart_what_different_origins_were_told(
    listed: Minato, path: str, origin: str | None, allowed: str | None
) -> None:
    async with listed.client(**({"origin": origin} if origin else {})) as client:
        answer = await client.get(path)
    assert answer.headers.get("access-control-allow-origin") == allowed
    assert "Origin" in answer.headers["vary"].split(", ")


async def test_what_an_answer_depends_on_besides_is_still_said(listed: Minato) -> None:
    async with listed.client(origin=SHOP) as client:
        answer = await client.get("/rest/v1/")
    assert {"Accept", "Prefer", "Range", "Origin"} <= set(answer.headers["vary"].split(", "))
