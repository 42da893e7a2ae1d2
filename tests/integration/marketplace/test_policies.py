"""Who may read and write what: every policy from both sides, as tables of cases.

A case is who, what, and the outcome: how many rows, or the SQLSTATE of the refusal. Rows a policy hides count 0.
"""

from __future__ import annotations

import pytest

from tests.integration.marketplace.cast import Stage

DENIED = "42501"
Case = tuple[str, str, int | str]

MEMBERS = ("agent", "other_agent", "suspended", "importer", "other_importer")

READS: dict[str, tuple[str, dict[str, int]]] = {
    "profiles": ("profiles", {"anon": 0, "agent": 6, "suspended": 6, "importer": 6, "admin": 6, "service_role": 6}),
    "preferences": ("notification_preferences", {"anon": 0, "agent": 1, "importer": 1, "admin": 0, "service_role": 6}),
    "moderation": ("account_moderation", {"anon": 0, "agent": 0, "suspended": 0, "admin": 1, "service_role": 1}),
    "activity": ("user_activity", {"anon": 0, "importer": 0, "agent": 0, "admin": 1, "service_role": 1}),
    "settings": ("app_settings", {"anon": 0, "agent": 0, "importer": 0, "admin": 6, "service_role": 6}),
    "posts": (
        "agent_posts",
        {"anon": 0, "agent": 1, "suspended": 2, "importer": 1, "admin": 2, "service_role": 2},
    ),  # PRD-006
    "saved posts": (
        "saved_posts",
        {"anon": 0, "importer": 1, "agent": 0, "other_importer": 0, "admin": 0, "service_role": 1},
    ),
    "lost saves": (
        "lost_saves",
        {"anon": 0, "importer": 1, "agent": 0, "other_importer": 0, "admin": 0, "service_role": 1},
    ),
    "active requests": (
        "car_requests where status = 'active'",
        {
            "anon": 0,
            "importer": 1,
            "other_importer": 0,
            "agent": 1,
            "other_agent": 1,
            "suspended": 0,
            "admin": 1,
            "service_role": 1,
        },
    ),
    "pending requests": (
        "car_requests where status = 'pending'",
        {"anon": 0, "importer": 1, "other_importer": 0, "agent": 0, "admin": 1, "service_role": 1},
    ),
    "categories": (
        "vehicle_categories where make = 'Lexus' and model_pattern = 'LFA%'",
        {"anon": 0, "agent": 1, "importer": 1},
    ),
    "invitations": (
        "invitations",
        {"anon": 0, "agent": 2, "other_agent": 0, "importer": 1, "other_importer": 1, "admin": 2, "service_role": 2},
    ),
    "deals": (
        "deals",
        {"anon": 0, "agent": 1, "other_importer": 1, "importer": 0, "other_agent": 0, "admin": 1, "service_role": 1},
    ),
    "cases": ("request_cases", {"anon": 0, "agent": 0, "importer": 0, "admin": 2, "service_role": 2}),
    # PRD-007 PRD-013
    "messages": (
        "messages",
        {"anon": 0, "agent": 1, "importer": 1, "other_agent": 0, "other_importer": 0, "admin": 0, "service_role": 1},
    ),
    "reviews": (
        "reviews",
        {"anon": 0, "agent": 1, "importer": 1, "suspended": 1, "admin": 1, "service_role": 1},
    ),  # PRD-015
    "follows": ("follows", {"anon": 0, "agent": 1, "importer": 1, "other_importer": 0, "admin": 0, "service_role": 1}),
    "verifications": (
        "agent_verifications",
        {"anon": 0, "other_agent": 1, "agent": 0, "importer": 0, "admin": 1, "service_role": 1},
    ),
    "tickets": ("support_tickets", {"anon": 0, "importer": 1, "agent": 0, "admin": 1, "service_role": 1}),
    "ticket messages": ("ticket_messages", {"anon": 0, "importer": 1, "agent": 0, "admin": 1, "service_role": 1}),
    "reports": ("conversation_reports", {"anon": 0, "importer": 1, "agent": 0, "admin": 1, "service_role": 1}),
    "audit log": ("admin_audit_log", {"anon": 0, "agent": 0, "importer": 0, "admin": 1, "service_role": 1}),
    "outbox": ("notification_outbox where kind = 'message'", {"anon": 0, "importer": 0, "admin": 1, "service_role": 1}),
    "documents": (
        "storage.objects where bucket_id = 'verification-documents'",
        {"anon": 0, "other_agent": 2, "agent": 0, "importer": 0, "admin": 2, "service_role": 2},
    ),
    "avatars": (
        "storage.objects where bucket_id = 'profiles'",
        {"anon": 0, "agent": 1, "importer": 0, "service_role": 1},
    ),
}


