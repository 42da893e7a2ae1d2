"""Where there is no Deno, or no project, or functions are switched off."""

from __future__ import annotations

from pathlib import Path

import pytest
from minato.config.functions import FunctionsSettings
from minato.database.address import DatabaseAddress

from tests.support.server import running, settings_for


@pytest.mark.parametrize(
    ("settings", "status", "words"),
    [
        ({"deno": "/nowhere/deno"}, 501, "Edge Functions need Deno: pip install 'minato[functions]'"),
        ({"enabled": False}, 503, "name resolution failed"),
        ({}, 404, "Function not found"),
    ],
)
async def test_a_call_is_told_why(
    address: DatabaseAddress, tmp_path: Path, settings: dict[str, object], status: int, words: str
) -> None:
    functions = FunctionsSettings.model_validate(settings)
    async with running(address, settings_for(tmp_path, functions=functions)) as server, server.client() as client:
        answer = await client.post("/functions/v1/hello")
    assert answer.status_code == status
    assert words in answer.text
