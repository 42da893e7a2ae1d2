"""Embedding: relationships found and hinted, inner joins, spreads, filters and orders on embeds."""

from __future__ import annotations

import httpx
import pytest

AT = {"city": "Kobe", "zip": {"a": 1}}


# rest: SEL-2, SEL-3, SEL-6, SEL-8, EMB-3
@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("people?select=name,clubs(name)&id=eq.1", [{"name": "Aiko", "clubs": {"name": "Rowing"}}]),
        ("people?select=name,clubs(name)&id=eq.4", [{"name": 'Dan, the "man"', "clubs": None}]),
        ("clubs?select=name,people(name)&id=eq.2", [{"name": "Chess", "people": [{"name": "Chiyo"}]}]),
        ("clubs?select=id,people(id)&id=eq.3", [{"id": 3, "people": []}]),
        ("people?select=id,club:clubs(id)&id=eq.1", [{"id": 1, "club": {"id": 1}}]),
        ("people?select=id,passports(number)&id=eq.3", [{"id": 3, "passports": {"number": "P3"}}]),
        ("passports?select=number,people(name)&person_id=eq.1", [{"number": "P1", "people": {"name": "Aiko"}}]),
        (
            "teams?select=title,people(name)&people.order=name.desc&id=eq.1",
            [{"title": "A", "people": [{"name": "Ben"}, {"name": "Aiko"}]}],
        ),
        (
            "clubs?select=id,people(id,passports(number))&id=eq.1&people.order=id",
            [{"id": 1, "people": [{"id": 1, "passports": {"number": "P1"}}, {"id": 2, "passports": None}]}],
        ),
        ("clubs?select=id,people()&id=eq.1", [{"id": 1}]),
        ("people?select=id,colleagues(id)&id=eq.1", [{"id": 1, "colleagues": [{"id": 2}]}]),
        ("grown_ups?select=full_name,clubs(name)&id=eq.3", [{"full_name": "Chiyo", "clubs": {"name": "Chess"}}]),
        ("clubs?select=id,grown_ups(full_name)&id=eq.1", [{"id": 1, "grown_ups": [{"full_name": "Aiko"}]}]),
        ("people?select=id,mentor_id(id)&id=eq.2", [{"id": 2, "mentor_id": {"id": 1}}]),
        ("people?select=id,people!mentor_id(id)&id=eq.3", [{"id": 3, "people": [{"id": 4}]}]),
    ],
)
async def test_related_rows_are_embedded(anon: httpx.AsyncClient, query: str, expected: object) -> None:
    answer = await anon.get(f"/{query}")
    assert answer.json() == expected


# rest: EMB-2
@pytest.mark.parametrize(
    "embed",
    [
        "who:people!letters_sender_id_fkey(name)",
        "who:people!sender_id(name)",
        "who:sender_id(name)",
        "who:letters_sender_id_fkey(name)",
    ],
)
async def test_every_form_of_hint_chooses_between_two_foreign_keys(anon: httpx.AsyncClient, embed: str) -> None:
    answer = await anon.get(f"/letters?select=id,{embed}&id=eq.2")
    assert answer.json() == [{"id": 2, "who": {"name": "Ben"}}]


# rest: SEL-7
async def test_one_table_is_embedded_twice_each_with_its_own_filters(anon: httpx.AsyncClient) -> None:
    query = "select=id,sender:people!sender_id(name),receiver:people!receiver_id(name)&receiver.name=eq.Ben&order=id"
    assert (await anon.get(f"/letters?{query}")).json() == [
        {"id": 1, "sender": {"name": "Aiko"}, "receiver": {"name": "Ben"}},
        {"id": 2, "sender": {"name": "Ben"}, "receiver": None},
        {"id": 3, "sender": {"name": "Chiyo"}, "receiver": None},
    ]


async def test_two_embeds_of_one_name_are_refused_as_postgresql_refuses_their_join(anon: httpx.AsyncClient) -> None:
    answer = await anon.get("/letters?select=people!sender_id(name),people!receiver_id(name)")
    assert answer.status_code == 400
    refusal = {"code": "42712", "message": 'table name "letters_people_1" specified more than once'}
    assert answer.json() == {**refusal, "details": None, "hint": None}


