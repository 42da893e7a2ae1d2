"""`minato serve --config`: settings from the file the Supabase CLI reads."""

from __future__ import annotations

from pathlib import Path

import httpx

from tests.support.command import run_minato, served

FILE = (
    "[auth]\nenable_signup = false\nfuture = 1\n[auth.sms]\nenable_signup = true\n[auth.email]\nenable_signup = false\n"
)


def test_the_file_stands_behind_the_environment(tmp_path: Path, data_dir: Path) -> None:
    config = tmp_path / "config.toml"
    config.write_text(FILE)
    with served(data_dir, "--config", str(config), GOTRUE_EXTERNAL_EMAIL_ENABLED="true") as server:
        shown = httpx.get(f"{server.info['url']}/auth/v1/settings").json()
    assert (shown["disable_signup"], shown["external"]["phone"], shown["external"]["email"]) == (True, True, True)


def test_a_broken_file_is_told_in_a_sentence(tmp_path: Path) -> None:
    config = tmp_path / "config.toml"
    config.write_text("[auth")
    ended = run_minato("serve", "--config", str(config), "--data-dir", str(tmp_path / "data"))
    assert ended.returncode == 1
    assert "config.toml" in ended.stderr
    assert "Traceback" not in ended.stderr
