"""Who takes part in the marketplace's tests, and one row of everything between them."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid5

import asyncpg

_SPACE = UUID("6ba7b810-9dad-11d1-80b4-00c04fd430c8")
ADMIN_EMAIL = "admin@minato.example"

PEOPLE = {
    "agent": "agent",
    "other_agent": "agent",
    "suspended": "agent",
    "importer": "importer",
    "other_importer": "importer",
    "closed_importer": "importer",
    "newcomer": None,
    "unconfirmed": None,
    "admin": None,
}
ROWS = (
    "post",
    "suspended_post",
    "request",
    "pending_request",
    "invitation",
    "accepted",
    "message",
    "review",
    "saved",
    "lost",
    "ticket",
    "report",
    "verification",
    "nobody",
)
IDS = {name: str(uuid5(_SPACE, name)) for name in (*PEOPLE, *ROWS)}

SCENE = """
update app_settings set value = to_jsonb('{admin_email}'::text) where key = 'admin_email';
{users}
update profiles set status = 'suspended' where user_id = {suspended};
update profiles set allow_invitations = false where user_id in ({closed_importer}, {other_importer});
update profiles set verification_status = 'verified' where user_id in ({agent}, {suspended});
insert into account_moderation (user_id, suspension_reason) values ({suspended}, 'Complaints');
insert into user_activity values ({importer}, current_date);
insert into agent_posts (id, agent_id, car_name, model) values
    ({post}, {agent}, 'Toyota', 'Aqua'), ({suspended_post}, {suspended}, 'Mazda', 'RX-7');
insert into car_requests (id, importer_id, car_make, car_model, budget_min, budget_max, status) values
    ({request}, {importer}, 'Nissan', 'Skyline GT-R R33', 20000, 30000, 'active'),
    ({pending_request}, {importer}, 'Honda', 'Vezel', 9000, 12000, 'pending');
insert into invitations (id, agent_id, importer_id, request_id) values ({invitation}, {agent}, {importer}, {request});
insert into invitations (id, agent_id, importer_id) values ({accepted}, {agent}, {other_importer});
update invitations set status = 'accepted' where id = {accepted};
insert into messages (id, sender_id, receiver_id, content) values ({message}, {agent}, {importer}, 'Hello');
insert into reviews (id, reviewer_id, reviewed_id, rating) values ({review}, {other_importer}, {agent}, 5);
insert into follows values ({importer}, {agent});
insert into saved_posts (id, user_id, post_id) values ({saved}, {importer}, {post});
insert into lost_saves (id, user_id, car_name, model) values ({lost}, {importer}, 'Nissan', 'Note');
insert into support_tickets (id, user_id, subject, body) values ({ticket}, {importer}, 'Help', 'Please');
insert into ticket_messages (ticket_id, author_id, body) values ({ticket}, {importer}, 'Anybody there?');
insert into conversation_reports (id, reporter_id, counterpart_id, reason)
values ({report}, {importer}, {agent}, 'Rude');
insert into admin_audit_log (action, target_type) values ('review_agent', 'agent');
insert into storage.objects (bucket_id, name) values
    ('verification-documents', 'other_agent_id/identity.pdf'),
    ('verification-documents', 'other_agent_id/company.pdf'),
    ('profiles', 'agent_id/avatar.png');
insert into storage.objects (bucket_id, name, metadata) values
    ('car-images', 'agent_id/aqua.jpg', jsonb_build_object('mimetype', 'image/jpeg'));
insert into agent_verifications (id, agent_id, company_name, payment_status)
values ({verification}, {other_agent}, 'Other', 'received');
update profiles set verification_status = 'pending' where user_id = {other_agent};
"""


def sql(statement: str, **more: str) -> str:
    """`{agent}` becomes the agent's quoted id, `agent_id/` the folder of that id."""
    # the longest first: other_agent_id/ also ends in agent_id/
    for name, identity in sorted(IDS.items(), key=lambda entry: -len(entry[0])):
        statement = statement.replace("{" + name + "}", f"'{identity}'::uuid").replace(f"{name}_id/", f"{identity}/")
    for name, value in more.items():
        statement = statement.replace("{" + name + "}", value)
    return statement


def _users() -> str:
    """One account per person; the trigger makes the profiles."""
    lines = []
    for name, kind in PEOPLE.items():
        said = json.dumps({"full_name": name, "country": "JP", "role": kind} if kind else {})
        confirmed = "null" if name == "unconfirmed" else "now()"
        lines.append(
            "insert into auth.users (id, aud, role, email, email_confirmed_at, raw_user_meta_data, raw_app_meta_data)"
            f" values ('{IDS[name]}', 'authenticated', 'authenticated',"
            f" '{name}@minato.example', {confirmed}, '{said}', '{{}}');"
        )
    return "\n".join(lines)


async def set_the_scene(db: asyncpg.Connection) -> None:
    """Put the people and their rows into an empty database."""
    await db.execute(sql(SCENE, users=_users(), admin_email=ADMIN_EMAIL))


@dataclass
class Stage:
    """An open transaction in which everybody may act."""

    db: asyncpg.Connection

    async def act_as(self, who: str, **claims: Any) -> None:
        """Speak as a person, or as `anon`, `service_role`, `owner`."""
        if who == "owner":
            await self.db.execute("reset role")
            return
        role = who if who in ("anon", "service_role") else "authenticated"
        known: dict[str, Any] = {"role": role, **claims}
        if role == "authenticated":
            known = {"sub": IDS[who], "email": f"{who}@minato.example", "app_metadata": {}, **known}
        if who == "admin":
            known["app_metadata"] = {"role": "admin"}
        await self.db.execute("reset role")
        await self.db.execute("select set_config('request.jwt.claims', $1, true)", json.dumps(known))
        await self.db.execute(f"set local role {role}")

    async def outcome(self, who: str, statement: str, **claims: Any) -> int | str:
        """How many rows a statement gives or touches, or the SQLSTATE it fails with."""
        await self.act_as(who, **claims)
        try:
            async with self.db.transaction():
                status = await self.db.execute(sql(statement))
                return int(status.rsplit(" ", 1)[1])
        except asyncpg.PostgresError as error:
            return str(error.sqlstate)
        finally:
            await self.db.execute("reset role")

    async def value(self, who: str, statement: str, **claims: Any) -> Any:
        """One value, as somebody sees it; errors are raised."""
        await self.act_as(who, **claims)
        async with self.db.transaction():
            found = await self.db.fetchval(sql(statement))
        await self.db.execute("reset role")
        return found


@asynccontextmanager
async def staged(db: asyncpg.Connection) -> AsyncIterator[Stage]:
    """A transaction that is rolled back at the end."""
    transaction = db.transaction()
    await transaction.start()
    try:
        yield Stage(db)
    finally:
        await transaction.rollback()
