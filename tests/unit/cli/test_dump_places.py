"""Where a dump and a snapshot may be written: where a link leads, never in the place of a device or a pipe."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest
from minato.cli.db_tools.dump import _written
from minato.cli.local.failures import CommandFailure
from minato.cli.snapshot_files import _drafted


def test_a_dump_goes_into_a_pipe_that_stays_one(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()))
    reader.start()
    with _written(pipe) as write:
        write("create table a ();\n")
    reader.join()
    assert pipe.is_fifo()
    assert read == ["create table a ();\n"]


def test_a_dump_is_written_where_a_link_leads(tmp_path: Path) -> None:
    link, file = tmp_path / "latest.sql", tmp_path / "dump.sql"
    link.symlink_to(file)
    with _written(link) as write:
        write("-- whole\n")
    assert link.is_symlink()
    assert file.read_text() == "-- whole\n"


def test_a_dump_into_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CommandFailure, match="is a directory"), _written(tmp_path):
        pass


def test_a_snapshot_takes_no_pipe_s_place(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(CommandFailure, match="it is no file"), _drafted(pipe):
        pass
    assert pipe.is_fifo()


def test_a_snapshot_is_written_where_a_link_leads(tmp_path: Path) -> None:
    link, file = tmp_path / "latest.tar", tmp_path / "first.tar"
    link.symlink_to(file)
    with _drafted(link) as opened:
        opened.write(b"whole")
    assert link.is_symlink()
    assert file.read_bytes() == b"whole"
