"""What can't be followed is said in a system message, in the reference's words, and never fails the join."""

from __future__ import annotations

from typing import Any

import pytest

from tests.integration.realtime.conftest import Table, both_feeds
from tests.integration.realtime.phoenix import phoenix
from tests.support.server import Minato

pytestmark = both_feeds

FAILED = "Unable to subscribe to changes with given parameters. An exception happened so please check your connect "


async def refusal(minato: Minato, entry: dict[str, Any]) -> str:
    async with phoenix(minato) as client:
        joined = await client.join("room", {"postgres_changes": [entry]})
        assert joined.payload["status"] == "ok"
        told = await client.system("room")
        assert (told["extension"], told["status"], told["channel"]) == ("postgres_changes", "error", "room")
        message: str = told["message"]
        return message


async def test_a_table_that_is_not_published(minato: Minato) -> None:
    assert await refusal(minato, {"event": "*", "schema": "public", "table": "doesnotexist"}) == (
        "Unable to subscribe to changes with given parameters. Please check Realtime is enabled for the given connect "
        "parameters: [event: *, schema: public, table: doesnotexist, filters: [], select: nil]"
    )


@pytest.mark.parametrize(
    ("filter_", "filters", "exception"),
    [
        (
            "notacolumn=eq.123",
            '[{"notacolumn", "eq", "123", false}]',
            "ERROR P0001 (raise_exception) invalid column for filter notacolumn",
        ),
        (
            "id=eq.hey",
            '[{"id", "eq", "hey", false}]',
            'ERROR 22P02 (invalid_text_representation) invalid input syntax for type integer: "hey"',
        ),
        (
            "n=like.1%",
            '[{"n", "like", "1%", false}]',
            "ERROR P0001 (raise_exception) operator like requires a text-compatible column type, got integer",
        ),
        (
            "body=is.true",
            '[{"body", "is", "true", false}]',
            "ERROR P0001 (raise_exception) is true filter requires a boolean column, got text",
        ),
        (
            "body=is.maybe",
            '[{"body", "is", "maybe", false}]',
            "ERROR P0001 (raise_exception) invalid value for is filter: must be null, true, false, or unknown",
        ),
        (
            "body=match.(",
            '[{"body", "match", "(", false}]',
            "ERROR P0001 (raise_exception) invalid regular expression for match filter: "
            "invalid regular expression: parentheses () not balanced",
        ),
        (
            "body=not.eq.\u0000x",
            '[{"body", "eq", "\\u0000x", true}]',
            'ERROR 22021 (character_not_in_repertoire) invalid byte sequence for encoding "UTF8": 0x00',
        ),
    ],
)
async def test_a_filter_the_table_can_not_answer(
    minato: Minato, board: Table, filter_: str, filters: str, exception: str
) -> None:
    assert await refusal(minato, board.entry(filter=filter_)) == (
        f"{FAILED}parameters: [event: *, schema: public, table: {board.name}, filters: {filters}, select: nil]. "
        f"Exception: {exception}"
    )


async def test_too_many_values(minato: Minato, board: Table) -> None:
    text = await refusal(minato, board.entry(filter=f"id=in.({','.join(map(str, range(101)))})"))
    assert text.endswith("Exception: ERROR P0001 (raise_exception) too many values for `in` filter. Maximum 100")


async def test_a_column_the_role_may_not_read_is_no_column(minato: Minato, notes: Table) -> None:
    await notes.run("revoke select on {t} from anon; grant select (id) on {t} to anon")
    assert (await refusal(minato, notes.entry(filter="secret=eq.x"))).endswith("invalid column for filter secret")
    assert (await refusal(minato, notes.entry(select=["secret"]))).endswith("invalid column for select secret")


async def test_one_bad_entry_fails_all_of_its_channel_and_no_other(minato: Minato, board: Table) -> None:
    async with phoenix(minato) as client:
        await client.follow("good", board.entry())
        await client.join("bad", {"postgres_changes": [board.entry(), board.entry(filter="wrong")]})
        assert (await client.system("bad"))["message"] == 'Error parsing `filter` params: ["wrong"]'
        await board.run("insert into {t} (id) values (1)")
        await client.event("postgres_changes", "good")
        assert await client.settle() == []
