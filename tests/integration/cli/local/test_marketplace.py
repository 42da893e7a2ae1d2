"""The marketplace is a project like any other, and data of `minato serve` are opened with nothing lost."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
from minato.places import MIGRATIONS
from minato.project.folder import Project

from tests.support.command import run_minato, served
from tests.support.local_project import LocalProject
from tests.support.made_start import made_start

MARKETPLACE = MIGRATIONS / "marketplace"
MEMBER = "anna.schmidt@minato.example"
PRODUCTION = {"MINATO_ENVIRONMENT": "production", "MINATO_ADMIN_EMAIL": "boss@shop.test"}
# What differs from start to start.
PLACES = ("url", "db_url", "mailbox_url", "console_url", "pid")


@dataclass(frozen=True)
class Elsewhere(LocalProject):
    """A project whose data lie outside its folder, because the folder is the repository's."""

    folder: Path

    @property
    def data(self) -> Path:
        return self.folder

    @property
    def place(self) -> tuple[str, str]:
        return ("--data-dir", str(self.folder))


@pytest.fixture
def marketplace(tmp_path: Path) -> Iterator[Elsewhere]:
    project = Elsewhere(MARKETPLACE, tmp_path / "state", tmp_path / "data")
    try:
        yield project
    finally:
        project.minato("stop", "--no-backup", *project.place)


def rows(project: Elsewhere, table: str) -> int:
    shown = run_minato("db", "url", "--data-dir", str(project.folder)).stdout.strip()
    assert shown.startswith("postgresql://")
    listed = run_minato("db", "psql", "--data-dir", str(project.folder), "-Atc", f"select count(*) from {table}")
    return int(listed.stdout)


def test_the_marketplace_is_served_by_the_same_code_as_anybodys_project(marketplace: Elsewhere) -> None:
    started = marketplace.start(*marketplace.place, MINATO_DEMO_MODE="false")
    migrations = [file.path.name for file in Project(MARKETPLACE).migrations()]
    assert [line for line in started.stderr.splitlines() if line.startswith("Applying")] == [
        f"Applying migration {name}..." for name in migrations
    ]
    assert rows(marketplace, "public.profiles") == 0
    assert rows(marketplace, "storage.buckets") > 0
    # Nothing of it lies in the folder of the project itself.
    assert not (MARKETPLACE / "supabase" / ".minato").exists()


def member(info: Mapping[str, str], token: str | None = None) -> dict[str, str]:
    """Sign in as a member of the seed; or who the holder of a token is."""
    headers = {"apikey": info["anon_key"], **({"authorization": f"Bearer {token}"} if token else {})}
    if token:
        answer = httpx.get(f"{info['url']}/auth/v1/user", headers=headers)
    else:
        words = {"email": MEMBER, "password": "minato-demo"}
        answer = httpx.post(f"{info['url']}/auth/v1/token?grant_type=password", json=words, headers=headers)
    assert answer.status_code == 200, answer.text
    found: dict[str, str] = answer.json()
    return found


def test_data_of_serve_are_opened_with_nothing_lost(marketplace: Elsewhere) -> None:
    folder = marketplace.folder
    assert run_minato("db", "seed", "small", "--data-dir", str(folder)).returncode == 0
    counted = {table: rows(marketplace, table) for table in ("auth.users", "public.profiles", "storage.objects")}
    assert min(counted.values()) > 0
    with served(folder) as server:
        before = {name: value for name, value in server.info.items() if name not in PLACES}
        login = server.info["db_url"].partition("@")[0]
        session = member(server.info)
    with made_start(folder) as started:
        assert started["db_url"].partition("@")[0] == login
        # Keys, the password, and what is sealed in the database follow from the secrets that the folder has.
        assert {name: value for name, value in started.items() if name in before} == before
        assert member(started, session["access_token"])["email"] == MEMBER
        assert {table: rows(marketplace, table) for table in counted} == counted
    with served(folder) as server:
        assert server.info["db_url"].partition("@")[0] == login
        assert {name: value for name, value in server.info.items() if name in before} == before
        assert member(server.info, session["access_token"])["email"] == MEMBER
    refused = run_minato("serve", "--port", "0", "--data-dir", str(folder), **PRODUCTION)
    # The seed's accounts stand against production, as before; the database's password does not.
    assert "have the published password" in refused.stderr
    assert "The data folder is one of minato start" not in refused.stderr


def test_data_of_make_start_are_served_by_serve_in_development_alone(marketplace: Elsewhere) -> None:
    folder = marketplace.folder
    with made_start(folder) as started:
        assert run_minato("db", "seed", "small", "--data-dir", str(folder)).returncode == 0
        session = member(started)
        assert started["db_url"].startswith("postgresql://postgres:postgres@")
    with served(folder) as server:
        for name in ("anon_key", "publishable_key", "secret_key", "jwt_secret", "s3_access_key_secret"):
            assert server.info[name] == started[name]
        assert "postgres:postgres@" in server.info["db_url"]
        assert member(server.info, session["access_token"])["email"] == MEMBER
    printed = json.loads(run_minato("keys", "--json", "--data-dir", str(folder)).stdout)
    assert printed["secret_key"] == started["secret_key"]
    refused = run_minato("serve", "--port", "0", "--data-dir", str(folder), **PRODUCTION)
    assert refused.returncode == 1
    assert "MINATO_JWT_SECRET is the published example" in refused.stderr
    assert "The data folder is one of minato start" in refused.stderr


def test_the_administrator_of_the_demonstration_signs_in_after_make_start(marketplace: Elsewhere) -> None:
    with made_start(marketplace.folder) as started:
        assert run_minato("db", "seed", "small", "--data-dir", str(marketplace.folder)).returncode == 0
        headers = {"apikey": started["anon_key"]}
        words = {"email": "admin@minato.example", "password": "minato-demo"}
        url = f"{started['url']}/auth/v1/token?grant_type=password"
        signed_in = httpx.post(url, json=words, headers=headers).json()
        assert signed_in["user"]["app_metadata"]["role"] == "admin"
        bearer = {**headers, "authorization": f"Bearer {signed_in['access_token']}"}
        overview = httpx.post(f"{started['url']}/rest/v1/rpc/admin_overview", json={}, headers=bearer)
        assert overview.status_code == 200
        script = httpx.get(f"{started['url']}/config.js").text
        assert '"demoMode":false,"adminEmail":"admin@minato.example","adminSignup":true' in script
