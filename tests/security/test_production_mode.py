"""Production is another mode, whatever address it listens on: no demo data, no published secret, one list."""

from __future__ import annotations

import json
from pathlib import Path

import httpx
import psycopg2
import pytest
from minato.cli.findings import Finding
from minato.cli.options import load_settings
from minato.cli.unsafe_settings import setting_findings
from minato.config import AuthSettings, Settings
from minato.config.database import DatabaseSettings
from minato.config.server import ServerSettings
from minato.config.storage import StorageSettings
from minato.postgres.cluster import EmbeddedOptions
from minato.postgres.embedded import EmbeddedPostgres

from tests.support.command import run_minato, served
from tests.support.starts import started

EXAMPLE_SECRET = "super-secret-jwt-token-with-at-least-32-characters-long"
PRODUCTION = {"MINATO_ENVIRONMENT": "production", "MINATO_ADMIN_EMAIL": "boss@shop.test"}
DEMO_MEMBER = "anna.schmidt@minato.example"


def sign_in(info: dict[str, str], email: str, password: str) -> int:
    url = f"{info['url']}/auth/v1/token?grant_type=password"
    answer = httpx.post(url, json={"email": email, "password": password}, headers={"apikey": info["anon_key"]})
    return answer.status_code


def counted(url: str, table: str) -> int:
    connection = psycopg2.connect(url)
    try:
        with connection, connection.cursor() as cursor:
            cursor.execute(f"select count(*) from {table}")
            return int(cursor.fetchone()[0])
    finally:
        connection.close()


def test_production_on_a_loopback_address_has_no_demo_data(tmp_path: Path) -> None:
    with served(tmp_path / "data", "--seed", **PRODUCTION) as server:
        assert sign_in(server.info, "admin@minato.example", "minato-demo") == 400
        assert sign_in(server.info, DEMO_MEMBER, "minato-demo") == 400
        assert counted(server.info["db_url"], "auth.users") == 0
        assert '"demoMode":false' in httpx.get(f"{server.info['url']}/config.js").text
        for shut in (
            "/_dev",
            "/_dev/",
            "/_dev/requests",
            "/_dev/v1/session",
            "/_dev/v1/requests/last/replay",
            "/_dev/mailbox",
            "/metrics",
        ):
            assert httpx.get(server.info["url"] + shut).status_code == 404


def test_demo_data_in_production_has_the_operators_password_alone(tmp_path: Path) -> None:
    with served(tmp_path / "data", "--seed", **PRODUCTION, DEMO_PASSWORD="known to nobody else") as server:
        assert sign_in(server.info, DEMO_MEMBER, "minato-demo") == 400
        assert sign_in(server.info, DEMO_MEMBER, "known to nobody else") == 200
    left = run_minato("serve", "--port", "0", "--data-dir", str(tmp_path / "data"), **PRODUCTION)
    assert left.returncode == 1
    assert "The demo data is in the database." in left.stderr


def test_production_refuses_a_database_whose_accounts_have_the_published_password(tmp_path: Path) -> None:
    with served(tmp_path / "data", "--seed"):
        pass
    for settings in ({}, {"DEMO_PASSWORD": "another"}):
        ended = run_minato("serve", "--port", "0", "--data-dir", str(tmp_path / "data"), **PRODUCTION, **settings)
        assert ended.returncode == 1
        assert "have the published password" in ended.stderr


@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0"])
def test_production_refuses_the_example_secret_on_every_address(tmp_path: Path, host: str) -> None:
    folder = tmp_path / "data"
    ended = run_minato(
        *("serve", "--host", host, "--port", "0", "--data-dir", str(folder)),
        **PRODUCTION,
        MINATO_JWT_SECRET=EXAMPLE_SECRET,
    )
    assert ended.returncode == 1
    assert "MINATO_JWT_SECRET is the published example" in ended.stderr
    assert not folder.exists()


