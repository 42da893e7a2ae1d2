"""`minato serve --config`: settings from the file the Supabase CLI reads."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest
from minato.cli.errors import CommandError
from minato.cli.options import read_config_file

from tests.support.command import run_minato, served
from tests.unit.project.test_encrypted import KEY, VALUE

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


def test_an_encrypted_secret_is_decrypted_or_stops_the_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = tmp_path / "config.toml"
    config.write_text(f'[auth.captcha]\nsecret = "{VALUE}"\n')
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DOTENV_PRIVATE_KEY", KEY)
    assert read_config_file(config).variables["GOTRUE_SECURITY_CAPTCHA_SECRET"] == "value"
    monkeypatch.delenv("DOTENV_PRIVATE_KEY")
    with pytest.raises(CommandError, match="GOTRUE_SECURITY_CAPTCHA_SECRET can't be decrypted") as refused:
        read_config_file(config)
    assert VALUE not in str(refused.value)
