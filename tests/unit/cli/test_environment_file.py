"""`.env` at a start: opened once, and every room's settings come from that one reading."""

from __future__ import annotations

import builtins
import io
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from minato.cli import environment, serve
from minato.cli.options import load_settings
from minato.config.server import ServerSettings


class Listening(Exception):
    """The settings are known; nothing is begun."""


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the files opened since."""
    names: list[str] = []

    def noting(really: Callable[..., Any]) -> Callable[..., Any]:
        def note(file: Any, *given: Any, **named: Any) -> Any:
            names.append(os.path.basename(os.fspath(file)) if not isinstance(file, int) else "")
            return really(file, *given, **named)

        return note

    monkeypatch.setattr(io, "open", noting(io.open))
    monkeypatch.setattr(builtins, "open", noting(builtins.open))
    return names


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with a `.env` that speaks to three rooms."""
    lines = ("MINATO_PORT=1234", "MINATO_ENVIRONMENT=production", "GOTRUE_JWT_EXP=11", "PGRST_DB_MAX_ROWS=7")
    for line in lines:
        monkeypatch.delenv(line.partition("=")[0], raising=False)
    (tmp_path / ".env").write_text("\n".join(lines))
    # The other tests look for theirs where there is none.
    monkeypatch.setattr(environment, "FILE", Path(".env"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_all_rooms_are_told_by_one_reading(folder: Path, opened: list[str]) -> None:
    settings = load_settings()
    assert (settings.server.port, settings.auth.jwt_exp, settings.rest.db_max_rows) == (1234, 11, 7)
    assert opened.count(".env") == 1


def test_a_start_reads_the_file_once(folder: Path, opened: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def stop_here(server: ServerSettings) -> None:
        assert server.port == 1234
        raise Listening

    monkeypatch.setattr(serve, "raise_descriptor_limit", lambda: None)
    monkeypatch.setattr("minato.cli.production.refuse_unsafe_settings", lambda settings: None)
    monkeypatch.setattr(serve, "listen", stop_here)
    with pytest.raises(Listening):
        serve.serve(serve.ServeOptions(None, None, None, as_json=True, seed=False, demo=None))
    assert opened.count(".env") == 1
