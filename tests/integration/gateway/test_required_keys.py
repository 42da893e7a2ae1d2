"""Where keys are required, what browsers and other services are led to stays open."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import httpx
import pytest
from minato.database.address import DatabaseAddress

from tests.support.server import Minato, running, settings_for
from tests.support.waiting import PATIENCE

OPEN = [
    ("GET", "/auth/v1/verify?token=x&type=signup"),
    ("GET", "/auth/v1/authorize?provider=google"),
    ("GET", "/auth/v1/callback"),
    ("GET", "/auth/v1/.well-known/jwks.json"),
    ("GET", "/auth/v1/.well-known/openid-configuration"),
    ("POST", "/auth/v1/oauth/token"),
    ("GET", "/auth/v1/sso/saml/metadata"),
    ("GET", "/storage/v1/s3"),
]
CLOSED = [
    ("GET", "/auth/v1/settings"),
    ("POST", "/auth/v1/signup"),
    ("GET", "/auth/v1/verify/more"),
    ("GET", "/rest/v1/"),
    ("GET", "/storage/v1/bucket"),
    ("GET", "/storage/v1/s3x"),
]
NO_KEY = "No API key found in request"


@pytest.fixture
async def strict(address: DatabaseAddress, tmp_path: Path) -> AsyncIterator[Minato]:
    settings = settings_for(tmp_path)
    settings = replace(settings, server=settings.server.model_copy(update={"require_apikey": True}))
    async with running(address, settings) as server:
        yield server


async def test_pages_that_others_lead_to_need_no_key_and_everything_else_does(strict: Minato) -> None:
    async with httpx.AsyncClient(base_url=strict.url, timeout=PATIENCE) as client:
        for method, path in OPEN:
            assert NO_KEY not in (await client.request(method, path)).text, path
        for method, path in CLOSED:
            refused = await client.request(method, path)
            assert (refused.status_code, refused.json()["message"]) == (401, NO_KEY), path