# PRD-026 GRD-014
@pytest.mark.parametrize(
    ("who", "source", "count"),
    [
        pytest.param(who, source, count, id=f"{who} sees {count} of {name}")
        for name, (source, readers) in READS.items()
        for who, count in readers.items()
    ],
)
async def test_everybody_sees_what_is_theirs_to_see(stage: Stage, who: str, source: str, count: int) -> None:
    assert await stage.outcome(who, f"select 1 from {source}") == count


NEW_PROFILE = "insert into profiles (user_id, user_type) values ({%s}, 'agent')"
NEW_POST = "insert into agent_posts (agent_id, car_name, model) values ({%s}, 'Honda', 'Fit')"
NEW_REQUEST = (
    "insert into car_requests (importer_id, car_make, car_model, urgency) values ({%s}, 'Honda', 'Fit', 'low')"
)
NEW_INVITATION = "insert into invitations (agent_id, importer_id, message) values ({%s}, {%s}, 'Hello')"
NEW_MESSAGE = "insert into messages (sender_id, receiver_id, content) values ({%s}, {%s}, 'Hi')"
NEW_REVIEW = "insert into reviews (reviewer_id, reviewed_id, rating) values ({%s}, {%s}, 4)"
NEW_FOLLOW = "insert into follows (follower_id, following_id) values ({%s}, {%s})"
NEW_SAVE = "insert into saved_posts (user_id, post_id) values ({%s}, {post})"
NEW_TICKET = "insert into support_tickets (user_id, subject, body) values ({%s}, 'Help', 'Please')"
NEW_ANSWER = "insert into ticket_messages (ticket_id, author_id, body) values ({ticket}, {%s}, 'More')"
NEW_OBJECT = "insert into storage.objects (bucket_id, name) values ('%s', '%s')"
NEW_PICTURE = (
    "insert into storage.objects (bucket_id, name, metadata)"
    " values ('car-images', '%s', jsonb_build_object('mimetype', '%s'))"
)

