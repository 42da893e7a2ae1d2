"""What lies on the disk is for the server's own user alone."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.integration.storage.conftest import Storage
from tests.support.server import Minato
from tests.support.ways_in import WAYS, tus_headers


@pytest.fixture
def usual_umask() -> Iterator[None]:
    before = os.umask(0o022)
    yield
    os.umask(before)


def modes(folder: Path) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {"folders": set(), "files": set()}
    for path in folder.rglob("*"):
        kind = "folders" if path.is_dir() else "files"
        found[kind].add(oct(stat.S_IMODE(path.stat().st_mode)))
    return found


@pytest.mark.usefixtures("usual_umask")
async def test_stored_files_are_for_their_owner_alone(own_minato: Minato, tmp_path: Path) -> None:
    storage = Storage(own_minato)
    bucket = await storage.bucket()
    for way in ("upload", "copied", "moved", "resumable", "s3 parts"):
        assert await WAYS[way](storage, own_minato.service_role_key, bucket, way, b"x", "text/plain") == 200
    assert await WAYS["upload"](storage, own_minato.service_role_key, bucket, "large", b"x" * 7_000_000, "a/b") == 200
    async with storage.service() as service:
        begun = await service.post("/upload/resumable", content=b"a", headers=tus_headers(bucket, "half", 2, "a/b"))
        assert begun.status_code == 201
    for folder in ("storage", "uploads"):
        assert stat.S_IMODE((tmp_path / folder).stat().st_mode) == 0o700
        assert modes(tmp_path / folder)["files"] == {"0o600"}
    assert modes(tmp_path / "storage")["folders"] == {"0o700"}
