"""A PostgreSQL that somebody else set up, by the login they have: packages and container images call their superuser
`postgres`, or as the person is called; a service gives one that may do much and is none."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import psycopg2
import pytest
from minato.postgres.cluster import EmbeddedOptions
from minato.postgres.embedded import EmbeddedPostgres

from tests.integration.postgres.conftest import SERVER
from tests.support.command import Served, served

PASSWORD = "chosen by its operator"
LOGINS = {
    "postgres": "superuser",
    "anna": "superuser",
    "manager": "createrole createdb replication bypassrls in role pg_monitor, pg_read_all_data, pg_signal_backend",
}


@pytest.fixture(params=LOGINS)
def address(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The address by which its operator has it served."""
    login = request.param
    postgres = EmbeddedPostgres(EmbeddedOptions(tmp_path / "cluster", SERVER.folder, durable=False))
    url = postgres.start_now().tcp_url()
    try:
        connection = psycopg2.connect(url)
        connection.autocommit = True
        with connection.cursor() as cursor:
            rights, *groups = LOGINS[login].split(" in role ")
            cursor.execute(f"create role {login} login {rights} password '{PASSWORD}'")
            for group in groups:
                cursor.execute(f"grant {group} to {login} with admin option")
            if SERVER.major_version < 16:
                # No other gives that right before; a start says so.
                cursor.execute("create role service_role bypassrls")
            cursor.execute(f"create database app owner {login}")
        connection.close()
        yield f"postgresql://{login}:{PASSWORD.replace(' ', '%20')}@{url.split('@')[1].split('/')[0]}/app"
    finally:
        postgres.stop_now()


def uses_everything(server: Served, email: str) -> None:
    """Whoever is new signs up, stores a file and reads a table."""
    url, key = server.info["url"], server.info["service_role_key"]
    with httpx.Client(base_url=url, headers={"apikey": key, "authorization": f"Bearer {key}"}) as client:
        person = {"email": email, "password": "a good long password", "email_confirm": True}
        assert client.post("/auth/v1/admin/users", json=person).status_code == 200
        assert client.post("/storage/v1/bucket", json={"name": email, "id": email}).status_code == 200
        assert client.post(f"/storage/v1/object/{email}/a.txt", content=b"x").status_code == 200
        assert client.get("/rest/v1/profiles?select=user_id&limit=1").status_code == 200


def test_a_database_is_migrated_and_served_and_served_again(address: str, tmp_path: Path) -> None:
    for attempt in ("first", "second"):
        with served(tmp_path / "data", DATABASE_URL=address) as server:
            uses_everything(server, f"{attempt}@example.com")