# rest: EMB-1
async def test_an_ambiguous_embed_lists_its_candidates(anon: httpx.AsyncClient) -> None:
    answer = await anon.get("/letters?select=id,people(name)")
    assert answer.status_code == 300
    assert answer.json() == {
        "code": "PGRST201",
        "message": "Could not embed because more than one relationship was found for 'letters' and 'people'",
        "details": [
            {
                "cardinality": "many-to-one",
                "embedding": "letters with people",
                "relationship": "letters_receiver_id_fkey using letters(receiver_id) and people(id)",
            },
            {
                "cardinality": "many-to-one",
                "embedding": "letters with people",
                "relationship": "letters_sender_id_fkey using letters(sender_id) and people(id)",
            },
        ],
        "hint": "Try changing 'people' to one of the following: 'people!letters_receiver_id_fkey', "
        "'people!letters_sender_id_fkey'. Find the desired relationship in the 'details' key.",
    }


# rest: EMB-1
@pytest.mark.parametrize(
    ("query", "details", "hint"),
    [
        (
            "people?select=id,club(id)",
            "Searched for a foreign key relationship between 'people' and 'club' in the schema 'public', but no "
            "matches were found.",
            "Perhaps you meant 'clubs' instead of 'club'.",
        ),
        (
            "people?select=id,clubs!nope(id)",
            "Searched for a foreign key relationship between 'people' and 'clubs' using the hint 'nope' in the schema "
            "'public', but no matches were found.",
            None,
        ),
        # A junction that nobody may see still makes its ends related: no other parent is meant.
        (
            "event?select=moods(id)",
            "Searched for a foreign key relationship between 'event' and 'moods' in the schema 'public', but no "
            "matches were found.",
            None,
        ),
        # A function relates what is in its own schema.
        (
            "people?select=zzz(id)",
            "Searched for a foreign key relationship between 'people' and 'zzz' in the schema 'public', but no "
            "matches were found.",
            None,
        ),
    ],
)
async def test_an_unknown_relationship_is_told_with_a_suggestion(
    anon: httpx.AsyncClient, query: str, details: str, hint: str | None
) -> None:
    answer = await anon.get(f"/{query}")
    body = answer.json()
    assert (answer.status_code, body["code"], body["details"]) == (400, "PGRST200", details)
    assert body["hint"] == hint


# rest: INNER-1, INNER-3
@pytest.mark.parametrize(
    ("query", "ids"),
    [
        ("people?select=id,clubs!inner(id)&clubs.name=eq.Rowing", [1, 2]),
        ("clubs?select=id,people!inner(id)", [1, 2]),
        ("clubs?select=id,people!inner()&people.age=lt.18", [1]),
        ("clubs?select=id,people!left(id)&people.age=lt.18", [1, 2, 3]),
        ("teams?select=id,people!inner(id)&people.name=eq.Ben", [1]),
        ("letters?select=id,people!sender_id!inner(id)&people.name=eq.Ben", [2]),
        ("clubs?select=id,people()&people=is.null", [3]),
        ("clubs?select=id,people()&people=not.is.null", [1, 2]),
        ("people?select=id,clubs()&clubs=is.null", [4]),
        ("people?select=id,clubs()&or=(clubs.is.null,id.eq.1)", [1, 4]),
    ],
)
async def test_embeds_restrict_their_parents_when_asked_to(anon: httpx.AsyncClient, query: str, ids: list[int]) -> None:
    answer = await anon.get(f"/{query}&order=id", headers={"prefer": "count=exact"})
    assert [row["id"] for row in answer.json()] == ids
    assert answer.headers["content-range"].split("/")[1] == str(len(ids))


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("people?select=id,...clubs(club:name)&id=eq.1", [{"id": 1, "club": "Rowing"}]),
        ("people?select=id,...clubs(club:name)&id=eq.4", [{"id": 4, "club": None}]),
        (
            "passports?select=number,...people(name,...clubs(club:name))&person_id=eq.1",
            [{"number": "P1", "name": "Aiko", "club": "Rowing"}],
        ),
        (
            "clubs?select=id,...people(names:name)&people.order=name.desc&id=in.(1,3)&order=id",
            [
                {"id": 1, "names": ["Ben", "Aiko"]},
                {"id": 3, "names": []},
            ],
        ),
    ],
)
async def test_spreads_lift_columns_into_the_parent(anon: httpx.AsyncClient, query: str, expected: object) -> None:
    assert (await anon.get(f"/{query}")).json() == expected


