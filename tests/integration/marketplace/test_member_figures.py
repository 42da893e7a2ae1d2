"""The figures of a public profile."""

from __future__ import annotations

from tests.integration.marketplace.cast import Stage, sql


async def test_a_profile_tells_deals_and_how_long_an_answer_takes(stage: Stage) -> None:
    await stage.db.execute("delete from messages")
    await stage.db.execute(
        sql(
            "insert into messages (sender_id, receiver_id, content, created_at) values"
            " ({importer}, {agent}, 'q', now() - interval '5 hours'),"
            " ({agent}, {importer}, 'a', now() - interval '3 hours')"
        )
    )
    await stage.db.execute(sql("insert into deals (agent_id, importer_id, status) values ({agent}, null, 'completed')"))
    row = await stage.db.fetchrow(sql("select * from member_figures({agent})"))
    assert row is None  # nobody is asking
    await stage.act_as("importer")
    row = await stage.db.fetchrow(sql("select * from member_figures({agent})"))
    assert tuple(row) == (1, 1, "Within 2 hours")


async def test_a_newcomer_has_no_figures_to_tell(stage: Stage) -> None:
    await stage.act_as("importer")
    row = await stage.db.fetchrow(sql("select * from member_figures({other_agent})"))
    assert tuple(row) == (0, 0, None)


async def test_visitors_and_unconfirmed_profiles_get_nothing(stage: Stage) -> None:
    assert await stage.outcome("anon", "select * from member_figures({agent})") == "42501"
    assert await stage.outcome("importer", "select * from member_figures({unconfirmed})") == 0
