"""Mails are stopped by the link in them: nobody signs in, and no other link does anything."""

from __future__ import annotations

from typing import Any

import asyncpg
import pytest

from tests.integration.marketplace.cast import IDS, Stage, sql

TOKEN = "select private.mail_token({%s}, '%s')"
WRITE = "insert into messages (sender_id, receiver_id, content) values ({importer}, {agent}, 'Is it sold?')"
REFUSED = "This link does not work. Please use the one in your newest mail."


async def token_of(stage: Stage, who: str = "agent", topic: str = "messages") -> str:
    return str(await stage.db.fetchval(sql(TOKEN % (who, topic))))


async def choice(stage: Stage, token: str, wanted: str = "") -> dict[str, Any]:
    """What the page reads, or what a press answers: as somebody without an account."""
    call = f"choose_mail('{token}', {wanted})" if wanted else f"mail_choice('{token}')"
    answer: dict[str, Any] = await stage.value("anon", f"select {call}")
    return answer


async def mails_to(stage: Stage, who: str) -> list[str]:
    """The kinds of the mails that would go out to somebody now."""
    kinds = []
    while (mail := await stage.db.fetchval("select private.next_mail()")) is not None:
        if mail["to"] == f"{who}@minato.example":
            kinds.append(mail["kind"])
    return kinds


@pytest.mark.parametrize(
    ("who", "topic", "queue", "kind"),
    [
        ("agent", "messages", WRITE, "message"),
        ("agent", "support", "select private.notify_member({agent}, 'ticket_answer', '{}')", "ticket_answer"),
        ("agent", "requests", "select private.notify_member({agent}, 'requests', '{}')", "requests"),
        ("importer", "invitations", "select private.notify_member({importer}, 'invitation', '{}')", "invitation"),
    ],
)
async def test_a_press_stops_the_mails_of_one_topic_and_another_sends_them_again(
    stage: Stage, who: str, topic: str, queue: str, kind: str
) -> None:
    await stage.db.execute("delete from notification_outbox")
    other = f"select private.notify_member({{{who}}}, 'account_active', '{{}}')"
    await stage.db.execute(sql(queue))
    await stage.db.execute(sql(other))
    token = await token_of(stage, who, topic)
    assert await choice(stage, token) == {"topic": topic, "wanted": True}
    assert await choice(stage, token, "false") == {"topic": topic, "wanted": False}
    assert await choice(stage, token) == {"topic": topic, "wanted": False}
    assert await mails_to(stage, who) == ["account_active"], "also what was queued before"
    assert await choice(stage, token, "true") == {"topic": topic, "wanted": True}
    assert await mails_to(stage, who) == [kind]


async def test_looking_at_the_link_stops_nothing(stage: Stage) -> None:
    token = await token_of(stage)
    for _ in range(3):
        assert (await choice(stage, token))["wanted"] is True
    await stage.act_as("anon")
    await stage.db.execute("set transaction read only")
    assert (await stage.db.fetchval(f"select mail_choice('{token}')"))["wanted"] is True


async def test_a_link_pressed_twice_does_it_once(stage: Stage) -> None:
    token = await token_of(stage)
    for _ in range(2):
        assert (await choice(stage, token, "false"))["wanted"] is False
    muted = "select muted_mails from notification_preferences where user_id = {agent}"
    assert await stage.db.fetchval(sql(muted)) == ["messages"]


async def test_a_link_is_good_for_one_person_and_one_topic(stage: Stage) -> None:
    await choice(stage, await token_of(stage), "false")
    unchanged = "select count(*) from notification_preferences where user_id <> {agent} and muted_mails <> '{}'"
    assert await stage.db.fetchval(sql(unchanged)) == 0
    for who, topic in (("agent", "support"), ("importer", "messages")):
        assert (await choice(stage, await token_of(stage, who, topic)))["wanted"] is True


