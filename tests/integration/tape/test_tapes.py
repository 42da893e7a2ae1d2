"""A tape of one server is asked of another, which differs on purpose."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest
from minato.cli.errors import CommandError
from minato.cli.tape import Comparison, compare, forward
from minato.tape.app import PATH
from minato.tape.entry import SECRET, Entry, NotATape, kept_body, kept_path, read_tape
from minato.tape.forward import Forward
from minato.tape.replay import Other, Replayed, fails, replay
from minato.tape.report import as_html, as_json, as_text
from uvicorn import Config

from tests.integration.host.conftest import hosted as hosted
from tests.support.hosted import Backed, Hosted
from tests.support.isolation import REQUEST_SECONDS
from tests.support.prompt_server import PromptServer
from tests.support.waiting import PATIENCE, until

MAKE = """
create table public.cars (
    id uuid primary key default gen_random_uuid(), make text, price int, at timestamptz default now()
);
grant all on public.cars to anon, authenticated, service_role;
insert into public.cars (make, price) values ('Toyota', 9), ('Mazda', 7);
create function public.cheapest() returns int language sql stable as 'select min(price) from public.cars';
create function public.buy() returns int language sql volatile as 'select 1';
notify pgrst, 'reload schema'
"""
DIFFERENT = """
update public.cars set price = 8 where make = 'Mazda';
alter table public.cars drop column at;
notify pgrst, 'reload schema'
"""


async def until_status(side: Backed, path: str, status: int) -> None:
    """Wait until the schema is known as it is now."""
    async with side.public() as client, asyncio.timeout(PATIENCE):
        while (await client.get(path)).status_code != status:  # noqa: ASYNC110 - a schema that is read rings no bell
            await asyncio.sleep(0.02)


@pytest.fixture
async def pair(hosted: Hosted) -> tuple[Backed, Backed]:
    """Two servers with the same rows under other ids."""
    one, two = await hosted.branch(), await hosted.branch()
    for side in (one, two):
        async with hosted.session(side) as db:
            await db.execute(MAKE)
        await until_status(side, "/rest/v1/cars?limit=0", 200)
    return one, two


@contextlib.asynccontextmanager
async def taping(side: Backed, file: Path) -> AsyncIterator[httpx.AsyncClient]:
    """A client of a proxy that tapes what `side` is asked."""
    async with Forward(side.url, file) as app:
        with socket.create_server(("127.0.0.1", 0)) as listener:
            server = PromptServer(Config(app, log_level="error", lifespan="off"))
            serving = asyncio.create_task(server.serve(sockets=[listener]))
            await until(lambda: server.started)
            headers = {"apikey": side.anon_key, "authorization": f"Bearer {side.anon_key}"}
            url = f"http://127.0.0.1:{listener.getsockname()[1]}"
            async with httpx.AsyncClient(base_url=url, headers=headers, timeout=REQUEST_SECONDS) as client:
                yield client
            server.end()
            await serving


async def use(client: httpx.AsyncClient) -> None:
    """What an app does: it looks, follows an id, errs, calls, writes, signs up."""
    cars = (await client.get("/rest/v1/cars?select=*&order=make")).json()
    await client.get(f"/rest/v1/cars?id=eq.{cars[0]['id']}&select=make,price", headers={"prefer": "count=exact"})
    await client.get("/rest/v1/none")
    await client.post("/rest/v1/rpc/cheapest", json={})
    await client.post("/rest/v1/rpc/buy", json={})
    await client.post("/rest/v1/cars", json={"make": "Honda"})
    await client.post("/auth/v1/signup", json={"email": "a@example.com", "password": "correct horse battery"})


async def replayed(file: Path, other: Backed, writes: bool = False) -> list[Replayed]:
    server = Other(other.url, other.anon_key, other.backend.api_keys.service_role)
    return await asyncio.to_thread(lambda: list(replay(read_tape(file), server, writes)))


async def test_the_same_server_under_other_ids_differs_in_nothing(pair: tuple[Backed, Backed], tmp_path: Path) -> None:
    one, two = pair
    async with taping(one, tmp_path / "tape") as client:
        await use(client)
    found = await replayed(tmp_path / "tape", two)
    assert [each.grade for each in found] == [""] * 7, as_text(found)
    skipped = [each.skipped for each in found]
    assert skipped[:4] == [""] * 4
    assert "stable" in skipped[4]
    assert "--allow-writes" in skipped[5]
    assert "secret" in skipped[6]
    assert not fails(found, "S4")


async def test_what_differs_is_graded(hosted: Hosted, pair: tuple[Backed, Backed], tmp_path: Path) -> None:
    one, two = pair
    async with taping(one, tmp_path / "tape") as client:
        await use(client)
        await client.get("/rest/v1/cars?select=at")
    async with hosted.session(two) as db:
        await db.execute(DIFFERENT)
    await until_status(two, "/rest/v1/cars?select=at", 400)
    found = await replayed(tmp_path / "tape", two)
    by_place = {(each.entry.number, one_.where): one_.grade for each in found for one_ in each.found}
    assert by_place[(1, "body[0].price")] == "S3"
    assert by_place[(1, "body[0].at")] == "S2"
    assert by_place[(2, "body[0].price")] == "S3"
    assert by_place[(4, "body")] == "S3"
    assert by_place[(8, "status")] == "S1"
    assert fails(found, "S1")
    told = as_json(found)
    assert len(told["requests"]) == 8
    assert "S1 status: 200 → 400" in as_text(found)
    page = as_html(found, "<one> against <two>")
    assert "&lt;one&gt;" in page
    assert "<script" not in page


async def test_writes_are_sent_where_they_are_allowed(pair: tuple[Backed, Backed], tmp_path: Path) -> None:
    one, two = pair
    async with taping(one, tmp_path / "tape") as client:
        await client.post("/rest/v1/cars", json={"make": "Honda"})
    (written,) = await replayed(tmp_path / "tape", two, writes=True)
    assert (written.grade, written.skipped) == ("", "")
    async with two.public() as client:
        assert len((await client.get("/rest/v1/cars?make=eq.Honda")).json()) == 1


async def test_a_tape_opens_no_door(pair: tuple[Backed, Backed], tmp_path: Path) -> None:
    one, _ = pair
    key = one.backend.api_keys.service_role
    async with taping(one, tmp_path / "tape") as client:
        email, password = "b@example.com", "correct horse battery"
        await client.post("/auth/v1/signup", json={"email": email, "password": password})
        await client.get(f"/auth/v1/verify?token=abcdef&type=signup&apikey={key}")
        await client.get("/rest/v1/cars", headers={"authorization": f"Bearer {key}", "apikey": key})
    text = (tmp_path / "tape").read_text()
    for secret in (password, key, one.anon_key, "abcdef", 'refresh_token\\":\\"v'):
        assert secret not in text
    assert "eyJ" not in text
    assert [entry.caller for entry in read_tape(tmp_path / "tape")] == ["anon", "anon", "service_role"]
    assert (tmp_path / "tape").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ('{"password": "s-e-c-r-e-t", "current_password": "s-e-c-r-e-t"}', "application/json"),
        ('{"totp": {"qr_code": "s-e-c-r-e-t", "uri": "otpauth://totp/a:b?secret=s-e-c-r-e-t"}}', "application/json"),
        ("grant_type=a&client_secret=s-e-c-r-e-t&code_verifier=s-e-c-r-e-t", "application/x-www-form-urlencoded"),
        ("SAMLResponse=s-e-c-r-e-t&RelayState=a", "application/x-www-form-urlencoded"),
    ],
    ids=str,
)
def test_no_secret_of_auth_s_own_is_kept(body: str, kind: str) -> None:
    kept = kept_body(body.encode(), kind) or ""
    assert SECRET in kept
    assert "s-e-c-r-e-t" not in kept


def test_an_address_that_is_signed_for_s3_is_kept_without_its_signature() -> None:
    kept = kept_path("/storage/v1/s3/shelf/a.txt?X-Amz-Date=1&X-Amz-Credential=id%2F1&X-Amz-Signature=abc")
    assert kept == f"/storage/v1/s3/shelf/a.txt?X-Amz-Date=1&X-Amz-Credential={SECRET}&X-Amz-Signature={SECRET}"


async def test_a_running_server_tapes_what_it_is_asked(hosted: Hosted) -> None:
    control = hosted.control
    assert (await control.delete(PATH)).json()["code"] == "no_tape"
    begun = await control.post(PATH, json={"name": "checkout"})
    assert begun.status_code == 201
    assert (await control.post(PATH, json={"name": "other"})).json()["code"] == "tape_runs"
    async with hosted.main.public() as client:
        await client.get("/auth/v1/settings")
        await client.get("/healthz")
    listed = (await control.get(PATH)).json()
    assert listed["recording"] == "checkout"
    ended = (await control.delete(PATH)).json()
    assert ended["requests"] == 1
    (entry,) = read_tape(Path(ended["file"]))
    assert (entry.path, entry.status, entry.caller) == ("/auth/v1/settings", 200, "anon")


async def test_a_tape_that_is_there_is_begun_anew_only_where_that_is_said(hosted: Hosted) -> None:
    control = hosted.control
    kept = Path((await control.post(PATH, json={"name": "kept"})).json()["file"]).read_bytes
    async with hosted.main.public() as client:
        await client.get("/auth/v1/settings")
    await control.delete(PATH)
    before = kept()
    refused = await control.post(PATH, json={"name": "kept"})
    assert (refused.status_code, refused.json()["code"]) == (409, "tape_exists")
    assert (await control.get(PATH)).json()["recording"] is None
    assert kept() == before != b""
    assert (await control.post(PATH, json={"name": "kept", "replace": True})).status_code == 201
    assert (await control.delete(PATH)).json()["requests"] == 0
    assert kept() == b""


def test_a_proxy_takes_no_file_that_is_there(tmp_path: Path) -> None:
    kept = tmp_path / "hosted.jsonl"
    kept.write_text("mine")
    with pytest.raises(CommandError, match=r"is there already: .* --replace"):
        forward("http://127.0.0.1:9", kept, 0)
    assert kept.read_text() == "mine"


@pytest.mark.parametrize(
    "body",
    [b"", b"{}", b"[]", b'{"name": "../x"}', b'{"name": ""}', b'{"name": 3}', b'{"name": "a", "replace": 1}', b"\xff"],
)
async def test_a_tape_has_a_name_of_a_file(hosted: Hosted, body: bytes) -> None:
    answer = await hosted.control.post(PATH, content=body)
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_request")


async def test_a_page_of_another_origin_begins_no_tape(hosted: Hosted) -> None:
    answer = await hosted.control.post(PATH, json={"name": "x"}, headers={"origin": "https://evil.example"})
    assert answer.json()["code"] == "wrong_origin"


def test_what_is_no_tape_is_told(tmp_path: Path) -> None:
    with pytest.raises(NotATape, match="can't be read"):
        read_tape(tmp_path / "none")
    for line in (b"{", b"[1]", b'{"a": 1}'):
        (tmp_path / "bad").write_bytes(line)
        with pytest.raises(NotATape, match="no tape"):
            read_tape(tmp_path / "bad")


def test_a_hosted_project_is_written_to_by_its_ref() -> None:
    assert Other("https://abcd.supabase.co", "k").ref == "abcd"
    assert Other("http://127.0.0.1:54321", "k").ref == "127.0.0.1"
    entry = Entry(1, "GET", "/rest/v1/x", "user1")
    assert Other("http://x", "k").keys(entry.caller) is None
    assert json.loads(entry.line())["caller"] == "user1"


async def test_the_command_prints_a_report_and_ends_by_the_grade(
    pair: tuple[Backed, Backed], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one, two = pair
    file, page = tmp_path / "tape", tmp_path / "report.html"
    async with taping(one, file) as client:
        await client.get("/rest/v1/cars?select=price&order=make")
    async with two.client() as service:
        await service.patch("/rest/v1/cars?make=eq.Mazda", json={"price": 8})
    other = Other(two.url, two.anon_key)
    assert await asyncio.to_thread(compare, Comparison(file, other), page, False) == 0
    assert "S3 body[0].price: 7 → 8" in capsys.readouterr().out
    assert "body[0].price" in page.read_text()
    assert await asyncio.to_thread(compare, Comparison(file, other, fail_on="S3"), None, True) == 1
    assert json.loads(capsys.readouterr().out)["summary"] == "0 the same, 1 S3."


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        (Comparison(Path("none"), Other("http://127.0.0.1:1", "k"), fail_on="S5"), "S1, S2, S3, S4"),
        (Comparison(Path("none"), Other("https://abcd.supabase.co", "k"), "abce"), 'repeats "abcd"'),
        (Comparison(Path("none"), Other("http://127.0.0.1:1", "k")), "can't be read"),
    ],
)
def test_a_comparison_that_makes_no_sense_is_refused_in_a_sentence(asked: Comparison, sentence: str) -> None:
    with pytest.raises(CommandError, match=sentence):
        compare(asked, None, False)