INSERTS: list[Case] = [
    ("newcomer", NEW_PROFILE % "newcomer", 1),
    ("newcomer", NEW_PROFILE % "nobody", DENIED),
    ("unconfirmed", NEW_PROFILE % "unconfirmed", DENIED),
    ("agent", NEW_PROFILE % "agent", "23505"),
    ("anon", NEW_PROFILE % "newcomer", DENIED),
    ("service_role", NEW_PROFILE % "newcomer", 1),
    ("agent", NEW_POST % "agent", 1),  # PRD-012
    ("other_agent", NEW_POST % "other_agent", 1),
    ("agent", NEW_POST % "other_agent", DENIED),
    ("suspended", NEW_POST % "suspended", DENIED),
    ("importer", NEW_POST % "importer", DENIED),
    ("admin", NEW_POST % "agent", DENIED),
    ("anon", NEW_POST % "agent", DENIED),
    ("service_role", NEW_POST % "agent", 1),
    ("importer", NEW_REQUEST % "importer", 1),  # PRD-005
    ("importer", NEW_REQUEST % "other_importer", DENIED),
    ("agent", NEW_REQUEST % "agent", DENIED),
    ("admin", NEW_REQUEST % "importer", DENIED),
    ("anon", NEW_REQUEST % "importer", DENIED),
    ("service_role", NEW_REQUEST % "importer", 1),
    ("other_agent", NEW_INVITATION % ("other_agent", "importer"), 1),  # PRD-014
    ("other_agent", NEW_INVITATION % ("other_agent", "closed_importer"), DENIED),
    ("other_agent", NEW_INVITATION % ("other_agent", "agent"), DENIED),
    ("other_agent", NEW_INVITATION % ("agent", "importer"), DENIED),
    ("suspended", NEW_INVITATION % ("suspended", "importer"), DENIED),
    ("importer", NEW_INVITATION % ("importer", "other_importer"), DENIED),
    ("anon", NEW_INVITATION % ("agent", "importer"), DENIED),
    (
        "agent",
        "insert into invitations (agent_id, importer_id, request_id) values ({agent}, {importer}, {request})",
        "23505",
    ),
    (
        "other_agent",
        "insert into invitations (agent_id, importer_id, request_id) values ({other_agent}, {importer}, {request})",
        1,
    ),
    (
        "other_agent",
        "insert into invitations (agent_id, importer_id, request_id)"
        " values ({other_agent}, {importer}, {pending_request})",
        DENIED,
    ),
    (
        "other_agent",
        "insert into invitations (agent_id, importer_id, request_id)"
        " values ({other_agent}, {other_importer}, {request})",
        DENIED,
    ),
    ("importer", NEW_MESSAGE % ("importer", "agent"), 1),  # PRD-007 PRD-013
    ("importer", NEW_MESSAGE % ("importer", "other_importer"), 1),
    ("importer", NEW_MESSAGE % ("agent", "importer"), DENIED),
    ("importer", NEW_MESSAGE % ("importer", "importer"), DENIED),
    ("importer", NEW_MESSAGE % ("importer", "nobody"), "23503"),
    ("importer", "insert into messages (sender_id, content) values ({importer}, 'Hi')", DENIED),
    ("importer", "insert into messages (sender_id, receiver_id, content) values ({importer}, {agent}, '  ')", "23514"),
    ("suspended", NEW_MESSAGE % ("suspended", "importer"), DENIED),
    ("newcomer", NEW_MESSAGE % ("newcomer", "importer"), DENIED),
    ("anon", NEW_MESSAGE % ("importer", "agent"), DENIED),
    ("agent", NEW_REVIEW % ("agent", "other_importer"), 1),  # PRD-010
    ("other_importer", NEW_REVIEW % ("other_importer", "agent"), "23505"),
    ("importer", NEW_REVIEW % ("importer", "agent"), DENIED),
    ("agent", NEW_REVIEW % ("agent", "other_agent"), DENIED),
    ("agent", NEW_REVIEW % ("other_importer", "agent"), DENIED),
    ("anon", NEW_REVIEW % ("agent", "other_importer"), DENIED),
    ("other_importer", NEW_FOLLOW % ("other_importer", "agent"), 1),  # PRD-008
    ("other_importer", NEW_FOLLOW % ("importer", "other_agent"), DENIED),
    ("other_importer", NEW_FOLLOW % ("other_importer", "other_importer"), "23514"),
    ("anon", NEW_FOLLOW % ("other_importer", "agent"), DENIED),
    ("other_importer", NEW_SAVE % "other_importer", 1),  # PRD-009
    ("other_importer", NEW_SAVE % "agent", DENIED),
    ("anon", NEW_SAVE % "other_importer", DENIED),
    ("importer", NEW_TICKET % "importer", 1),
    ("importer", NEW_TICKET % "agent", DENIED),
    ("suspended", NEW_TICKET % "suspended", 1),
    ("anon", NEW_TICKET % "importer", DENIED),
    ("importer", NEW_ANSWER % "importer", 1),
    ("importer", NEW_ANSWER % "agent", DENIED),
    ("agent", NEW_ANSWER % "agent", DENIED),
    ("anon", NEW_ANSWER % "importer", DENIED),
    ("newcomer", "insert into notification_preferences (user_id) values ({agent})", DENIED),
    ("other_agent", "insert into agent_verifications (agent_id) values ({other_agent})", DENIED),
    ("agent", "insert into deals (agent_id, importer_id) values ({agent}, {importer})", DENIED),
    ("importer", "insert into request_cases (request_id, status) values ({request}, 'completed')", DENIED),
    ("admin", "insert into admin_audit_log (action, target_type) values ('nothing', 'agent')", DENIED),
    ("admin", "insert into app_settings values ('new', 'true')", DENIED),
    ("admin", "insert into account_moderation (user_id) values ({importer})", DENIED),
    ("importer", "insert into notification_outbox (user_id, channel, kind) values ({agent}, 'email', 'spam')", DENIED),
    ("importer", "insert into user_activity values ({importer}, '2020-01-01')", DENIED),
    (
        "importer",
        "insert into conversation_reports (reporter_id, counterpart_id, reason) values ({importer}, {agent}, 'x')",
        DENIED,
    ),
    ("importer", "insert into vehicle_categories values ('Kia', '%', 'Supercars')", DENIED),
    ("importer", NEW_OBJECT % ("profiles", "importer_id/avatar.png"), 1),
    ("importer", NEW_OBJECT % ("profiles", "importer_id/other.png"), DENIED),
    ("importer", NEW_OBJECT % ("profiles", "importer_id/deep/avatar.png"), DENIED),
    ("importer", NEW_OBJECT % ("profiles", "agent_id/avatar.jpg"), DENIED),
    ("anon", NEW_OBJECT % ("profiles", "importer_id/avatar.png"), DENIED),
    ("agent", NEW_OBJECT % ("verification-documents", "agent_id/identity.pdf"), 1),
    ("agent", NEW_OBJECT % ("verification-documents", "other_agent_id/more.pdf"), DENIED),
    ("importer", NEW_OBJECT % ("verification-documents", "importer_id/identity.pdf"), DENIED),
    ("suspended", NEW_OBJECT % ("verification-documents", "suspended_id/identity.pdf"), DENIED),
    ("agent", NEW_PICTURE % ("agent_id/car.webp", "image/webp"), 1),
    ("agent", NEW_PICTURE % ("agent_id/car.svg", "image/webp"), DENIED),
    ("agent", NEW_OBJECT % ("car-images", "agent_id/car.webp"), DENIED),
    ("agent", NEW_PICTURE % ("agent_id/c.png", "image/svg+xml"), DENIED),
    ("agent", NEW_PICTURE % ("other_agent_id/car.png", "image/png"), DENIED),
    ("importer", NEW_PICTURE % ("importer_id/car.png", "image/png"), DENIED),
    ("service_role", NEW_OBJECT % ("car-images", "samples/car.svg"), 1),
]

