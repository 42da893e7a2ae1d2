"""`users.toml`: accounts as the file says, in main, in branches, and back into a file."""

from __future__ import annotations

import asyncio
import json
import tomllib
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import uuid4

import bcrypt
import httpx
import pytest
from minato.auth.people.loading import MARK, hashed
from minato.cli.people import load_users
from minato.project.errors import ProjectError

from tests.support.accounts import PASSWORD, fresh_address, post, sign_in
from tests.support.command import run_minato, served
from tests.support.local_project import local_project
from tests.support.server import Minato, settings_for

SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
FILE = """
[[user]]
name = "anna"
email = "anna@example.com"
password = "correct horse"
user_metadata = { full_name = "Anna" }
app_metadata = { team = "blue" }
[[user.identities]]
provider = "google"
id = "1234"
[[user.factors]]
secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
"""


@pytest.fixture
async def people(minato: Minato) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(base_url=f"{minato.url}/_dev/v1/users", timeout=30) as client:
        yield client


def person(minato: Minato, **said: Any) -> dict[str, Any]:
    name = minato.backend.entropy.base32(10)
    return {"name": f"p{name}", "email": f"{name}@example.com", **said}


async def load(people: httpx.AsyncClient, *persons: dict[str, Any]) -> dict[str, int]:
    answer = await people.post("/load", json={"user": persons})
    assert answer.status_code == 200, answer.text
    counts: dict[str, int] = answer.json()
    return counts


async def test_a_person_of_the_file_signs_in_by_password_and_by_name(minato: Minato, people: httpx.AsyncClient) -> None:
    anna = person(minato, password=PASSWORD, user_metadata={"full_name": "Anna"}, app_metadata={"team": "blue"})
    anna["factors"] = [{"secret": SECRET}]
    anna["identities"] = [{"provider": "google", "id": anna["name"]}]
    assert await load(people, anna) == {"created": 1, "updated": 0, "unchanged": 0}
    async with minato.client() as client:
        session = (await sign_in(client, anna["email"])).json()
    user = session["user"]
    assert user["app_metadata"] == {"provider": "email", "providers": ["email", "google"], "team": "blue"}
    assert user["user_metadata"] == {"full_name": "Anna", "email_verified": True}
    assert [one["provider"] for one in user["identities"]] == ["email", "google"]
    assert [one["status"] for one in user["factors"]] == ["verified"]
    named = await people.post("/sign-in", json={"user": anna["name"], "aal": "aal2"})
    assert named.json()["user"]["id"] == user["id"]


async def test_a_file_that_is_read_again_changes_nothing_but_what_it_says_otherwise(
    minato: Minato, people: httpx.AsyncClient
) -> None:
    anna = person(minato, password=PASSWORD, factors=[{"secret": SECRET}])
    await load(people, anna)
    assert await load(people, anna) == {"created": 0, "updated": 0, "unchanged": 1}
    for changed in ({"password": "another horse"}, {"banned_until": "2099-01-01T00:00:00Z"}, {"confirmed": False}):
        anna |= changed
        assert await load(people, anna) == {"created": 0, "updated": 1, "unchanged": 0}, changed
        assert await load(people, anna) == {"created": 0, "updated": 0, "unchanged": 1}, changed


async def test_an_account_that_is_there_is_known_by_its_address(minato: Minato, people: httpx.AsyncClient) -> None:
    email = fresh_address(minato)
    async with minato.client(minato.service_role_key) as admin:
        there = (await post(admin, "/admin/users", {"email": email, "email_confirm": True})).json()
    assert await load(people, {"email": email.upper(), "role": "anon"}) == {"created": 0, "updated": 1, "unchanged": 0}
    async with minato.client(minato.service_role_key) as admin:
        assert (await admin.get(f"/auth/v1/admin/users/{there['id']}")).json()["role"] == "anon"


async def test_the_same_file_twice_at_once_makes_everybody_once(minato: Minato, people: httpx.AsyncClient) -> None:
    anna, bob = person(minato), person(minato)
    counts = await asyncio.gather(load(people, anna, bob), load(people, anna, bob))
    assert sum(one["created"] for one in counts) == 2


