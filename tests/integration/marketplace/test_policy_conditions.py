"""What each condition of a policy keeps out: who is suspended, not confirmed, or takes what is another's.

A case is who, a statement, and its outcome before and after: how many rows, or the SQLSTATE of the refusal. Statements
without a WHERE are held by the policy of their own deed alone; one would bring in the policy of reading. Triggers that
refuse the same are off where they would answer first, so that the policies stand alone.
"""

from __future__ import annotations

import pytest

from tests.integration.marketplace.cast import Stage, sql

DENIED = "42501"
Outcome = int | str
Case = tuple[str, str, Outcome, Outcome]

PICTURE = """insert into storage.objects (bucket_id, name, metadata)
values ('%s', '%s', jsonb_build_object('mimetype', 'image/jpeg'))"""
REMOVING = "delete from storage.objects where bucket_id = '%s'"
EVIDENCE = "importer_id/00000000-0000-4000-8000-000000000001/photo.jpg"
DEAL = """insert into deals (id, invitation_id, agent_id, importer_id)
values ('00000000-0000-4000-8000-000000000001', {invitation}, {agent}, {importer})"""

# who loses what by a suspension
SUSPENDED: list[Case] = [
    ("agent", "update agent_posts set cnf_price = 1", 1, DENIED),
    ("agent", "delete from agent_posts", 1, 0),
    ("agent", "insert into agent_posts (agent_id, car_name, model) values ({agent}, 'Honda', 'Fit')", 1, DENIED),
    ("importer", "update car_requests set description = 'red'", 2, DENIED),
    ("importer", "delete from car_requests", 2, 0),
    (
        "importer",
        "insert into car_requests (importer_id, car_make, car_model) values ({importer}, 'x', 'y')",
        1,
        DENIED,
    ),
    ("importer", "insert into follows (follower_id, following_id) values ({importer}, {other_agent})", 1, DENIED),
    ("importer", "delete from follows", 1, 0),
    ("importer", "delete from lost_saves", 1, 0),
    ("importer", "insert into messages (sender_id, receiver_id, content) values ({importer}, {agent}, 'x')", 1, DENIED),
    ("importer", "update messages set is_read = true", 1, 0),
    ("importer", "update profiles set city = 'Kobe'", 1, DENIED),
    ("importer", "update invitations set status = 'declined'", 1, DENIED),
    (
        "other_agent",
        "insert into invitations (agent_id, importer_id, message) values ({other_agent}, {importer}, 'Hello')",
        1,
        DENIED,
    ),
    ("other_importer", "update reviews set rating = 1", 1, DENIED),
    ("other_importer", "delete from reviews", 1, 0),
    (
        "agent",
        "insert into reviews (reviewer_id, reviewed_id, rating) values ({agent}, {other_importer}, 4)",
        1,
        DENIED,
    ),
    ("agent", "insert into saved_posts (user_id, post_id) values ({agent}, {post})", 1, DENIED),
    ("importer", "delete from saved_posts", 1, 0),
    ("agent", "update storage.objects set user_metadata = '{}'", 2, DENIED),
    ("importer", PICTURE % ("profiles", "importer_id/avatar.jpg"), 1, DENIED),
    ("agent", PICTURE % ("car-images", "agent_id/fit.jpg"), 1, DENIED),
    ("agent", PICTURE % ("verification-documents", "agent_id/identity.jpg"), 1, DENIED),
    ("agent", REMOVING % "car-images", 1, 0),
    ("agent", REMOVING % "profiles", 1, 0),
]


@pytest.mark.parametrize(("who", "statement", "before", "after"), SUSPENDED)
async def test_a_suspension_takes_away_every_write(
    stage: Stage, who: str, statement: str, before: Outcome, after: Outcome
) -> None:
    await allow_removals(stage)
    assert await tried(stage, who, statement) == before
    await stage.db.execute(sql(f"update profiles set status = 'suspended' where user_id = {{{who}}}"))
    await guards_off(stage)
    assert await tried(stage, who, statement) == after


