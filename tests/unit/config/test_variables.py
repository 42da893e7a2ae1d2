"""Settings built from a mapping: what several backends of one process, and `minato start`, are made of."""

from __future__ import annotations

from pathlib import Path

import pytest
from minato.cli.errors import refusal_of_a_setting, setting_problems
from minato.config import AuthSettings, Settings
from minato.tokens.user_keys import UnusableKeys, load_keys
from pydantic import ValidationError


def test_only_the_given_variables_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".env").write_text("GOTRUE_JWT_EXP=11\nPGRST_APP_SETTINGS_FILE=1\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MINATO_PORT", "1")
    monkeypatch.setenv("PGRST_APP_SETTINGS_ENVIRONMENT", "1")
    settings = Settings.of({"GOTRUE_PASSWORD_MIN_LENGTH": "9", "DATABASE_URL": "", "PGRST_APP_SETTINGS_OWN": "2"})
    assert settings.auth.password_min_length == 9
    assert (settings.auth.jwt_exp, settings.server.port) == (3600, 54321)
    assert settings.database.database_url is None
    assert settings.rest.app_settings == {"own": "2"}


def test_names_are_the_environments_prefixes_and_aliases_included() -> None:
    given = {
        "UPLOAD_FILE_SIZE_LIMIT": "7",
        "PGRST_DB_MAX_ROWS": "",
        "MINATO_TRUSTED_PROXIES": '["10.0.0.0/8"]',
        "SMTP_HOST": "mail",
    }
    settings = Settings.of(given)
    assert (settings.storage.file_size_limit, settings.rest.db_max_rows) == (7, None)
    assert (settings.server.trusted_proxies, settings.mail.host) == (["10.0.0.0/8"], "mail")


def test_the_secret_has_gotrues_name_too_and_ours_comes_first() -> None:
    gotrue, ours = {"GOTRUE_JWT_SECRET": "theirs" * 6}, {"MINATO_JWT_SECRET": "ours" * 8}
    for given, secret in ((gotrue, "theirs" * 6), (gotrue | ours, "ours" * 8)):
        found = Settings.of(given).server.jwt_secret
        assert found is not None
        assert found.get_secret_value() == secret


def test_a_switch_that_is_set_to_nothing_has_its_default() -> None:
    settings = Settings.of({"MINATO_DEMO_MODE": "", "MINATO_ADMIN_SIGNUP_ENABLED": ""})
    assert (settings.server.demo_mode, settings.server.admin_signup_enabled) == (False, True)


def test_a_wrong_value_is_refused_as_from_the_environment() -> None:
    with pytest.raises(ValidationError):
        Settings.of({"MINATO_PORT": "far too many"})


def test_what_is_not_given_has_its_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PGRST_APP_SETTINGS_A", "environment")
    monkeypatch.setenv("MINATO_PORT", "1")
    assert (Settings().rest.app_settings, Settings().server.port) == ({}, 54321)


def test_a_provider_is_read_by_its_own_prefix() -> None:
    given = {"GOTRUE_EXTERNAL_LINKEDIN_CLIENT_ID": "one", "gotrue_external_linkedin_oidc_client_id": "two"}
    external = AuthSettings.of(given).external
    assert (external["linkedin"].client_id, external["linkedin_oidc"].client_id) == ("one", "two")


@pytest.mark.parametrize(
    ("name", "beginning"),
    [
        ("REDIS_URL", "redis://, rediss://, unix://"),
        ("DATABASE_URL", "postgresql://, postgres://"),
        ("AUTHENTICATOR_URL", "postgresql://, postgres://"),
        ("DATABASE_DIRECT_URL", "postgresql://, postgres://"),
        ("DATABASE_READ_URL", "postgresql://, postgres://"),
    ],
)
def test_what_is_no_address_is_told_by_the_name_of_its_setting(name: str, beginning: str) -> None:
    with pytest.raises(ValidationError) as refused:
        Settings.of({name: "hunter2@db:5432"})
    assert setting_problems(refused.value) == [f"{name}: Value error, must begin with {beginning}."]


@pytest.mark.parametrize(
    ("name", "given", "told"),
    [
        ("STORAGE_URL", "garbage", "must begin with file://, s3://, gs://, az:// or another store's scheme"),
        ("STORAGE_URL", "s3://bucket?endpoint=store:9000", "endpoint must be http://… or https://…"),
        ("STORAGE_URL", "s3://?region=eu", "names no folder or bucket"),
        ("STORAGE_URL", "s3://bucket?secret=hunter2", "unknown option secret"),
        ("GOTRUE_JWT_KEYS", '{"k": "hunter2"}', "wants a JSON array of JWKs"),
        ("GOTRUE_JWT_KEYS", "hunter2", "Expecting value: line 1 column 1 (char 0)"),
        ("MINATO_TRUSTED_PROXIES", "proxy", "'proxy' does not appear to be an IPv4 or IPv6 network"),
    ],
)
def test_what_no_setting_can_be_is_told_by_its_name(name: str, given: str, told: str) -> None:
    with pytest.raises(ValidationError) as refused:
        Settings.of({name: given})
    assert setting_problems(refused.value) == [f"{name}: Value error, {told}."]


@pytest.mark.parametrize("given", ["10.0.0.0/8, 192.0.2.1", '["10.0.0.0/8", "192.0.2.1"]', "10.0.0.0/8,192.0.2.1,"])
def test_a_list_is_read_with_commas_and_as_json(given: str) -> None:
    assert Settings.of({"MINATO_TRUSTED_PROXIES": given}).server.trusted_proxies == ["10.0.0.0/8", "192.0.2.1"]


def test_a_key_that_is_none_is_told_by_its_setting() -> None:
    with pytest.raises(UnusableKeys, match=r"^GOTRUE_JWT_KEYS: JWK algorithm None is not one of HS256, ") as refused:
        load_keys("secret", '[{"kty": "oct", "k": "hunter2"}]')
    assert refusal_of_a_setting(refused.value) == str(refused.value)
