"""The unchanged supabase-js, made with `accessToken`, does with another issuer's token what its users do."""

from __future__ import annotations

import asyncio
import json

from tests.integration.third_party.conftest import SUBJECT, Abroad
from tests.support.command import REPOSITORY
from tests.support.waiting import PATIENCE

CLIENT = REPOSITORY / "web" / "tests" / "third-party" / "client.mjs"


async def test_supabase_js_with_an_access_token_of_another_issuer_reads_stores_calls_and_listens(
    abroad: Abroad,
) -> None:
    key = abroad.minato.backend.api_keys.publishable
    started = await asyncio.create_subprocess_exec(
        *("node", CLIENT, abroad.minato.url, key, abroad.token(), SUBJECT),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    async with asyncio.timeout(PATIENCE):
        said, complained = await started.communicate()
    assert started.returncode == 0, complained.decode()
    row = {"id": 70, "sailor": SUBJECT, "berth": "C7"}
    assert json.loads(said) == {
        "made": [row],
        "seen": [row],
        "read": "calm",
        "listed": ["log.txt"],
        "signed": "calm",
        "called": {"called": True},
        "rung": {"rings": 4},
        "auth": "not there",
    }
