"""supabase-py as it is, pointed at a branch: every part of it meets the branch and nothing else."""

import asyncio
from uuid import uuid4

import pytest
from minato.testing import Branch
from supabase import AsyncClient, Client, acreate_client


@pytest.fixture
def ben(module_branch: Branch) -> Client:
    client = module_branch.client()
    client.auth.sign_up({"email": f"{uuid4()}@example.com", "password": "correct horse"})
    return client


def test_auth_signs_up_in_and_out_and_refreshes(module_branch: Branch) -> None:
    account = {"email": f"{uuid4()}@example.com", "password": "correct horse"}
    client = module_branch.client()
    client.auth.sign_up(account)
    client.auth.sign_in_with_password(account)
    before = client.auth.get_session()
    after = client.auth.refresh_session().session
    assert before is not None
    assert after is not None
    assert before.refresh_token != after.refresh_token
    assert client.auth.get_user(after.access_token).user.email == account["email"]
    client.auth.sign_out()
    assert client.auth.get_session() is None


def test_rows_are_written_and_read(ben: Client) -> None:
    cart = ben.table("carts").insert({}).execute().data[0]
    ben.table("carts").update({"paid": True}).eq("id", cart["id"]).execute()
    assert ben.table("carts").select("id, paid").execute().data == [{"id": cart["id"], "paid": True}]


def test_files_are_stored_listed_signed_and_removed(ben: Client, module_branch: Branch) -> None:
    receipts = ben.storage.from_("receipts")
    path = f"{uuid4()}/one.txt"
    receipts.upload(path, b"paid", {"content-type": "text/plain"})
    assert receipts.download(path) == b"paid"
    assert [file["name"] for file in receipts.list(path.split("/")[0])] == ["one.txt"]
    signed = receipts.create_signed_url(path, 60)["signedURL"]
    assert signed.startswith(f"{module_branch.url}/storage/v1/")
    assert len(receipts.remove([path])) == 1


def test_functions_are_called(ben: Client) -> None:
    answer = ben.functions.invoke("greet", {"body": {"name": "Ben"}, "responseType": "json"})
    assert answer == {"said": "Hello Ben"}


def test_broadcasts_and_changes_arrive(module_branch: Branch) -> None:
    asyncio.run(_listen(module_branch))


async def _listen(branch: Branch) -> None:
    client = await acreate_client(branch.url, branch.service_role_key)
    told: asyncio.Queue[str] = asyncio.Queue()
    try:
        await _follow(client, told)
        await client.table("carts").insert({"owner": branch.session("anna")["user"]["id"]}).execute()
        assert await asyncio.wait_for(told.get(), 20) == "INSERT"
        await client.channel("carts").send_broadcast("paid", {"id": 1})
        assert await asyncio.wait_for(told.get(), 20) == "paid"
    finally:
        await client.realtime.close()


async def _follow(client: AsyncClient, told: asyncio.Queue[str]) -> None:
    channel = client.channel("carts", {"config": {"broadcast": {"self": True}}})
    channel.on_broadcast("paid", lambda message: told.put_nowait(message["event"]))
    channel.on_postgres_changes("*", lambda change: told.put_nowait(change["data"]["type"]), "carts", "public")
    await channel.subscribe()