async def forged(stage: Stage) -> list[str]:
    """What somebody tries who has a link of their own and knows everybody's id."""
    topic, member, signature = (await token_of(stage)).split("-")
    victim = IDS["importer"].replace("-", "")
    return [
        f"{topic}-{victim}-{signature}",
        f"support-{member}-{signature}",
        f"{topic}-{member}-{signature[:-1]}{'0' if signature[-1] != '0' else '1'}",
        f"{topic}-{member}-{'0' * 64}",
        f"{topic}-{member}-",
        f"{topic}-{member}",
        f"{topic}-{member}-{signature}-{signature}",
        f"{topic}-{IDS['nobody'].replace('-', '')}-{signature}",
        f" {topic}-{member}-{signature}",
        f"{topic.upper()}-{member}-{signature}",
        "messages-' or true --",
        "",
        "%",
        "x" * 10_000,
    ]


async def test_a_forged_link_is_refused_in_the_same_words_whatever_is_wrong_with_it(stage: Stage) -> None:
    for token in await forged(stage):
        for call in ("mail_choice($1)", "choose_mail($1)", "choose_mail($1, true)"):
            await stage.act_as("anon")
            with pytest.raises(asyncpg.RaiseError, match=f"^{REFUSED}$"):
                async with stage.db.transaction():
                    await stage.db.fetchval(f"select {call}", token)
    await stage.act_as("owner")
    assert await stage.db.fetchval("select count(*) from notification_preferences where muted_mails <> '{}'") == 0
    with pytest.raises(asyncpg.RaiseError, match=REFUSED):
        await stage.value("anon", "select choose_mail(null)")


async def test_the_link_of_an_account_that_is_gone_is_refused_like_a_forged_one(stage: Stage) -> None:
    token = await token_of(stage)
    await stage.db.execute(sql("delete from auth.users where id = {agent}"))
    with pytest.raises(asyncpg.RaiseError, match=f"^{REFUSED}$"):
        await choice(stage, token, "false")


async def test_another_database_signs_otherwise(stage: Stage) -> None:
    token = await token_of(stage)
    await stage.db.execute("update private.mail_secret set inner_key = sha256(inner_key)")
    assert await token_of(stage) != token
    with pytest.raises(asyncpg.RaiseError, match=f"^{REFUSED}$"):
        await choice(stage, token)


@pytest.mark.parametrize("who", ["anon", "agent", "importer", "admin", "service_role"])
async def test_nobody_makes_links_or_reads_what_they_are_signed_with(stage: Stage, who: str) -> None:
    for statement in (
        "select private.mail_token({agent}, 'messages')",
        "select private.mail_signature('x')",
        "select * from private.mail_secret",
        "select * from private.read_mail_token('x')",
    ):
        assert await stage.outcome(who, statement) == "42501"


@pytest.mark.parametrize("who", ["agent", "suspended", "importer"])
async def test_the_settings_show_what_a_link_has_stopped_and_turn_it_on_again(stage: Stage, who: str) -> None:
    token = await token_of(stage, who, "disputes")
    await choice(stage, token, "false")
    assert await stage.value(who, "select muted_mails from notification_preferences") == ["disputes"]
    assert await stage.outcome(who, "update notification_preferences set muted_mails = '{}'") == 1
    assert (await choice(stage, token))["wanted"] is True
    assert await stage.outcome(who, "update notification_preferences set muted_mails = '{account}'") == "23514"


async def test_only_mails_about_the_account_itself_cannot_be_stopped_alone(stage: Stage) -> None:
    rows = await stage.db.fetch("select kind from private.notification_texts where topic is null")
    assert {row["kind"].split("_")[0] for row in rows} == {"account", "verification", "payment"}


async def test_mails_that_were_stopped_do_not_wait_for_better_days(stage: Stage) -> None:
    await stage.db.execute("delete from notification_outbox")
    await stage.db.execute(sql(WRITE))
    await choice(stage, await token_of(stage), "false")
    await stage.db.execute("select private.tidy()")
    assert await stage.db.fetchval("select count(*) from notification_outbox") == 0
