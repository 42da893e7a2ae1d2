"""Files that go wrong on purpose are those of objects: what storage keeps beside them for itself never does."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

from minato.faults.fault import Deed, Faults, Rule
from minato.storage.backend.faulty import FaultyFiles
from minato.storage.backend.object_store import LocalBackend


async def _pieces(content: bytes) -> AsyncIterator[bytes]:
    yield content


async def test_what_is_no_object_s_file_is_kept_and_read_whatever_the_rules_say(tmp_path: Path) -> None:
    faults = Faults()
    faults.add(Rule(where="storage", do=Deed(missing=True)))
    files = FaultyFiles(LocalBackend(tmp_path), faults)
    try:
        await files.write("minato.json", _pieces(b"mine"))
        assert [piece async for piece in await files.read("minato.json", 0, 4)] == [b"mine"]
    finally:
        files.close()
    assert faults.rules[0].met == 0