UPDATES: list[Case] = [
    ("agent", "update profiles set city = 'Kobe' where user_id = {agent}", 1),
    ("suspended", "update profiles set city = 'Kobe' where user_id = {suspended}", DENIED),
    ("importer", "update profiles set city = 'Kobe' where user_id = {agent}", 0),
    ("importer", "update lost_saves set model = 'x'", 0),
    ("admin", "update profiles set city = 'Kobe' where user_id = {agent}", 0),
    ("anon", "update profiles set city = 'Kobe'", 0),
    ("service_role", "update profiles set city = 'Kobe'", 6),
    ("importer", "update notification_preferences set sms = true", 1),
    ("anon", "update notification_preferences set sms = true", 0),
    ("agent", "update agent_posts set cnf_price = 1", 1),
    ("other_agent", "update agent_posts set cnf_price = 1", 0),
    ("admin", "update agent_posts set cnf_price = 1", 0),
    ("importer", "update car_requests set description = 'red' where id = {request}", 1),
    ("other_importer", "update car_requests set description = 'red'", 0),
    ("agent", "update car_requests set description = 'red'", 0),
    ("importer", "update invitations set status = 'accepted', response_message = 'Yes' where id = {invitation}", 1),
    ("importer", "update invitations set status = 'declined' where id = {invitation}", 1),
    ("importer", "update invitations set status = 'sent' where id = {invitation}", DENIED),
    ("agent", "update invitations set status = 'accepted' where id = {invitation}", 0),
    ("other_importer", "update invitations set status = 'accepted' where id = {invitation}", 0),
    ("other_importer", "update invitations set status = 'declined' where id = {accepted}", 0),
    ("admin", "update invitations set status = 'accepted' where id = {invitation}", 0),
    ("importer", "update messages set is_read = true", 1),
    ("agent", "update messages set is_read = true", 0),
    ("other_importer", "update messages set is_read = true", 0),
    ("other_importer", "update reviews set rating = 1, comment = 'changed' where id = {review}", 1),
    ("agent", "update reviews set rating = 5 where id = {review}", 0),
    ("admin", "update reviews set rating = 5 where id = {review}", 0),
    ("importer", "update support_tickets set status = 'resolved'", 0),
    ("admin", "update support_tickets set status = 'resolved'", 0),
    ("other_agent", "update agent_verifications set status = 'approved'", 0),
    ("admin", "update agent_verifications set status = 'approved'", 0),
    ("agent", "update deals set value_usd = 1", 0),
    ("admin", "update request_cases set status = 'completed'", 0),
    ("admin", "update admin_audit_log set action = 'x'", 0),
    ("admin", "update app_settings set value = 'true' where key = 'review_new_requests'", 1),
    ("admin", "update app_settings set value = '\"me@x.y\"' where key = 'admin_email'", 0),
    ("admin", "update app_settings set value = 'false' where key = 'demo_mode'", 0),
    ("agent", "update app_settings set value = 'true' where key = 'review_new_requests'", 0),
    ("agent", "update storage.objects set user_metadata = '{}' where bucket_id = 'profiles'", 1),
    ("importer", "update storage.objects set user_metadata = '{}' where bucket_id = 'profiles'", 0),
    ("other_agent", "update storage.objects set user_metadata = '{}' where bucket_id = 'verification-documents'", 0),
    ("agent", "update storage.objects set name = 'agent_id/a.svg' where bucket_id = 'car-images'", DENIED),
    ("agent", "update storage.objects set name = 'agent_id/a.jpg' where bucket_id = 'car-images'", 1),
]

