"""What the machine refuses to a command becomes a sentence: a full disk, rights, no file left to open."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
import typer
from minato.cli.errors import told_plainly
from minato.cli.local.failures import told_as_the_cli

from tests.support.command import environment

FILE = "/somewhere/server.lock"


@pytest.fixture
def data_dir(tmp_path: Path) -> Path:
    (tmp_path / "secrets.json").write_text('{"jwt_secret": "%s"}' % ("a" * 64))
    return tmp_path


def keys(data_dir: Path, redirection: str) -> subprocess.CompletedProcess[str]:
    """`minato keys`, with its descriptors redirected as a shell does."""
    command = [sys.executable, "-m", "minato", "keys", "--data-dir", str(data_dir)]
    shell = ["sh", "-c", f'exec "$@" {redirection}', "sh", *command]
    return subprocess.run(shell, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, timeout=60)


@pytest.mark.parametrize("told", [told_plainly, told_as_the_cli])
@pytest.mark.parametrize(
    ("number", "sentence"),
    [
        (errno.EACCES, f"{FILE}: permission denied. Run this as the user who owns it, or give this one rights."),
        (errno.EROFS, f"{FILE}: read-only file system. Choose a place that can be written to."),
        (errno.ENOSPC, f"{FILE}: no space left on device. Make room, and run it again."),
        (errno.EMFILE, f"{FILE}: too many open files. Allow more of them, by ulimit -n, and run it again."),
    ],
)
def test_what_the_machine_refuses_is_told_with_what_to_do(
    told: Callable[[], AbstractContextManager[None]], number: int, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(typer.Exit), told():
        raise OSError(number, os.strerror(number), FILE)
    assert sentence in capsys.readouterr().err


@pytest.mark.parametrize("told", [told_plainly, told_as_the_cli])
def test_an_error_of_the_program_keeps_its_stack_trace(told: Callable[[], AbstractContextManager[None]]) -> None:
    with pytest.raises(FileNotFoundError), told():
        raise FileNotFoundError(errno.ENOENT, "No such file or directory", FILE)


@pytest.mark.skipif(not Path("/dev/full").is_char_device(), reason="no /dev/full on this system")
def test_output_that_a_full_disk_refuses_is_told(data_dir: Path) -> None:
    ended = keys(data_dir, "> /dev/full")
    assert ended.returncode == 1
    assert ended.stderr == "minato: No space left on device. Make room, and run it again.\n"


@pytest.mark.parametrize("redirection", [">&-", "<&-", ">&- 2>&-"])
def test_a_command_without_standard_streams_works_as_into_nothing(data_dir: Path, redirection: str) -> None:
    ended = keys(data_dir, redirection)
    assert ended.returncode == 0, ended.stderr
    assert "Traceback" not in ended.stderr


def test_what_is_opened_later_takes_the_place_of_no_standard_stream() -> None:
    program = (
        "from minato.cli.standard_streams import open_standard_streams; open_standard_streams(); "
        "import os, sys; sys.exit(os.open(os.devnull, os.O_RDONLY))"
    )
    shell = ["sh", "-c", 'exec "$@" <&- >&- 2>&-', "sh", sys.executable, "-c", program]
    assert subprocess.run(shell, check=False, timeout=60).returncode == 3


@pytest.mark.parametrize("command", [("serve", "--port", "0"), ("start", "--port", "0")])
def test_a_server_that_may_open_too_few_files_says_how_many_it_needs(tmp_path: Path, command: tuple[str, ...]) -> None:
    (tmp_path / "supabase").mkdir()
    (tmp_path / "supabase" / "config.toml").write_text('project_id = "few"')
    arguments = [sys.executable, "-m", "minato", *command, "--data-dir", str(tmp_path / "data")]
    shell = ["sh", "-c", 'ulimit -n 16 && exec "$@"', "sh", *arguments]
    variables = {**environment(), "HOME": str(tmp_path), "XDG_STATE_HOME": str(tmp_path)}
    ended = subprocess.run(
        shell, cwd=tmp_path, env=variables, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60
    )
    assert ended.returncode == 1
    told = "This process may have 16 files open, and a server needs 256: allow more, by ulimit -n, and run it again."
    assert told in ended.stderr
    assert "Traceback" not in ended.stderr
    assert not (tmp_path / "data" / "postgres").exists()
