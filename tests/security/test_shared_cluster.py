"""Two installations on one PostgreSQL do no harm to each other, whatever their secrets are."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import psycopg2
import pytest
from minato.cli.logins import own_role
from minato.postgres.cluster import EmbeddedOptions
from minato.postgres.embedded import EmbeddedPostgres

from tests.support.command import Served, served
from tests.support.starts import started


@pytest.fixture
def cluster_url(tmp_path: Path) -> Iterator[str]:
    """A PostgreSQL that somebody else runs, with the empty databases `one` and `two`."""
    postgres = EmbeddedPostgres(EmbeddedOptions(tmp_path / "cluster", durable=False))
    address = postgres.start_now()
    try:
        for name in ("one", "two"):
            execute(address.tcp_url(), f"create database {name}")
        yield address.tcp_url(database="")
    finally:
        postgres.stop_now()


def execute(url: str, statement: str) -> object:
    connection = psycopg2.connect(url)
    connection.autocommit = True
    try:
        with connection.cursor() as cursor:
            cursor.execute(statement)
            return cursor.fetchone()[0] if cursor.description else None
    finally:
        connection.close()


def status(server: Served, path: str = "/rest/v1/profiles?select=user_id&limit=1") -> int:
    headers = {"apikey": server.info["service_role_key"]}
    return httpx.get(server.info["url"] + path, headers=headers).status_code


def end_sessions(url: str) -> None:
    """What idle time does: every connection of the API has to be opened anew."""
    logins = "select count(pg_terminate_backend(pid, 5000)) from pg_stat_activity where usename like 'authenticator%'"
    execute(url, logins)


def test_two_installations_with_different_secrets_serve_through_new_connections(
    cluster_url: str, tmp_path: Path
) -> None:
    with (
        served(tmp_path / "1", DATABASE_URL=cluster_url + "one") as one,
        served(tmp_path / "2", DATABASE_URL=cluster_url + "two") as two,
    ):
        for server in (one, two):
            assert status(server) == 200
        end_sessions(cluster_url + "one")
        assert [status(server) for server in (one, two)] == [200, 200]
        assert [status(server, "/readyz") for server in (one, two)] == [200, 200]
    with served(tmp_path / "1", DATABASE_URL=cluster_url + "one") as one:
        assert status(one) == 200


def test_who_finds_the_role_taken_is_told_what_that_means(cluster_url: str, tmp_path: Path) -> None:
    with served(tmp_path / "1", DATABASE_URL=cluster_url + "one"):
        pass
    with started(tmp_path / "2", "--json", "--no-seed", DATABASE_URL=cluster_url + "two") as two:
        two.wait_for(lambda: "\n" in two.out, "the server is ready")
    assert own_role("two") in two.err
    assert "AUTHENTICATOR_URL" in two.err


def test_a_login_of_its_own_may_no_more_than_authenticator_and_has_its_settings(
    cluster_url: str, tmp_path: Path
) -> None:
    with served(tmp_path / "1", DATABASE_URL=cluster_url + "one"):
        pass
    execute(cluster_url + "one", """alter role authenticator set search_path = "$user", public""")
    with served(tmp_path / "2", DATABASE_URL=cluster_url + "two"):
        pass
    settings = "select setconfig from pg_db_role_setting join pg_roles r on r.oid = setrole where rolname = '{}'"
    own = execute(cluster_url + "two", settings.format(own_role("two")))
    assert own == execute(cluster_url + "two", settings.format("authenticator"))
    rights = "select rolsuper or rolcreaterole or rolbypassrls or pg_has_role('{0}', 'anon', 'usage') from pg_roles"
    assert (
        execute(cluster_url + "two", f"{rights.format(own_role('two'))} where rolname = '{own_role('two')}'") is False
    )


def test_an_installation_alone_on_its_cluster_may_change_its_secret(cluster_url: str, tmp_path: Path) -> None:
    for secret in ("a" * 40, "b" * 40):
        with served(tmp_path / "1", DATABASE_URL=cluster_url + "one", MINATO_JWT_SECRET=secret) as one:
            assert status(one) == 200
    assert execute(cluster_url + "one", "select count(*) from pg_roles where rolname like 'authenticator_%'") == 0


# Whatever a role is: attributes, password, settings, and whose member it is.
ROLES = """
select json_object_agg(r.rolname, json_build_array(
    (select json_object_agg(key, value) from jsonb_each(to_jsonb(r) - 'rolname') as told),
    (select json_agg(s.setconfig order by s.setdatabase) from pg_db_role_setting s where s.setrole = r.oid),
    (select json_agg(json_build_array(m.roleid::regrole, m.admin_option) order by m.roleid::regrole::text)
        from pg_auth_members m where m.member = r.oid)) order by r.rolname)
from pg_authid r where r.rolname !~ '^(pg_|authenticator_)'
"""
# What an operator may have changed for the installation that is there.
CHANGED = """
alter role anon set statement_timeout = '30s';
alter role authenticator set statement_timeout = '60s';
alter role authenticator set pgrst.db_max_rows = '10';
alter role supabase_auth_admin reset idle_in_transaction_session_timeout;
alter role supabase_auth_admin set log_statement = 'all';
alter role supabase_storage_admin with password 'of-my-own';
alter role dashboard_user with password 'of-my-own';
"""


def test_a_second_installation_leaves_the_roles_as_the_first_ones_operator_set_them(
    cluster_url: str, tmp_path: Path
) -> None:
    with served(tmp_path / "1", DATABASE_URL=cluster_url + "one") as one:
        execute(cluster_url + "one", CHANGED)
        before = execute(cluster_url + "one", ROLES)
        with served(tmp_path / "2", DATABASE_URL=cluster_url + "two"):
            assert execute(cluster_url + "one", ROLES) == before
        end_sessions(cluster_url + "one")
        assert status(one) == 200
    assert execute(cluster_url + "one", ROLES) == before


def test_accounts_files_and_rows_of_two_installations_are_each_ones_own(cluster_url: str, tmp_path: Path) -> None:
    with (
        served(tmp_path / "1", DATABASE_URL=cluster_url + "one") as one,
        served(tmp_path / "2", DATABASE_URL=cluster_url + "two") as two,
    ):
        for server, name in ((one, "ann"), (two, "bob")):
            opened = post(server, "/auth/v1/admin/users", {"email": f"{name}@example.com", "email_confirm": True})
            assert opened.status_code == 200, opened.text
            assert post(server, "/storage/v1/bucket", {"id": name, "name": name}).status_code == 200
            assert post(server, f"/storage/v1/object/{name}/a.txt", {"name": name}).status_code == 200
        for server, name in ((one, "ann"), (two, "bob")):
            assert [user["email"] for user in get(server, "/auth/v1/admin/users")["users"]] == [f"{name}@example.com"]
            buckets = {bucket["id"] for bucket in get(server, "/storage/v1/bucket")}
            assert buckets & {"ann", "bob"} == {name}
            assert get(server, f"/storage/v1/object/{name}/a.txt") == {"name": name}


def post(server: Served, path: str, body: dict[str, object]) -> httpx.Response:
    return httpx.post(server.info["url"] + path, headers=by_service(server), json=body)


def get(server: Served, path: str) -> Any:
    return httpx.get(server.info["url"] + path, headers=by_service(server)).json()


def by_service(server: Served) -> dict[str, str]:
    key = server.info["service_role_key"]
    return {"apikey": key, "authorization": f"Bearer {key}"}