@pytest.mark.parametrize("bucket", ["profiles", "car-images"])
async def test_a_suspension_takes_away_every_change_of_a_picture(stage: Stage, bucket: str) -> None:
    change = f"update storage.objects set user_metadata = '{{}}' where bucket_id = '{bucket}'"
    assert await tried(stage, "agent", change) == 1
    await stage.db.execute(sql("update profiles set status = 'suspended' where user_id = {agent}"))
    assert await tried(stage, "agent", change) == DENIED


UNCONFIRMED: list[Case] = [
    ("importer", "update notification_preferences set sms = true", 1, DENIED),
    ("importer", "insert into support_tickets (user_id, subject, body) values ({importer}, 'Help', 'x')", 1, DENIED),
    ("importer", PICTURE % ("dispute-evidence", EVIDENCE), 1, DENIED),
    ("importer", "select 1 from member_standing where user_id = {agent}", 1, 0),
    ("importer", "select 1 from member_standing where user_id = {importer}", 1, 1),
    ("admin", "select 1 from member_standing where user_id = {importer}", 1, 1),
    ("newcomer", "select 1 from member_standing where user_id = {importer}", 0, 0),
    ("importer", "select 1 from profiles where user_id = {importer}", 1, 1),
    ("agent", "select 1 from profiles where user_id = {importer}", 1, 0),
    ("admin", "select 1 from profiles where user_id = {importer}", 1, 1),
    ("agent", "insert into messages (sender_id, receiver_id, content) values ({agent}, {importer}, 'x')", 1, DENIED),
    ("agent", "insert into follows (follower_id, following_id) values ({agent}, {importer})", 1, DENIED),
]


@pytest.mark.parametrize(("who", "statement", "before", "after"), UNCONFIRMED)
async def test_a_member_nobody_has_confirmed_neither_reaches_others_nor_is_reached(
    stage: Stage, who: str, statement: str, before: Outcome, after: Outcome
) -> None:
    await stage.db.execute(sql(DEAL))
    await stage.db.execute(
        sql("insert into member_standing (user_id, is_suspended) values ({agent}, true), ({importer}, true)")
    )
    assert await tried(stage, who, statement) == before
    await stage.db.execute(sql("update profiles set is_confirmed = false where user_id = {importer}"))
    assert await tried(stage, who, statement) == after


async def test_only_a_confirmed_member_sets_notification_preferences_and_only_the_own(stage: Stage) -> None:
    own, others = (
        f"insert into notification_preferences (user_id) values ({{{who}}})" for who in ("importer", "agent")
    )
    await stage.db.execute("delete from notification_preferences")
    assert await tried(stage, "importer", own) == 1
    assert await tried(stage, "importer", others) == DENIED
    await stage.db.execute(sql("update profiles set is_confirmed = false where user_id = {importer}"))
    assert await tried(stage, "importer", own) == DENIED


@pytest.mark.parametrize(
    ("statement", "before"),
    [("select 1 from car_requests", 2), ("select 1 from car_requests where status = 'active'", 1)],
)
async def test_requests_of_a_suspended_importer_wait_for_their_owner_alone(
    stage: Stage, statement: str, before: int
) -> None:
    await stage.db.execute(sql("update invitations set request_id = {pending_request} where id = {invitation}"))
    assert await tried(stage, "agent", statement) == before
    await stage.db.execute(sql("update profiles set status = 'suspended' where user_id = {importer}"))
    assert await tried(stage, "agent", statement) == 0
    assert await tried(stage, "importer", statement) == before