async def test_limit_offset_order_and_logic_work_on_an_embed(anon: httpx.AsyncClient) -> None:
    query = "select=id,people(id)&people.order=id.desc&people.limit=1&people.or=(age.gt.40,age.lt.18)&order=id"
    assert (await anon.get(f"/clubs?{query}")).json() == [
        {"id": 1, "people": [{"id": 2}]},
        {"id": 2, "people": []},
        {"id": 3, "people": []},
    ]


async def test_rows_are_ordered_by_a_column_of_a_to_one_embed(anon: httpx.AsyncClient) -> None:
    answer = await anon.get("/people?select=id,clubs(id)&order=clubs(name).desc.nullslast,id")
    assert [row["id"] for row in answer.json()] == [1, 2, 3, 4]
    answer = await anon.get("/people?select=id,clubs()&order=clubs(name),id")
    assert [row["id"] for row in answer.json()] == [3, 1, 2, 4]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        # Beside aggregates a spread's columns group, and can be ordered by.
        ("people?select=count(),...clubs(name)&order=clubs(name)", [[1, "Chess"], [2, "Rowing"], [1, None]]),
        ("people?select=n:count(),...clubs(as:name)&order=clubs(as).desc", [[1, None], [2, "Rowing"], [1, "Chess"]]),
        ("passports?select=count(),...people(...clubs(as:name))&order=people(as)", [[1, "Chess"], [1, "Rowing"]]),
        # A cast without an alias groups by the column, one with an alias by what it made.
        ("people?select=joined::date,age::text::int,count()&order=age&limit=1", [["2026-01-02", "17", 1]]),
        ("people?select=active::text,n:count()&order=active.nullsfirst&limit=1", [[None, 1]]),
        ("people?select=d:joined::date,count()", [["2026-01-02", 4]]),
        # What an embed shows under an alias is ordered by that alias, whatever else is called so.
        ("people?select=id,...clubs(as:name)&order=clubs(as),id&limit=1", [[3, "Chess"]]),
        ("people?select=id,...clubs(name:id)&order=clubs(name),id&limit=1", [[1, 1]]),
        ("people?select=id,...clubs(at:address->>city)&order=clubs(at).desc.nullslast,id&limit=1", [[3, "Osaka"]]),
        ("people?select=id,...clubs(at:address)&order=clubs(at->zip->>a),id&limit=1", [[1, AT]]),
        # What it hides, or shows twice, or in another form, is its table's.
        ("people?select=id,clubs(id,name,name)&order=clubs(name),id&limit=1", [[3, {"id": 2, "name": "Chess"}]]),
    ],
)
async def test_a_related_order_is_of_what_the_embed_shows(
    anon: httpx.AsyncClient, query: str, expected: object
) -> None:
    answer = await anon.get(f"/{query}")
    assert answer.status_code == 200, answer.text
    assert [list(row.values()) for row in answer.json()] == expected


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("clubs?select=id,people(id)&order=people(name)", "PGRST118"),
        ("clubs?select=id&order=people(name)", "PGRST108"),
        ("clubs?select=id,people(id)&people=eq.1", "42703"),
        ("clubs?select=id,...people(age.max())", "PGRST127"),
    ],
)
async def test_what_an_embed_cannot_do_is_refused(anon: httpx.AsyncClient, query: str, code: str) -> None:
    answer = await anon.get(f"/{query}")
    assert (answer.status_code, answer.json()["code"]) == (400, code)


async def test_an_aggregate_in_a_to_one_spread_counts_the_parents_rows(anon: httpx.AsyncClient) -> None:
    answer = await anon.get("/people", params={"select": "...clubs(club:name,id.sum()),count()"})
    rows = {row["club"]: (row["sum"], row["count"]) for row in answer.json()}
    assert rows == {"Rowing": (2, 2), "Chess": (2, 1), None: (None, 1)}