def test_everything_unsafe_is_one_list_and_the_doctor_prints_the_same(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    with served(folder, "--seed"):
        pass
    unsafe = {
        "MINATO_JWT_SECRET": "short",
        "MINATO_PUBLIC_URL": "http://shop.test",
        "GOTRUE_MAILER_AUTOCONFIRM": "true",
        "MINATO_ADMIN_EMAIL": "boss@shop.test",
    }
    start = run_minato("serve", "--port", "0", "--data-dir", str(folder), MINATO_ENVIRONMENT="production", **unsafe)
    asked = run_minato("doctor", "--production", "--data-dir", str(folder), **unsafe)
    assert (start.returncode, asked.returncode) == (1, 1)
    told = [line for line in start.stderr.splitlines() if line.startswith("  ✗")]
    assert told == [line for line in asked.stdout.splitlines() if line.startswith("  ✗")]
    for reason in ("too short", "MINATO_PUBLIC_URL is without TLS", "AUTOCONFIRM", "the published password"):
        assert any(reason in line for line in told), reason
    assert "short" not in [word for line in told for word in line.split('"')]


def test_an_empty_database_is_no_hindrance_to_the_list(tmp_path: Path) -> None:
    postgres = EmbeddedPostgres(EmbeddedOptions(tmp_path / "cluster", durable=False))
    url = postgres.start_now().tcp_url()
    try:
        asked = run_minato("doctor", "--production", "--data-dir", str(tmp_path), DATABASE_URL=url)
        unsafe = {"DATABASE_URL": url, "MINATO_JWT_SECRET": "short", **PRODUCTION}
        start = run_minato("serve", "--port", "0", "--data-dir", str(tmp_path), **unsafe)
    finally:
        postgres.stop_now()
    assert (asked.returncode, start.returncode) == (0, 1), asked.stderr
    assert "Production may start." in asked.stdout
    assert start.stderr.startswith("minato: Production does not start like this")
    assert "too short" in start.stderr


def test_the_doctor_is_content_with_a_safe_configuration(tmp_path: Path) -> None:
    asked = run_minato("doctor", "--production", "--data-dir", str(tmp_path), MINATO_ADMIN_EMAIL="boss@shop.test")
    assert asked.returncode == 0
    assert "✗" not in asked.stdout
    assert "SMTP_HOST is not set" in asked.stdout


def found(**rooms: object) -> list[Finding]:
    server = rooms.pop("server", {})
    assert isinstance(server, dict)
    given = {"environment": "production", "admin_email": "boss@shop.test", "data_dir": Path("/nowhere"), **server}
    return list(setting_findings(Settings(server=ServerSettings.model_validate(given), **rooms)))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("rooms", "sentence"),
    [
        ({"server": {"jwt_secret": "your-" + EXAMPLE_SECRET}}, "MINATO_JWT_SECRET is the published"),
        ({"server": {"secret_key": "sb_secret_N7UND0UgjKTVK-Uodkm0Hg_xSvEMPvz"}}, "MINATO_SECRET_KEY"),
        ({"server": {"DEMO_PASSWORD": "minato-demo"}}, "DEMO_PASSWORD is a published"),
        ({"server": {"admin_email": "admin@minato.example"}}, "MINATO_ADMIN_EMAIL"),
        ({"server": {"admin_email": " Admin@Minato.Example"}}, "MINATO_ADMIN_EMAIL"),
        ({"server": {"public_url": "http://shop.test"}}, "MINATO_PUBLIC_URL is without TLS"),
        ({"server": {"host": "192.0.2.7"}}, "MINATO_PUBLIC_URL is without TLS"),
        ({"auth": AuthSettings(site_url="http://shop.test")}, "GOTRUE_SITE_URL is without TLS"),
        ({"auth": AuthSettings(mailer_autoconfirm=True)}, "GOTRUE_MAILER_AUTOCONFIRM"),
        (
            {"database": DatabaseSettings.model_validate({"DATABASE_URL": "postgresql://me:postgres@127.0.0.1/shop"})},
            "The password in DATABASE_URL",
        ),
        (
            {
                "storage": StorageSettings.model_validate(
                    {
                        "S3_PROTOCOL_ACCESS_KEY_SECRET": (
                            "850181e4652dd023b7a98c58ae0d2d34bd487ee0cc3254aed6eda37307425907"
                        )
                    }
                )
            },
            "S3_PROTOCOL_ACCESS_KEY_SECRET",
        ),
    ],
)
def test_production_refuses_what_is_published_or_travels_in_the_clear(rooms: dict[str, object], sentence: str) -> None:
    refusals = [str(one) for one in found(**rooms) if one.is_refused]
    assert [one for one in refusals if one.startswith(sentence)] == refusals
    assert refusals


