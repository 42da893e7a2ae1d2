"""A postgrest.conf is read as PostgREST reads it."""

from __future__ import annotations

from pathlib import Path

import pytest
from minato.config.claim_path import claim_at, parse_claim_path
from minato.config.postgrest import load_postgrest
from minato.config.postgrest_syntax import parse_conf

CONF = """
# The database
db-uri       = "postgresql://$(USER_NAME)@/app"   # interpolated
db-schemas   = "api, other"
db-anon-role = "web \\"anon\\""
db-max-rows  = 100
server-port  = 3100
openapi-security-active = true
jwt-role-claim-key = "$$.realm.role"
app.settings.secret = "text"
app.settings {
  number = 5
}
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "postgrest.conf"
    path.write_text(text)
    return path


def test_names_values_groups_and_comments_are_read(tmp_path: Path) -> None:
    config = load_postgrest(written(tmp_path, CONF), {"USER_NAME": "alice"})
    rest = config.rest
    assert (config.db_uri, config.port) == ("postgresql://alice@/app", 3100)
    assert (rest.schemas, rest.db_anon_role, rest.db_max_rows) == (("api", "other"), 'web "anon"', 100)
    assert (rest.openapi_security_active, rest.jwt_role_claim_key) == (True, "$.realm.role")
    assert dict(rest.app_settings) == {"secret": "text", "number": "5"}


def test_defaults_are_the_originals(tmp_path: Path) -> None:
    config = load_postgrest(None, {})
    rest = config.rest
    assert (config.db_uri, config.host, config.port) == ("postgresql://", "0.0.0.0", 3000)
    assert (rest.schemas, rest.db_anon_role, rest.db_max_rows) == (("public",), None, None)
    assert rest.extra_search_path == ("public",)


def test_the_environment_overrules_the_file(tmp_path: Path) -> None:
    environment = {
        "USER_NAME": "x",
        "PGRST_DB_SCHEMAS": "env",
        "PGRST_APP_SETTINGS_SECRET": "from env",
        "PGRST_DB_MAX_ROWS": "",
    }
    rest = load_postgrest(written(tmp_path, CONF), environment).rest
    assert (rest.schemas, rest.db_max_rows) == (("env",), None)
    assert rest.app_settings["SECRET"] == "from env"


@pytest.mark.parametrize(
    ("alias", "value", "field"),
    [("db-schema", "a", "db_schemas"), ("pre-request", "f", "db_pre_request"), ("root-spec", "f", "db_root_spec")],
)
def test_old_names_still_count(tmp_path: Path, alias: str, value: str, field: str) -> None:
    rest = load_postgrest(written(tmp_path, f'{alias} = "{value}"'), {}).rest
    assert getattr(rest, field) == value


def test_the_uri_and_other_files_may_be_elsewhere(tmp_path: Path) -> None:
    (tmp_path / "uri").write_text("postgresql://elsewhere\n")
    (tmp_path / "more.conf").write_text('db-schemas = "more"')
    config = load_postgrest(written(tmp_path, f'import "more.conf"\ndb-uri = "@{tmp_path}/uri"'), {})
    assert (config.db_uri, config.rest.db_schemas) == ("postgresql://elsewhere", "more")


@pytest.mark.parametrize(
    "text",
    [
        "db-uri",
        'db-uri = "$(NOWHERE)"',
        "= 5",
        "group {",
        'db-uri = "unended',
        'db-schemas = "pg_catalog"',
        'db-schemas = "a, information_schema"',
        'db-tx-end = "maybe"',
        'openapi-mode = "some"',
        'client-error-verbosity = "none"',
        'jwt-role-claim-key = "$.roles[?"',
        'server-unix-socket-mode = "000"',
        "db-max-rows = true",
        'log-level = "loud"',
        'jwt-aud = "urn:what is this"',
        'openapi-server-proxy-uri = "ftp://example.com"',
    ],
)
def test_what_can_not_be_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - pydantic's errors are ValueErrors too
        load_postgrest(written(tmp_path, text), {})


@pytest.mark.parametrize(
    ("path", "role"),
    [
        ("$.role", "a"),
        (".role", "a"),
        ('$.realm["app-role"]', "b"),
        ('."realm"."app-role"', "b"),
        ("$.roles[0]", "test_one"),
        ("$.roles[-1]", "other"),
        ('$.roles[?(@ == "other")]', "other"),
        ('$.roles[?(@ != "test_one")]', "two_test"),
        ('.roles[?(@ ^== "test_")]', "test_one"),
        ('.roles[?(@ ==^ "_test")]', "two_test"),
        ('.roles[?(@ *== "the")]', "other"),
        ('$.roles[?search(@, "^two")]', "two_test"),
    ],
)
def test_the_role_is_found_where_the_path_leads(path: str, role: str) -> None:
    claims = {"role": "a", "realm": {"app-role": "b"}, "roles": ["test_one", "two_test", "other"]}
    assert claim_at(claims, parse_claim_path(path)) == role


@pytest.mark.parametrize(
    "path", ["$.roles[9]", "$.roles[-9]", "$.nothing.there", "$.role.deeper", '$.roles[?(@ == "x")]']
)
def test_a_path_may_lead_nowhere(path: str) -> None:
    with pytest.raises(LookupError):
        claim_at({"role": "a", "roles": ["b"]}, parse_claim_path(path))


def test_strings_know_escapes() -> None:
    assert parse_conf(r'a = "x\ty\"\u00e9$$"', {}) == {"a": 'x\ty"é$'}


def test_the_admin_server_stands_beside_the_api_unless_told_otherwise() -> None:
    config = load_postgrest(None, {"PGRST_SERVER_HOST": "127.0.0.1", "PGRST_ADMIN_SERVER_PORT": "3001"})
    assert (config.admin_host, config.admin_port) == ("127.0.0.1", 3001)
    elsewhere = load_postgrest(None, {"PGRST_ADMIN_SERVER_HOST": "*6", "PGRST_ADMIN_SERVER_PORT": "3000"})
    assert (elsewhere.admin_host, elsewhere.admin_port) == ("::", 3000)
    assert load_postgrest(None, {}).admin_port is None


def test_the_admin_server_cannot_share_the_port_of_the_api() -> None:
    with pytest.raises(ValueError, match="admin-server-port cannot be the same as server-port"):
        load_postgrest(None, {"PGRST_ADMIN_SERVER_PORT": "3000"})