# A row given to somebody else.
GIVEN_AWAY = [
    ("agent", "update agent_posts set agent_id = {other_agent}"),
    ("importer", "update car_requests set importer_id = {other_importer}"),
    ("other_importer", "update reviews set reviewer_id = {importer}"),
    ("importer", "update messages set receiver_id = {other_importer}, is_read = true"),
    ("importer", "update messages set is_read = false"),
    ("importer", "update invitations set importer_id = {other_importer}, status = 'accepted'"),
    ("importer", "update invitations set status = 'sent'"),
    ("importer", "update profiles set user_id = {nobody}"),
    ("importer", "update notification_preferences set user_id = {nobody}"),
    ("agent", "update storage.objects set bucket_id = 'verification-documents'"),
    ("agent", "update storage.objects set bucket_id = 'verification-documents' where bucket_id = 'profiles'"),
    ("agent", "update storage.objects set bucket_id = 'verification-documents' where bucket_id = 'car-images'"),
    ("agent", "update storage.objects set name = 'other_agent_id/b.jpg' where bucket_id = 'car-images'"),
    ("agent", "update storage.objects set name = 'agent_id/b.svg' where bucket_id = 'car-images'"),
    ("agent", "update storage.objects set name = 'other_agent_id/avatar.png' where bucket_id = 'profiles'"),
]


@pytest.mark.parametrize(("who", "statement"), GIVEN_AWAY)
async def test_nobody_gives_a_row_away_even_with_the_guards_off(stage: Stage, who: str, statement: str) -> None:
    await guards_off(stage)
    # a new row that its writer cannot see would be refused for that alone
    await stage.db.execute(sql(f"update profiles set user_type = 'agent' where user_id = {{{who}}}"))
    await see_everything(stage)
    assert await tried(stage, who, statement) == DENIED


TAKEN = [
    ("agent", "update app_settings set value = 'true'", 0),
    ("other_agent", "update agent_posts set cnf_price = 1", 0),
    ("other_agent", "delete from agent_posts", 0),
    ("other_importer", "update car_requests set description = 'red'", 0),
    ("other_importer", "delete from car_requests", 0),
    ("other_importer", "update messages set is_read = true", 0),
    ("importer", "update reviews set rating = 1", 0),
    ("importer", "delete from reviews", 0),
    ("other_importer", "delete from saved_posts", 0),
    ("other_importer", "delete from lost_saves", 0),
    ("agent", "delete from follows", 0),
    ("other_importer", "update invitations set status = 'declined'", 0),
    ("agent", "update invitations set status = 'declined'", 0),
    ("importer", "update profiles set city = 'Kobe'", 1),
    ("importer", "update notification_preferences set sms = true", 1),
    (
        "importer",
        "insert into messages (sender_id, receiver_id, content) values ({agent}, {other_importer}, 'x')",
        DENIED,
    ),
    (
        "importer",
        "insert into reviews (reviewer_id, reviewed_id, rating) values ({other_importer}, {agent}, 4)",
        DENIED,
    ),
    ("other_agent", "select 1 from storage.objects where bucket_id = 'car-images'", 0),
    ("agent", "select 1 from storage.objects where bucket_id = 'car-images'", 1),
    ("other_agent", "update storage.objects set user_metadata = '{}'", 0),
    ("agent", "update storage.objects set user_metadata = '{}'", 2),
    ("other_agent", "delete from storage.objects", 0),
    ("agent", "delete from storage.objects", 2),
    ("admin", "delete from agent_posts", 2),
    ("admin", "delete from reviews", 1),
    ("admin", "update app_settings set value = 'true'", 4),
]


@pytest.mark.parametrize(("who", "statement", "outcome"), TAKEN)
async def test_a_statement_without_a_condition_touches_the_own_rows_alone(
    stage: Stage, who: str, statement: str, outcome: Outcome
) -> None:
    await allow_removals(stage)
    assert await tried(stage, who, statement) == outcome


async def test_nobody_reviews_the_own_kind_even_when_connected(stage: Stage) -> None:
    review = "insert into reviews (reviewer_id, reviewed_id, rating) values ({agent}, {%s}, 4)"
    await guards_off(stage)
    await stage.db.execute(
        sql("update invitations set agent_id = {agent}, importer_id = {other_agent} where id = {accepted}")
    )
    assert await tried(stage, "agent", review % "other_agent") == DENIED
    await stage.db.execute(sql("update profiles set user_type = 'importer' where user_id = {other_agent}"))
    assert await tried(stage, "agent", review % "other_agent") == 1