@pytest.mark.parametrize(
    ("auth", "sentence"),
    [
        ({"rate_limit_peers": False}, "GOTRUE_RATE_LIMIT_PEERS=false"),
        ({"security_code_tries": 0}, "GOTRUE_SECURITY_CODE_TRIES=0"),
        ({"security_factor_tries": 0}, "GOTRUE_SECURITY_FACTOR_TRIES=0"),
        ({"security_factor_tries_hourly": 0}, "GOTRUE_SECURITY_FACTOR_TRIES_HOURLY=0"),
        ({"security_password_tries": 0}, "GOTRUE_SECURITY_PASSWORD_TRIES=0"),
        ({"rate_limit_header": "x-real-ip"}, "GOTRUE_RATE_LIMIT_HEADER is believed from nobody"),
    ],
)
def test_the_doctor_advises_against_what_leaves_guesses_unlimited(auth: dict[str, object], sentence: str) -> None:
    told = found(auth=AuthSettings.model_validate(auth))
    assert [one.is_refused for one in told if str(one).startswith(sentence)] == [False]
    assert not any(str(one).startswith(sentence) for one in found())


def test_the_header_of_a_trusted_proxy_is_nothing_to_advise_against() -> None:
    told = found(auth=AuthSettings(rate_limit_header="x-real-ip"), server={"trusted_proxies": ["10.0.0.0/8"]})
    assert not any("RATE_LIMIT_HEADER" in str(one) for one in told)


@pytest.mark.parametrize(
    ("proxies", "is_advised"),
    [(["0.0.0.0/0"], True), (["10.0.0.1", "::/0"], True), (["10.0.0.0/8", "fd00::/8"], False)],
)
def test_the_doctor_advises_against_trusting_everybody_as_a_proxy(proxies: list[str], is_advised: bool) -> None:
    told = [str(one) for one in found(server={"trusted_proxies": proxies}) if not one.is_refused]
    assert any(one.startswith("MINATO_TRUSTED_PROXIES trusts everybody") for one in told) is is_advised


@pytest.mark.parametrize("kind", ["code_tries", "factor_tries", "factor_tries_hourly", "password_tries"])
def test_production_refuses_guesses_that_nothing_slows(kind: str) -> None:
    told = found(auth=AuthSettings.model_validate({f"security_{kind}": 0, "rate_limit_peers": False}))
    [refusal] = [str(one) for one in told if one.is_refused]
    assert f"GOTRUE_SECURITY_{kind.upper()}=0 and GOTRUE_RATE_LIMIT_PEERS=false" in refusal


@pytest.mark.parametrize("url", [None, "https://shop.test", "http://localhost:54321"])
def test_production_takes_a_safe_address(url: str | None) -> None:
    assert [one for one in found(server={"public_url": url}) if one.is_refused] == []


DEMONSTRATION = ("MINATO_ENVIRONMENT", "MINATO_DEMO_MODE", "MINATO_ADMIN_EMAIL", "MINATO_PROJECT", "MINATO_WEB_ROOT")


