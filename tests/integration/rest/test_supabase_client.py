"""supabase-py's own PostgREST client is content."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from postgrest import AsyncPostgrestClient
from postgrest.exceptions import APIError
from postgrest.types import CountMethod

from tests.support.server import Minato


@pytest.fixture
async def client(club: Minato) -> AsyncIterator[AsyncPostgrestClient]:
    headers = {"apikey": club.anon_key, "authorization": f"Bearer {club.anon_key}"}
    async with AsyncPostgrestClient(f"{club.url}/rest/v1", headers=headers) as client:
        yield client


async def test_a_chain_of_filters_with_an_embed_and_a_count(client: AsyncPostgrestClient) -> None:
    answer = await (
        client.from_("people")
        .select("name, club:clubs!inner(name)", count=CountMethod.exact)
        .gte("age", 17)
        .order("name", desc=True)
        .range(0, 1)
        .execute()
    )
    assert answer.count == 3
    assert answer.data == [{"name": "Chiyo", "club": {"name": "Chess"}}, {"name": "Ben", "club": {"name": "Rowing"}}]


async def test_insert_upsert_update_and_delete_give_back_their_rows(client: AsyncPostgrestClient) -> None:
    teams = client.from_("teams")
    assert (await teams.insert({"id": 50, "title": "x"}).execute()).data == [{"id": 50, "title": "x"}]
    assert (await teams.upsert({"id": 50, "title": "y"}).execute()).data == [{"id": 50, "title": "y"}]
    assert (await teams.update({"title": "z"}).eq("id", 50).execute()).data == [{"id": 50, "title": "z"}]
    assert (await teams.delete().eq("id", 50).execute()).data == [{"id": 50, "title": "z"}]


async def test_single_raises_what_the_reference_says(client: AsyncPostgrestClient) -> None:
    with pytest.raises(APIError) as refused:
        await client.from_("teams").select("*").single().execute()
    assert refused.value.code == "PGRST116"
    assert (await client.from_("teams").select("*").eq("id", 77).maybe_single().execute()) is None


async def test_rpc(client: AsyncPostgrestClient) -> None:
    assert (await client.rpc("greet", {"name": "you"}).execute()).data == "Hello you"
