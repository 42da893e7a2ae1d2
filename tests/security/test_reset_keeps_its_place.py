"""A database that is made anew is still the owner of its files."""

from __future__ import annotations

from pathlib import Path

from tests.support.command import run_minato, served


def test_a_reset_database_keeps_its_namespace_and_its_right_to_sweep(data_dir: Path) -> None:
    with served(data_dir) as server:
        assert server.stop() == 0
    before = sorted(path.name for path in (data_dir / "storage").iterdir())
    assert run_minato("db", "reset", "small", "--data-dir", str(data_dir)).returncode == 0
    assert sorted(path.name for path in (data_dir / "storage").iterdir()) == before
    assert run_minato("storage", "sweep", "--data-dir", str(data_dir)).returncode == 0
