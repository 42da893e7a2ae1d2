"""Files that are written once and needed for ever outlast a loss of power: whole, under their names, or not there."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from minato.cli.secrets_file import keep_secret, stored_secret
from minato.cli.signing_keys import KeyFile
from minato.kept_files import create_kept, write_kept
from minato.postgres.account import Account
from minato.postgres.initialize import write_password
from minato.postgres.vault_key import keep_vault_key

ACCOUNT = Account("direct", os.geteuid(), os.getegid())
KEPT: dict[str, Callable[[Path], object]] = {
    "secrets.json": lambda path: keep_secret(path.parent, "a secret"),
    "vault.key": lambda path: keep_vault_key(path, ACCOUNT),
    "postgres.password": write_password,
    "signing_keys.json": lambda path: KeyFile(path, path.name).write([{"kty": "oct"}]),
}


@pytest.fixture
def synced(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, bool]]:
    """What the disk was made to hold, in order, and whether anything had its last name by then."""
    seen: list[tuple[str, bool]] = []
    sync = os.fsync

    def noting(descriptor: int) -> None:
        path = Path(os.readlink(f"/proc/self/fd/{descriptor}"))
        folder = path if path.is_dir() else path.parent
        seen.append(("folder" if path.is_dir() else "file", any((folder / name).exists() for name in KEPT)))
        sync(descriptor)

    monkeypatch.setattr(os, "fsync", noting)
    return seen


@pytest.mark.parametrize("name", KEPT)
def test_the_disk_has_the_bytes_before_they_get_their_name_and_the_name_before_anybody_relies_on_it(
    tmp_path: Path, synced: list[tuple[str, bool]], name: str
) -> None:
    KEPT[name](tmp_path / name)
    assert synced == [("file", False), ("folder", True)]
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert (tmp_path / name).stat().st_mode & 0o777 == 0o600


def test_of_two_that_make_a_file_the_first_one_s_stays(tmp_path: Path) -> None:
    create_kept(tmp_path / "word", "first")
    create_kept(tmp_path / "word", "second")
    assert [path.read_text() for path in tmp_path.iterdir()] == ["first"]


def test_a_file_that_can_not_be_written_whole_leaves_what_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "word"
    write_kept(path, "first")

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        write_kept(path, "second")
    assert [path.read_text() for path in tmp_path.iterdir()] == ["first"]


def test_a_secret_that_is_kept_is_read_again(tmp_path: Path) -> None:
    keep_secret(tmp_path / "new", "a secret")
    assert stored_secret(tmp_path / "new") == "a secret"