# every shape of a name that some policy of a bucket speaks about
NAMES = ("agent_id/avatar.png", "agent_id/car.jpg", "agent_id/identity.pdf", EVIDENCE)


@pytest.fixture
async def elsewhere(stage: Stage) -> Stage:
    """A bucket that no policy speaks of, with files of all shapes in it, and nothing in the others."""
    await allow_removals(stage)
    await stage.db.execute(sql(DEAL))
    await stage.db.execute("delete from storage.objects")
    await stage.db.execute("insert into storage.buckets (id, name) values ('elsewhere', 'elsewhere')")
    for name in NAMES:
        await stage.db.execute(sql(PICTURE % ("elsewhere", name)))
    return stage


@pytest.mark.parametrize("who", ["agent", "importer", "admin"])
@pytest.mark.parametrize(
    "statement",
    [
        "select 1 from storage.objects",
        "update storage.objects set user_metadata = '{}'",
        "delete from storage.objects",
    ],
)
async def test_a_bucket_without_policies_is_closed_whatever_its_files_are_called(
    elsewhere: Stage, who: str, statement: str
) -> None:
    assert await tried(elsewhere, who, statement) == 0


@pytest.mark.parametrize(
    ("who", "name"),
    [
        ("agent", "agent_id/avatar.jpg"),
        ("importer", "importer_id/avatar.jpg"),
        ("agent", "agent_id/new.jpg"),
        ("agent", "agent_id/identity-2.pdf"),
        ("importer", EVIDENCE.replace("photo", "second")),
    ],
)
async def test_nothing_is_put_into_a_bucket_without_policies(elsewhere: Stage, who: str, name: str) -> None:
    assert await tried(elsewhere, who, PICTURE % ("elsewhere", name)) == DENIED


@pytest.mark.parametrize(
    ("who", "name", "outcome"),
    [
        ("importer", EVIDENCE, 1),
        ("agent", EVIDENCE.replace("importer_id", "agent_id"), 1),
        ("agent", EVIDENCE, DENIED),
        ("other_importer", EVIDENCE.replace("importer_id", "other_importer_id"), DENIED),
        ("importer", EVIDENCE.replace("0001/", "0002/"), DENIED),
    ],
)
async def test_evidence_is_handed_in_by_a_party_of_the_deal_into_the_own_folder(
    stage: Stage, who: str, name: str, outcome: Outcome
) -> None:
    await stage.db.execute(sql(DEAL))
    assert await tried(stage, who, PICTURE % ("dispute-evidence", name)) == outcome


@pytest.mark.parametrize(
    ("who", "seen"), [("importer", 1), ("agent", 1), ("admin", 1), ("other_agent", 0), ("other_importer", 0)]
)
async def test_evidence_is_seen_by_both_parties_and_the_back_office(stage: Stage, who: str, seen: int) -> None:
    await stage.db.execute(sql(DEAL))
    await stage.db.execute(sql(PICTURE % ("dispute-evidence", EVIDENCE)))
    assert await tried(stage, who, "select 1 from storage.objects where bucket_id = 'dispute-evidence'") == seen


async def tried(stage: Stage, who: str, statement: str) -> Outcome:
    """The outcome of a statement that is taken back."""
    inner = stage.db.transaction()
    await inner.start()
    try:
        return await stage.outcome(who, statement)
    finally:
        await inner.rollback()


async def guards_off(stage: Stage) -> None:
    await stage.db.execute("set local session_replication_role = replica")


async def allow_removals(stage: Stage) -> None:
    await stage.db.execute("select set_config('storage.allow_delete_query', 'true', true)")


async def see_everything(stage: Stage) -> None:
    """Whatever a policy of reading would hide is shown."""
    await stage.db.execute('create policy "Seen" on storage.objects for select to authenticated using (true)')