@pytest.fixture
def elsewhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A folder to be in, without a setting of the demonstration."""
    monkeypatch.chdir(tmp_path)
    for name in DEMONSTRATION:
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def test_the_demonstration_is_a_default_of_development_alone(elsewhere: Path) -> None:
    assert load_settings().server.demo_mode
    assert not load_settings(environment="production").server.demo_mode
    assert load_settings(environment="production", demo=True).server.demo_mode


def test_the_administrator_of_the_demonstration_is_one_of_development_alone(
    elsewhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert load_settings().server.admin_email == "admin@minato.example"
    assert load_settings(environment="production").server.admin_email == ""
    monkeypatch.setenv("MINATO_ENVIRONMENT", "production")
    assert load_settings().server.admin_email == ""


def test_what_a_project_sets_for_auth_holds_in_production_too_below_every_variable(
    elsewhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = elsewhere / "mine" / "supabase" / "minato.toml"
    file.parent.mkdir(parents=True)
    file.write_text('[auth]\nrequire_current_password = true\ntoken_hash_paths = ["/here"]\n')
    monkeypatch.setenv("MINATO_PROJECT", "mine")
    for environment in ("development", "production"):
        auth = load_settings(environment=environment).auth
        assert auth.security_update_password_require_current_password
        assert auth.token_hash_paths == {"/here"}
    monkeypatch.setenv("GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_CURRENT_PASSWORD", "false")
    assert not load_settings(environment="production").auth.security_update_password_require_current_password


def test_the_marketplace_asks_for_the_present_password_in_production(elsewhere: Path) -> None:
    auth = load_settings(environment="production").auth
    assert auth.security_update_password_require_current_password
    assert auth.token_hash_paths == {"/email-confirmed"}


def test_what_a_project_sets_for_development_is_weaker_than_any_variable_and_nothing_in_production(
    elsewhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = elsewhere / "mine" / "supabase" / "minato.toml"
    file.parent.mkdir(parents=True)
    file.write_text(
        '[development]\nadmin_email = "dev@shop.test"\ndemo_mode = true\nweb_root = "../dist"\n'
        "require_current_password = true\n"
    )
    monkeypatch.setenv("MINATO_PROJECT", "mine")

    def settings(environment: str | None = None, **behind: str) -> tuple[object, ...]:
        found = load_settings(environment=environment, behind=behind)
        server, auth = found.server, found.auth
        asked = auth.security_update_password_require_current_password
        return server.admin_email, server.demo_mode, server.web_root, asked

    assert settings() == ("dev@shop.test", True, elsewhere / "mine" / "dist", True)
    assert settings("production")[:2] == ("", False)
    assert settings("production")[2] != elsewhere / "mine" / "dist"
    assert settings("production")[3] is False
    assert settings(MINATO_ADMIN_EMAIL="behind@shop.test")[0] == "behind@shop.test"
    monkeypatch.setenv("MINATO_ADMIN_EMAIL", "")
    monkeypatch.setenv("MINATO_DEMO_MODE", "false")
    monkeypatch.setenv("MINATO_WEB_ROOT", "")
    monkeypatch.setenv("GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_CURRENT_PASSWORD", "false")
    assert settings() == ("", False, None, False)


def test_a_mistake_in_a_projects_file_is_told_in_production_before_anything_is_begun(tmp_path: Path) -> None:
    file = tmp_path / "mine" / "supabase" / "minato.toml"
    file.parent.mkdir(parents=True)
    file.write_text("[development]\nadmin_mail = 'x'\n")
    given = {**PRODUCTION, "MINATO_PROJECT": str(tmp_path / "mine")}
    ended = run_minato("serve", "--port", "0", "--data-dir", str(tmp_path / "data"), **given)
    assert ended.returncode == 1
    assert f"{file}:2: development.admin_mail is not known" in ended.stderr
    assert not (tmp_path / "data").exists()


def test_sample_data_is_not_loaded_into_production_by_hand_either(tmp_path: Path) -> None:
    for command in ("seed", "reset"):
        ended = run_minato("db", command, "small", "--data-dir", str(tmp_path / "data"), **PRODUCTION)
        assert ended.returncode == 1
        assert "set DEMO_PASSWORD" in ended.stderr
    assert not (tmp_path / "data").exists()


def test_in_production_standard_error_is_the_log_as_json(tmp_path: Path) -> None:
    with started(tmp_path / "data", **PRODUCTION) as server:
        server.wait_for(lambda: "Keys" in server.out, "the server is ready")
        assert server.end(2) == 0
    events = [json.loads(line) for line in server.err.splitlines()]
    assert any("SMTP_HOST is not set" in event["event"] for event in events)
    assert "service_role" not in server.out
