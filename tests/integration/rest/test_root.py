"""The root document: OpenAPI 2.0 of what the caller may use."""

from __future__ import annotations

from typing import Any

import httpx
import pytest


@pytest.fixture
async def document(anon: httpx.AsyncClient) -> dict[str, Any]:
    answer = await anon.get("/")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/openapi+json; charset=utf-8"
    return dict(answer.json())


async def test_the_root_says_where_the_api_is(document: dict[str, Any]) -> None:
    assert document["swagger"] == "2.0"
    assert document["basePath"] == "/rest/v1/"
    assert document["schemes"] == ["http"]


async def test_a_table_is_a_path_with_what_it_can_do(document: dict[str, Any]) -> None:
    assert set(document["paths"]["/people"]) == {"get", "post", "patch", "delete"}
    filters = [each["$ref"] for each in document["paths"]["/people"]["get"]["parameters"]]
    assert "#/parameters/rowFilter.people.name" in filters


async def test_a_column_tells_its_type_its_keys_and_its_default(document: dict[str, Any]) -> None:
    columns = document["definitions"]["people"]["properties"]
    assert columns["id"]["format"] == "int32"
    assert columns["id"]["description"] == "Note:\nThis is a Primary Key.<pk/>"
    assert "<fk table='clubs' column='id'/>" in columns["club_id"]["description"]
    assert columns["notes"]["default"] == "none"
    assert document["definitions"]["boxes"]["properties"]["colour"]["enum"] == ["red", "green", "blue"]
    assert document["definitions"]["boxes"]["properties"]["label"]["maxLength"] == 5
    assert "name" in document["definitions"]["people"]["required"]


async def test_a_column_of_a_domain_shows_what_the_domain_stands_for(document: dict[str, Any]) -> None:
    boxes, bits = (document["definitions"][name]["properties"] for name in ("boxes", "bits"))
    assert boxes["size"] == {"format": "int32", "type": "integer"}
    assert boxes["colour"]["format"] == "public.colour"
    assert (bits["b"]["format"], bits["b"]["maxLength"], bits["c"]["format"]) == ("bit", 3, "character")


async def test_the_body_of_a_write_is_described_by_the_tables_name(document: dict[str, Any]) -> None:
    assert document["parameters"]["body.boxes"]["description"] == "boxes"
    assert "enum" not in document["parameters"]["preferParams"]


async def test_only_what_the_role_may_use_is_shown(document: dict[str, Any], user: httpx.AsyncClient) -> None:
    assert "/secrets" not in document["paths"]
    assert "/secrets" in (await user.get("/")).json()["paths"]


async def test_a_function_can_be_got_unless_it_is_volatile(document: dict[str, Any]) -> None:
    assert set(document["paths"]["/rpc/add_them"]) == {"get", "post"}
    assert set(document["paths"]["/rpc/write_log"]) == {"post"}
    arguments = document["paths"]["/rpc/add_them"]["post"]["parameters"][0]["schema"]
    assert (arguments["required"], arguments["properties"]["a"]) == (["a", "b"], {"format": "int32", "type": "integer"})


async def test_no_other_media_type_is_made(anon: httpx.AsyncClient) -> None:
    answer = await anon.get("/", headers={"accept": "text/csv"})
    assert (answer.status_code, answer.json()["code"]) == (406, "PGRST107")


async def test_head_has_no_body(anon: httpx.AsyncClient) -> None:
    answer = await anon.head("/")
    assert (answer.status_code, answer.content) == (200, b"")


async def test_bodies_and_arguments_are_described_as_the_reference_does(document: dict[str, Any]) -> None:
    assert document["parameters"]["body.people"]["description"] == "people"
    post, get = (document["paths"]["/rpc/a_json"][method] for method in ("post", "get"))
    assert post["parameters"][0]["schema"] == {"type": "object"}
    assert "parameters" not in get
    (repeated,) = document["paths"]["/rpc/sum_all"]["get"]["parameters"]
    assert (repeated["collectionFormat"], repeated["items"]) == ("multi", {"format": "int32", "type": "integer"})
    assert len(document["paths"]["/rpc/overloaded"]["get"]["parameters"]) == 2


async def test_a_function_is_told_by_its_comment_and_the_types_of_its_arguments(document: dict[str, Any]) -> None:
    post = document["paths"]["/rpc/told"]["post"]
    assert (post["summary"], post["description"]) == ("Drei", "und mehr")
    arguments = post["parameters"][0]["schema"]
    assert arguments["description"] == "Drei\n\nund mehr"
    assert {name: each["format"] for name, each in arguments["properties"].items()} == {"a": "int64", "b": "positive"}


async def test_a_key_to_what_only_a_view_shows_is_told_as_a_key_to_the_view(document: dict[str, Any]) -> None:
    note = "Note:\nThis is a Foreign Key to `roots.id`.<fk table='roots' column='id'/>"
    assert document["definitions"]["leaves"]["properties"]["root_id"]["description"] == note
    club = document["definitions"]["people"]["properties"]["club_id"]["description"]
    assert "<fk table='clubs' column='id'/>" in club


async def test_overloads_are_told_in_the_order_of_their_comments(anon: httpx.AsyncClient) -> None:
    answer = await anon.get("/rpc/told?a=1")
    listed = "public.told(a => text), public.told(a => integer)"
    assert answer.json()["message"] == f"Could not choose the best candidate function between: {listed}"


async def test_the_root_minds_no_preferences(anon: httpx.AsyncClient) -> None:
    assert (await anon.get("/", headers={"prefer": "handling=strict, foo=bar"})).status_code == 200
