"""An app mounted below a prefix of another reads its paths as at the root."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from tests.support.server import Minato

PREFIX = "/b/one"
PATHS = [
    ("/healthz", 200),
    ("/metrics", 200),
    ("/_dev/outbox", 200),
    ("/_dev/mailbox", 200),
    ("/_dev/mailbox.css", 200),
    ("/auth/v1/health", 200),
    ("/rest/v1/no_such_table", 404),
    ("/storage/v1/status", 200),
    ("/graphql/v1", 501),
]


def mounted(minato: Minato, keeps_prefix: bool) -> Any:
    """The application below PREFIX, as frameworks of both kinds mount it: the path keeps the prefix or loses it."""

    async def outer(scope: Any, receive: Any, send: Any) -> None:
        inner = {**scope, "root_path": PREFIX}
        if not keeps_prefix:
            inner |= {key: scope[key][len(PREFIX) :] for key in ("path", "raw_path")}
        await minato.application(inner, receive, send)

    return outer


@pytest.mark.parametrize("keeps_prefix", [True, False])
async def test_every_path_answers_below_an_outer_prefix_as_it_does_at_the_root(
    minato: Minato, keeps_prefix: bool
) -> None:
    transport = httpx.ASGITransport(mounted(minato, keeps_prefix))
    async with httpx.AsyncClient(transport=transport, base_url=f"http://localhost{PREFIX}") as client:
        for path, status in PATHS:
            assert (await client.get(path)).status_code == status, path
        foreign = await client.get("/_dev/outbox", headers={"origin": "http://evil.example"})
    assert foreign.status_code == 403