async def test_what_is_wrong_leaves_nothing_behind(minato: Minato, people: httpx.AsyncClient) -> None:
    anna, bob = person(minato), person(minato)
    await load(people, anna, bob)
    takes_over = {**anna, "id": "7b1f6f8e-0000-4000-8000-000000000001", "name": None}
    new = person(minato)
    for body in (
        json.dumps({"user": [new, {"email": "x"}]}).encode(),
        json.dumps({"user": [new, {**bob, "phone": "+1 5"}, {**takes_over, "phone": "+15"}]}).encode(),
        b"[[user]",
        b"\xff",
        b'{"user": 7}',
    ):
        answer = await people.post("/load", content=body)
        assert (answer.status_code, answer.json()["code"]) == (400, "bad_request"), body
    assert (await people.post("/sign-in", json={"user": new["email"]})).status_code == 404


async def test_a_refusal_of_the_project_s_own_trigger_is_told(minato: Minato, people: httpx.AsyncClient) -> None:
    await minato.db.execute(
        "create function public.refuse() returns trigger language plpgsql as"
        " $$ begin raise exception 'not this one'; end $$;"
        "create trigger refuse before insert on auth.users for each row"
        " when (new.email like 'refused%') execute function public.refuse()"
    )
    try:
        answer = await people.post("/load", json={"user": [{"email": "refused@example.com"}]})
    finally:
        await minato.db.execute("drop trigger refuse on auth.users; drop function public.refuse()")
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_request")
    assert "not this one" in answer.json()["message"]


async def test_production_does_not_read_the_file(minato: Minato, tmp_path: Path) -> None:
    file = tmp_path / "users.toml"
    file.write_text('[[user]]\nemail = "never@example.com"')
    settings = settings_for(tmp_path)
    address = minato.backend.database.address
    for environment, count in (("production", 0), ("development", 1)):
        server = settings.server.model_copy(update={"users": file, "environment": environment})
        await load_users(settings_with(settings, server), address)
        found = await minato.db.fetchval("select count(*) from auth.users where email = 'never@example.com'")
        assert found == count
    file.write_text("[[user]]\nmail = 1")
    with pytest.raises(ProjectError, match=r"users.toml:2: user.0.mail"):
        await load_users(settings_with(settings, server), address)


def settings_with(settings: Any, server: Any) -> Any:
    return replace(settings, server=server)


def test_a_project_s_people_are_there_after_a_start_in_branches_and_as_a_file_again(tmp_path: Path) -> None:
    with local_project(tmp_path) as project:
        project.write("users.toml", FILE)
        project.start()
        url = project.values()["API_URL"]
        told = httpx.post(f"{url}/_dev/v1/users/sign-in", json={"user": "anna", "aal": "aal2"}, timeout=30).json()
        branch = httpx.post(f"{url}/_dev/v1/branches", json={}, timeout=60).json()
        again = httpx.post(f"{branch['url']}/_dev/v1/users/sign-in", json={"user": "anna"}, timeout=30).json()
        assert again["user"]["id"] == told["user"]["id"]
        written = project.minato("gen", "users").stdout
        (anna,) = tomllib.loads(written)["user"]
        assert anna["identities"] == [{"provider": "email"}, {"provider": "google", "id": "1234"}]
        assert (anna["email"], anna["user_metadata"], anna["app_metadata"]) == (
            "anna@example.com", {"full_name": "Anna"}, {"team": "blue"})  # fmt: skip
        assert "horse" not in written
        assert SECRET not in written
        loaded = httpx.post(f"{url}/_dev/v1/users/load", content=written, timeout=30).json()
        assert loaded == {"created": 0, "updated": 0, "unchanged": 1}
        project.write("users.toml", "[[user]]\nmail = 1")
        project.minato("stop")
        ended = project.minato("start", "--port", "0")
        assert ended.returncode == 1
        assert "users.toml:2: user.0.mail" in ended.stderr


def test_production_refuses_data_with_people_of_a_file(data_dir: Path, tmp_path: Path) -> None:
    file = tmp_path / "users.toml"
    file.write_text('[[user]]\nemail = "a@b.c"\npassword = "correct horse"')
    with served(data_dir, MINATO_USERS=str(file)):
        pass
    ended = run_minato("serve", "--port", "0", "--data-dir", str(data_dir), MINATO_ENVIRONMENT="production")
    assert ended.returncode == 1
    assert "users.toml are in the database" in ended.stderr + ended.stdout


def test_a_cheap_hash_that_was_imported_is_not_taken_for_one_of_the_file() -> None:
    imported = bcrypt.hashpw(b"correct horse", bcrypt.gensalt(5, prefix=b"2a")).decode()
    assert not imported.startswith(MARK)
    own = hashed("correct horse", uuid4())
    assert own.startswith(MARK)
    assert bcrypt.checkpw(b"correct horse", own.encode())
