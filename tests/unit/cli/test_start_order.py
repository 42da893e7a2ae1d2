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


# What lists the commands, and with what a command line is read.
COMMANDS = {"minato.cli.app", "minato.cli.local.commands", "minato.cli.gen_commands"}


@pytest.mark.parametrize(
    "modules", ["minato.cli.serve", "minato.cli.local.start, minato.cli.local.report, minato.cli.local.server"]
)
def test_postgresql_is_begun_before_the_services_are_imported(modules: str) -> None:
    code = f"import sys, minato.cli.app, {modules}\nprint(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert "minato.config" in loaded
    assert HEAVY.isdisjoint(loaded)


def test_a_server_in_the_background_lists_no_commands_and_ends_when_it_is_told_nothing() -> None:
    code = "import sys, minato.cli.detached\nassert minato.cli.detached.main() == 0\nprint(*sys.modules)"
    ended = subprocess.run(
        [sys.executable, "-c", code], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True
    )
    loaded = ended.stdout.split()
    assert ended.stderr == ""
    assert "minato.cli.local.server" in loaded
    assert COMMANDS.isdisjoint(loaded)
    assert HEAVY.isdisjoint(loaded)


def test_a_command_begins_its_server_before_it_reads_the_command_line() -> None:
    code = "import sys, minato.cli.local.waiting_server\nprint(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert {"typer", "pydantic", "orjson", "minato.config", *COMMANDS}.isdisjoint(loaded)


def test_imports_are_not_collected_and_the_collector_goes_on_after_them() -> None:
    try:
        with uncollected():
            assert not gc.isenabled()
            made: list[list[int]] = [[] for _ in range(100)]
        assert gc.isenabled()
        assert not any(each is made[0] for each in gc.get_objects())
    finally:
        gc.unfreeze()
