"""Servers of two workers: one for the tests that leave it whole, and one for each that hurts it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.command import served
from tests.support.crew import Crew

TABLE = """
create table public.board (id bigint generated always as identity primary key, body text);
grant all on public.board to anon, authenticated, service_role;
alter publication supabase_realtime add table public.board;
"""
SETTINGS = {
    "GOTRUE_EXTERNAL_ANONYMOUS_USERS_ENABLED": "true",
    "GOTRUE_RATE_LIMIT_PEERS": "true",
    "GOTRUE_RATE_LIMIT_ANONYMOUS_USERS": "4",
}


@pytest.fixture(scope="module")
def crew(migrated: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Crew]:
    """Shared; no test ends a process of it."""
    folder = tmp_path_factory.mktemp("workers") / "data"
    shutil.copytree(migrated, folder)
    with served(folder, "--workers", "2", **SETTINGS) as server:
        crew = Crew(server)
        crew.execute(TABLE)
        yield crew


@pytest.fixture
def own_crew(data_dir: Path) -> Iterator[Crew]:
    """For this test alone."""
    with served(data_dir, "--workers", "2") as server:
        crew = Crew(server)
        crew.execute(TABLE)
        yield crew
