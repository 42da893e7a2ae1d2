"""What the settings of a project's server are made of, by `minato start` and by `minato serve`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path

import pytest
from minato.cli.local.options import StartOptions
from minato.cli.local.settings import Ports, ProjectFiles, project_settings
from minato.cli.options import load_settings
from minato.cli.published import CLI_KEYS
from minato.cli.secrets_file import keep_secret
from minato.config import Settings
from minato.config.example import environment_name, rooms
from minato.places import MIGRATIONS
from minato.project.config_file import read_config
from minato.project.workdir import Workdir

MARKETPLACE = Workdir(MIGRATIONS / "marketplace")
# Keys of the Supabase CLI's projects in new data, its fixed port, and how long and how often for text messages, which
# nobody sends.
OF_THE_CLI = {
    *(
        "auth.sms_otp_exp",
        "server.jwt_secret",
        "server.jwt_keys",
        "server.publishable_key",
        "server.secret_key",
        "database.postgres_port",
        "functions.db_url",
    ),
    *("auth.rate_limit_sms_sent", "auth.sms_max_frequency", "auth.mfa_phone_max_frequency", "auth.smtp_max_frequency"),
    *("storage.s3_protocol_access_key_id", "storage.s3_protocol_access_key_secret"),
    *("storage.vector_enabled", "storage.vector_max_indexes"),
}


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder, in an environment without a setting of ours."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("minato.cli.options.setting_variables", dict)
    return tmp_path / "data"


def settings_of(
    data: Path,
    environment: Mapping[str, str],
    own: Mapping[str, str] | None = None,
    workdir: Workdir = MARKETPLACE,
    ports: Ports | None = None,
) -> Settings:
    files = ProjectFiles(workdir, read_config(workdir, environment), own or {})
    return Settings.of(project_settings(files, data, environment, ports or Ports()))


def different(one: Settings, other: Settings) -> set[str]:
    """The settings that differ, as `room.name`."""
    return {
        f"{room.name}.{name}"
        for room in fields(Settings)
        for name, value in getattr(one, room.name)
        if value != getattr(getattr(other, room.name), name)
    }


def test_the_marketplace_has_the_settings_by_start_that_it_has_by_serve(data: Path) -> None:
    started, served = settings_of(data, {}), load_settings(data)
    assert different(started, served) <= OF_THE_CLI
    assert (started.server.admin_email, started.server.demo_mode) == ("admin@minato.example", True)
    assert started.auth.security_update_password_require_current_password
    assert started.auth.token_hash_paths == {"/email-confirmed"}
    assert started.server.web_root == MIGRATIONS.parent / "web" / "dist"


def test_data_of_start_have_the_same_keys_by_serve(data: Path) -> None:
    keep_secret(data, CLI_KEYS["MINATO_JWT_SECRET"])
    keys = {"server.jwt_keys", "server.publishable_key", "server.secret_key"}
    assert different(settings_of(data, {}), load_settings(data)) & keys == set()
    assert load_settings(data).server.publishable_key == CLI_KEYS["MINATO_PUBLISHABLE_KEY"]
    # In production everybody would have them.
    assert load_settings(data, environment="production").server.publishable_key is None
    assert load_settings(data, behind={"MINATO_JWT_SECRET": "x" * 32}).server.publishable_key is None


def test_data_of_serve_have_no_key_that_everybody_has(data: Path) -> None:
    keep_secret(data, "s" * 32)
    server = settings_of(data, {}).server
    assert (server.jwt_secret, server.publishable_key, server.secret_key, server.jwt_keys) == (None,) * 4


def test_mails_lead_to_where_the_page_is_served_on_whatever_port(data: Path, tmp_path: Path) -> None:
    workdir = Workdir(tmp_path / "shop")
    workdir.supabase.mkdir(parents=True)

    def site(url: str) -> str | None:
        workdir.config_file.write_text(f'[api]\nport = 1234\n[auth]\nsite_url = "{url}"\n')
        return settings_of(data, {}, workdir=workdir, ports=Ports(0, 0)).auth.site_url

    assert site("http://127.0.0.1:1234") is site("http://127.0.0.1:1234/") is None
    for elsewhere in ("http://127.0.0.1:3000", "http://localhost:1234", "http://127.0.0.1:1234/app"):
        assert site(elsewhere) == elsewhere


def test_a_project_is_weaker_than_a_file_of_settings_and_that_than_the_environment(data: Path) -> None:
    own = {"MINATO_ADMIN_EMAIL": "file@shop.test", "MINATO_DEMO_MODE": "false", "MINATO_PORT": "1"}
    found = settings_of(data, {"MINATO_ADMIN_EMAIL": "shell@shop.test"}, own).server
    assert (found.admin_email, found.demo_mode, found.port) == ("shell@shop.test", False, 1)


def test_a_file_of_settings_may_hold_each_of_them_and_the_environment_those_with_a_name_of_ours(data: Path) -> None:
    names = {environment_name(model, name, each) for _, model in rooms() for name, each in model.model_fields.items()}
    config = ProjectFiles(MARKETPLACE, read_config(MARKETPLACE, {}), dict.fromkeys(names, "x"))
    held = project_settings(config, data, {}, Ports())
    assert names - {name for name, value in held.items() if value == "x"} == {"MINATO_DATA_DIR", "MINATO_PROJECT"}
    assert settings_of(data, {"TENANT_ID": "of-the-application"}) == settings_of(data, {})


def test_what_a_background_process_is_given_names_the_file_and_nothing_in_it(tmp_path: Path) -> None:
    (tmp_path / "own.env").write_text("DEMO_PASSWORD=known to few\n")
    asked = StartOptions(MARKETPLACE.root, tmp_path, port=0, settings_file=tmp_path / "own.env")
    assert StartOptions.from_json(asked.to_json()) == asked
    assert "known to few" not in asked.to_json()
    without = StartOptions(MARKETPLACE.root, tmp_path)
    assert StartOptions.from_json(without.to_json()) == without