DELETES: list[Case] = [
    ("agent", "delete from profiles where user_id = {agent}", 0),
    ("admin", "delete from profiles where user_id = {agent}", 0),
    ("agent", "delete from agent_posts where id = {post}", 1),
    ("other_agent", "delete from agent_posts where id = {post}", 0),
    ("importer", "delete from agent_posts where id = {post}", 0),
    ("admin", "delete from agent_posts where id = {post}", 1),
    ("anon", "delete from agent_posts", 0),
    ("importer", "delete from car_requests where id = {request}", 1),
    ("other_importer", "delete from car_requests where id = {request}", 0),
    ("agent", "delete from car_requests where id = {request}", 0),
    ("importer", "delete from saved_posts where id = {saved}", 1),
    ("other_importer", "delete from saved_posts where id = {saved}", 0),
    ("importer", "delete from lost_saves", 1),
    ("other_importer", "delete from lost_saves", 0),
    ("agent", "delete from lost_saves", 0),
    ("importer", "delete from follows", 1),
    ("agent", "delete from follows", 0),
    ("agent", "delete from invitations", 0),
    ("importer", "delete from invitations", 0),
    ("agent", "delete from messages", 0),
    ("importer", "delete from messages", 0),
    ("other_importer", "delete from reviews where id = {review}", 1),
    ("agent", "delete from reviews where id = {review}", 0),
    ("admin", "delete from reviews where id = {review}", 1),
    ("importer", "delete from support_tickets", 0),
    ("importer", "delete from notification_preferences", 0),
    ("admin", "delete from admin_audit_log", 0),
    ("admin", "delete from deals", 0),
    ("service_role", "delete from reviews", 1),
]


