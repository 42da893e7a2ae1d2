"""What a function has written in `/tmp` goes with it, also where it has shut a folder to itself."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from minato.cli.local.data_folder import DataFolder
from minato.folder_removal import remove_folder
from minato.functions.child import WATCH
from minato.functions.folders import clear_temporary, make_temporary

NOBODY = 65534


def as_nobody() -> dict[str, Any]:
    """For a process without root's rights, whom no folder is shut to."""
    return {"user": NOBODY, "group": NOBODY, "extra_groups": []} if os.geteuid() == 0 else {}


@contextmanager
def without_rights() -> Iterator[None]:
    """The same for this process, until the block ends."""
    former = os.geteuid()
    if former == 0:
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(former)


@pytest.fixture
def shut() -> Iterator[Path]:
    """A work folder with the `/tmp` of a function, whose folders nobody may enter or empty. Others may come there, as
    they may not below those of pytest."""
    work = Path(tempfile.mkdtemp()) / "functions"
    own = make_temporary(work, "hello")
    for folder, mode in ((own / "unreadable" / "below", 0o000), (own / "unreadable", 0o000), (own / "kept", 0o500)):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "file").write_text("left")
        folder.chmod(mode)
    (own / "link").symlink_to("/")
    if os.geteuid() == 0:
        for path in (work.parent, *work.parent.rglob("*")):
            os.lchown(path, NOBODY, NOBODY)
    yield work
    shutil.rmtree(work.parent)


def test_the_watcher_of_a_process_takes_away_folders_that_are_shut(shut: Path) -> None:
    (own,) = (shut / "temporary").iterdir()
    process = subprocess.Popen(["sleep", "60"], start_new_session=True, **as_nobody())
    shell = ["/bin/sh", "-c", WATCH, "sh", str(process.pid), str(own)]
    ended = subprocess.run(shell, stdin=subprocess.DEVNULL, capture_output=True, timeout=30, check=False, **as_nobody())
    assert process.wait(30) == -9
    assert not own.exists()
    assert ended.returncode == 0


def test_a_start_takes_away_folders_that_are_shut(shut: Path) -> None:
    with without_rights():
        clear_temporary(shut)
    assert not (shut / "temporary").exists()


def test_the_removal_of_a_project_s_data_takes_away_folders_that_are_shut(shut: Path) -> None:
    folder = DataFolder(shut.parent)
    with without_rights():
        folder.lock.touch()
        folder.remove_data()
    assert folder.is_bare


def test_the_removal_of_a_branch_takes_away_folders_that_are_shut(shut: Path) -> None:
    with without_rights():
        remove_folder(shut)
    assert not shut.exists()


def test_what_a_link_leads_to_stays_as_it_is(tmp_path: Path) -> None:
    """Files and rights."""
    elsewhere, link = tmp_path / "elsewhere", tmp_path / "link"
    elsewhere.mkdir()
    elsewhere.chmod(0o500)
    link.symlink_to(elsewhere)
    remove_folder(link)
    assert stat.S_IMODE(elsewhere.stat().st_mode) == 0o500
