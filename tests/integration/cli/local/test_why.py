"""`minato why` tells what somebody may do with rows, beside a project that runs."""

from __future__ import annotations

import json
from collections.abc import Iterator

import httpx
import pytest

from tests.support.local_project import LocalProject, local_project

TOKEN = "a-token-that-only-the-developers-of-this-test-know"
DEVELOPER = {"authorization": f"Bearer {TOKEN}"}
OFFERS = """
create table offers (id int primary key, owner uuid default auth.uid(), state text default 'draft');
insert into offers values (1, null, 'open'), (2, null, 'draft'), (3, null, 'draft');
alter table offers enable row level security;
create policy "Open ones are seen" on offers for select using (state = 'open');
create policy "Owners change theirs" on offers for update to authenticated using (owner = auth.uid());
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalProject]:
    with local_project(tmp_path_factory.mktemp("why"), migration=OFFERS) as project:
        project.start(MINATO_DEV_TOKEN=TOKEN)
        yield project


@pytest.fixture(scope="module")
def anna(project: LocalProject) -> str:
    values = project.values()
    body = {"email": "anna@example.com", "password": "correct horse", "email_confirm": True}
    headers = {"apikey": values["SERVICE_ROLE_KEY"], "authorization": f"Bearer {values['SERVICE_ROLE_KEY']}"}
    httpx.post(f"{values['API_URL']}/auth/v1/admin/users", json=body, headers=headers).raise_for_status()
    return "anna@example.com"


def test_rows_that_a_policy_hides_are_counted_and_it_is_named(project: LocalProject) -> None:
    ended = project.minato("why", "select", "offers", "--where", "state=eq.draft")
    assert ended.returncode == 0, ended.stderr
    first, *steps = ended.stdout.splitlines()
    assert first == (
        "0 rows: 2 match the filter, row level security hides all. "
        "\"Open ones are seen\": state = 'open'::text is false (state is draft)."
    )
    assert steps == ["  SELECT using of found rows: hides rows", '    "Open ones are seen": refused']


def test_that_no_row_fits_is_told_apart(project: LocalProject) -> None:
    ended = project.minato("why", "select", "public.offers", "--where", "id=eq.9")
    assert ended.stdout.splitlines()[0] == "No row matches the filter, with or without policies."


def test_a_refused_insert_ends_with_two_and_says_why(project: LocalProject, anna: str) -> None:
    ended = project.minato("why", "insert", "offers", "--as", anna, "--row", '{"id": 9}', "--json")
    assert ended.returncode == 2, ended.stderr
    told = json.loads(ended.stdout)
    assert told["allowed"] is False
    assert told["sentence"] == (
        "public.offers has row level security and no policy for INSERT, so nobody but service_role may."
    )
    assert told["caller"] == {"role": "authenticated"}


def test_an_update_that_meets_nobody_s_row_says_whose_it_is(project: LocalProject, anna: str) -> None:
    ended = project.minato("why", "update", "offers", "--as", anna, "--row", '{"state": "sold"}', "--where", "id=eq.1")
    assert ended.stdout.startswith(
        '0 rows: 1 matches the filter, row level security hides it. "Owners change theirs": owner = auth.uid() '
        "is false (owner is null, auth.uid() is "
    )
    assert project.sql("select state from offers where id = 1") == "open"


def test_service_role_may(project: LocalProject) -> None:
    ended = project.minato("why", "delete", "offers", "--as", "service_role")
    assert (ended.returncode, ended.stdout) == (0, "service_role may DELETE on public.offers.\n")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["select", "nothing"], "Could not find the table"),
        (["insert", "offers", "--row", "{"], 'invalid argument "{" for "--row" flag'),
        (["select", "offers", "--as", "nobody@example.com"], "nobody@example.com"),
        (["select", "offers", "--where", "id=like"], "failed to parse"),
        (["truncate", "offers"], "truncate"),
        (["select"], "TABLE"),
    ],
)
def test_what_cannot_be_asked_is_one_sentence(project: LocalProject, arguments: list[str], told: str) -> None:
    ended = project.minato("why", *arguments)
    assert ended.returncode == 1
    assert told in ended.stderr
    assert "Traceback" not in ended.stderr


def test_a_page_of_somebody_else_cannot_ask(project: LocalProject) -> None:
    url = f"{project.values()['API_URL']}/_dev/v1/why"
    asked = {"path": "/offers"}
    assert httpx.post(url, json=asked).json()["code"] == "token_needed"
    assert httpx.post(url, json=asked, headers=DEVELOPER).status_code == 200
    assert httpx.post(url, json=asked, headers={**DEVELOPER, "origin": "https://elsewhere.example"}).status_code == 403
    assert httpx.post(url, json={**asked, "pth": 1}, headers=DEVELOPER).status_code == 400


def test_a_request_that_was_answered_is_explained_by_its_id_or_as_the_last_one(project: LocalProject) -> None:
    values = project.values()
    headers = {"apikey": values["ANON_KEY"]}
    refused = httpx.post(f"{values['API_URL']}/rest/v1/offers", json={"id": 9}, headers=headers)
    empty = httpx.get(f"{values['API_URL']}/rest/v1/offers?id=eq.2", headers=headers)
    by_id = project.minato("why", refused.headers["x-request-id"])
    assert by_id.returncode == 2, by_id.stderr
    assert by_id.stdout == project.minato("why").stdout == project.minato("why", "last:error").stdout
    assert by_id.stdout.startswith(f"POST /rest/v1/offers 401 ({refused.headers['x-request-id']})\npublic.offers has")
    last = project.minato("why", "last", "--json")
    told = json.loads(last.stdout)
    assert (last.returncode, told["request"]["id"]) == (0, empty.headers["x-request-id"])
    assert told["sentence"].startswith("0 rows: 1 matches the filter")
    unknown = project.minato("why", "never-asked")
    assert (unknown.returncode, "There is no request" in unknown.stderr) == (1, True)


def test_a_tape_is_begun_and_ended_where_a_token_is_wanted(project: LocalProject) -> None:
    begun = project.minato("tape", "start", "checkout")
    assert begun.returncode == 0, begun.stderr
    assert project.minato("tape", "stop").returncode == 0