# PRD-026 GRD-014
@pytest.mark.parametrize(
    ("who", "statement", "outcome"),
    [pytest.param(*case, id=f"{case[0]}: {case[1]}") for case in [*INSERTS, *UPDATES, *DELETES]],
)
async def test_everybody_writes_what_is_theirs_to_write(
    stage: Stage, who: str, statement: str, outcome: int | str
) -> None:
    assert await stage.outcome(who, statement) == outcome


@pytest.mark.parametrize(
    ("who", "bucket", "deleted"),
    [
        ("agent", "profiles", 1),
        ("importer", "profiles", 0),
        ("agent", "car-images", 1),
        ("importer", "car-images", 0),
        ("other_agent", "verification-documents", 0),
        ("admin", "verification-documents", 0),
        ("anon", "profiles", 0),
        ("service_role", "verification-documents", 2),
    ],
)
async def test_members_remove_their_pictures_but_no_document(stage: Stage, who: str, bucket: str, deleted: int) -> None:
    await stage.db.execute("select set_config('storage.allow_delete_query', 'true', true)")
    assert await stage.outcome(who, f"delete from storage.objects where bucket_id = '{bucket}'") == deleted


@pytest.mark.parametrize(
    ("claims", "settings_seen"),
    [
        ({"app_metadata": {"role": "admin"}, "email": "admin@minato.example"}, 6),
        ({"app_metadata": {"role": "admin"}, "email": "agent@minato.example"}, 0),
        ({"app_metadata": {}, "email": "admin@minato.example"}, 0),
        ({"user_metadata": {"role": "admin"}, "app_metadata": {}, "email": "admin@minato.example"}, 0),
    ],
)
async def test_only_role_and_address_together_make_an_administrator(
    stage: Stage, claims: dict[str, object], settings_seen: int
) -> None:
    assert await stage.outcome("agent", "select 1 from app_settings", **claims) == settings_seen


async def test_nobody_is_administrator_while_no_address_is_configured(stage: Stage) -> None:
    await stage.db.execute("update app_settings set value = '\"\"' where key = 'admin_email'")
    assert await stage.outcome("agent", "select 1 from app_settings", email="", app_metadata={"role": "admin"}) == 0


async def test_an_agent_keeps_seeing_a_request_after_inviting_for_it(stage: Stage) -> None:
    await stage.db.execute("update car_requests set status = 'completed' where status = 'active'")
    assert await stage.outcome("agent", "select 1 from car_requests where status = 'completed'") == 1
    assert await stage.outcome("other_agent", "select 1 from car_requests where status = 'completed'") == 0


async def test_an_importer_who_takes_no_invitations_takes_them_for_an_active_request(stage: Stage) -> None:
    await stage.db.execute(
        "insert into car_requests (importer_id, car_make, car_model) select user_id, 'Honda', 'Fit' from profiles"
        " where full_name = 'closed_importer'"
    )
    assert await stage.outcome("other_agent", NEW_INVITATION % ("other_agent", "closed_importer")) == 1


async def test_unverified_agents_post_unless_verification_is_required(stage: Stage) -> None:
    await stage.db.execute("update app_settings set value = 'true' where key = 'require_verified_to_post'")
    assert await stage.outcome("other_agent", NEW_POST % "other_agent") == DENIED
    assert await stage.outcome("agent", NEW_POST % "agent") == 1
