"""PostgreSQL takes as long to start as the services take to be imported, so both happen at once."""

from __future__ import annotations

import gc
import subprocess
import sys

import pytest
from minato.cli.process import uncollected

HEAVY = {
    "minato.main",
    "minato.backend",
    "sqlalchemy",
    "fastapi",
    "asyncpg",
    "alembic",
    "cryptography",
    "rich",
    "httpx",
}


@pytest.mark.parametrize(
    "modules", ["minato.cli.serve", "minato.cli.local.start, minato.cli.local.report, minato.cli.local.server"]
)
def test_postgresql_is_begun_before_the_services_are_imported(modules: str) -> None:
    code = f"import sys, minato.cli.app, {modules}\nprint(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert "minato.config" in loaded
    assert HEAVY.isdisjoint(loaded)


def test_imports_are_not_collected_and_the_collector_goes_on_after_them() -> None:
    try:
        with uncollected():
            assert not gc.isenabled()
            made: list[list[int]] = [[] for _ in range(100)]
        assert gc.isenabled()
        assert not any(each is made[0] for each in gc.get_objects())
    finally:
        gc.unfreeze()
