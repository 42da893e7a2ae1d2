"""Accounts: queries on auth.users and what an account looks like."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Insert, Text, func, insert, literal, select, update
from sqlalchemy.dialects.postgresql import ARRAY, JSONB

from minato.auth.rows.reading import only, reader
from minato.auth.rows.tables import identities, users
from minato.database.wire.session import Command
from minato.database.wire.transaction import ServiceTransaction
from minato.json_text import JsonObject

NIL = UUID(int=0)
NO_TOKENS: dict[str, object] = dict.fromkeys(
    (
        "confirmation_token",
        "recovery_token",
        "email_change_token_new",
        "email_change_token_current",
        "phone_change_token",
        "reauthentication_token",
    ),
    "",
)

# What a new password voids: tokens that are out, how soon the next one may follow, changes of address or number.
NO_MAILS: dict[str, object] = NO_TOKENS | dict.fromkeys(
    (
        "confirmation_sent_at",
        "recovery_sent_at",
        "email_change_sent_at",
        "phone_change_sent_at",
        "reauthentication_sent_at",
    )
)
NOTHING_PENDING: dict[str, object] = NO_MAILS | {
    "email_change": "",
    "email_change_confirm_status": 0,
    "phone_change": "",
}


@dataclass(frozen=True)
class User:
    """A row of auth.users."""

    instance_id: UUID | None
    id: UUID
    aud: str | None
    role: str | None
    email: str | None
    encrypted_password: str | None = field(repr=False)
    email_confirmed_at: datetime | None
    invited_at: datetime | None
    confirmation_token: str | None = field(repr=False)
    confirmation_sent_at: datetime | None
    recovery_token: str | None = field(repr=False)
    recovery_sent_at: datetime | None
    email_change_token_new: str | None = field(repr=False)
    email_change: str | None
    email_change_sent_at: datetime | None
    last_sign_in_at: datetime | None
    raw_app_meta_data: dict[str, object] | None
    raw_user_meta_data: dict[str, object] | None
    is_super_admin: bool | None
    created_at: datetime | None
    updated_at: datetime | None
    phone: str | None
    phone_confirmed_at: datetime | None
    phone_change: str | None
    phone_change_token: str | None = field(repr=False)
    phone_change_sent_at: datetime | None
    confirmed_at: datetime | None
    email_change_token_current: str | None = field(repr=False)
    email_change_confirm_status: int | None
    banned_until: datetime | None
    reauthentication_token: str | None = field(repr=False)
    reauthentication_sent_at: datetime | None
    is_sso_user: bool
    deleted_at: datetime | None
    is_anonymous: bool

    @property
    def app_metadata(self) -> JsonObject:
        return self.raw_app_meta_data or {}

    @property
    def user_metadata(self) -> dict[str, object]:
        return self.raw_user_meta_data or {}

    @property
    def is_confirmed(self) -> bool:
        return self.email_confirmed_at is not None

    def is_banned(self, now: datetime) -> bool:
        return self.banned_until is not None and self.banned_until > now


read_users = reader(User)


def by_id(key: object, user: str = "$1") -> Command:
    """Asks for the account with this id, or with the id that the SQL `user` finds by `key`."""
    return Command(f"select pg_catalog.to_json(u) from auth.users u where id = {user}", [str(key)])


# SQL that finds the id of the account with the address `$1` in lower case, or with a pending change from or to it,
# whose audience is `$2`. Accounts of single sign-on are none of anybody's business.
WITH_EMAIL = """(select id from auth.users where pg_catalog.lower(email) = $1 and aud = $2 and is_sso_user is false
    order by created_at limit 1)"""
WITH_EMAIL_CHANGE = """(select id from auth.users where email_change <> '' and (email = $1 or email_change = $1)
    and aud = $2 and is_sso_user is false order by created_at limit 1)"""


def by_key(key: Sequence[str], user: str) -> Command:
    """`by_id` for SQL that finds the account by more than one value."""
    return Command(f"select pg_catalog.to_json(u) from auth.users u where id = {user}", key)


def by_email(email: str, audience: str) -> Command:
    """Asks for the account with this address; accounts of single sign-on are none of anybody's business."""
    mine = "pg_catalog.lower(email) = $1 and aud = $2 and is_sso_user is false"
    text = f"select pg_catalog.to_json(u) from auth.users u where {mine} order by created_at limit 1"
    return Command(text, [email.lower(), audience])


def by_any_email(email: str, audience: str) -> Command:
    """Asks for that account, or for another audience's with this address where there is none."""
    text = (
        "select pg_catalog.to_json(u) from auth.users u where pg_catalog.lower(email) = $1 and is_sso_user is false"
        " order by (aud = $2) desc, created_at limit 1"
    )
    return Command(text, [email.lower(), audience])


def signed_in(user_id: UUID, now: datetime) -> Command:
    """Notes a sign-in, and asks for the account as it is then."""
    text = "update auth.users u set last_sign_in_at = $2, updated_at = $2 where id = $1 returning pg_catalog.to_json(u)"
    return Command(text, [str(user_id), now.isoformat()])


async def find(db: ServiceTransaction, user_id: UUID) -> User | None:
    """The account with this id."""
    return only(read_users((await db.ask(by_id(user_id)))[0]))


async def lock(db: ServiceTransaction, user: User) -> User:
    """The account as it is now; nobody else changes it before this request is through."""
    result = await db.execute(select(users).where(users.c.id == user.id).with_for_update())
    return User(**result.mappings().one())


def hold(db: ServiceTransaction, user: User) -> None:
    """`lock`, for who asks something else next."""
    db.write(Command("select from auth.users where id = $1 for update", [str(user.id)]))


def require_password(db: ServiceTransaction, user: User) -> None:
    """Fail as a race that was lost, by a session of nobody's, where the account that is held has another password now
    than `user` has."""
    text = """insert into auth.sessions (id, user_id) select id, pg_catalog.gen_random_uuid() from auth.users
        where id = $1 and encrypted_password is distinct from $2"""
    db.write(Command(text, [str(user.id), user.encrypted_password or ""]))


async def find_by_email(db: ServiceTransaction, email: str, audience: str) -> User | None:
    """The account with this address; accounts of single sign-on are none of anybody's business."""
    return only(read_users((await db.ask(by_email(email, audience)))[0]))


async def find_by_emails(db: ServiceTransaction, emails: Iterable[str]) -> list[User]:
    """The accounts with one of these addresses, single sign-on apart."""
    rows = await db.execute(select(users).where(users.c.email.in_(list(emails)), users.c.is_sso_user.is_(False)))
    return [User(**row) for row in rows.mappings()]


async def is_anothers(db: ServiceTransaction, email: str, audience: str) -> bool:
    """Whether an account of another audience has this address: then there can be none of this one.

    One of this audience may have been opened since it was looked for.
    """
    return any(user.aud != audience for user in await find_by_emails(db, [email]))


async def find_by_confirmation_token(db: ServiceTransaction, hashed: str) -> User | None:
    """The unconfirmed or invited account a mail with this token went to."""
    return await _one(db, users.c.confirmation_token == hashed, users.c.is_sso_user.is_(False))


async def find_by_phone(db: ServiceTransaction, phone: str, audience: str) -> User | None:
    """The account with this number, as it is stored."""
    return await _one(db, users.c.phone == phone, users.c.aud == audience, users.c.is_sso_user.is_(False))


async def find_by_email_change(db: ServiceTransaction, email: str, audience: str) -> User | None:
    """The account whose pending change leads from or to this address."""
    pending = func.coalesce(users.c.email_change, "") != ""
    either = (users.c.email == email) | (users.c.email_change == email)
    return await _one(db, pending, either, users.c.aud == audience, users.c.is_sso_user.is_(False))


async def find_by_phone_change(db: ServiceTransaction, phone: str, audience: str) -> User | None:
    """The account that is about to change to this number."""
    return await _one(db, users.c.phone_change == phone, users.c.aud == audience, users.c.is_sso_user.is_(False))


def is_open_to(user: User, audience: str) -> bool:
    """Whether a client of this audience may come to the account by its address or number: not to one of single sign-on,
    nor to another audience's."""
    return user.aud == audience and not user.is_sso_user


async def find_by_any_phone(db: ServiceTransaction, phone: str) -> User | None:
    """The account with this number, whatever its audience, single sign-on included: a number is one account's."""
    return await _one(db, users.c.phone == phone)


async def find_duplicate(db: ServiceTransaction, email: str, beside: UUID | None = None) -> User | None:
    """Who already uses the address, by account or by identity, apart from `beside`; whatever the audience is, for an
    address is one account's."""
    holder = select(identities.c.user_id).where(identities.c.email == email)
    holder = holder.where(identities.c.provider.not_like("sso:%"))
    uses = (users.c.email == email) | users.c.id.in_(holder)
    conditions = [uses, users.c.is_sso_user.is_(False)]
    return await _one(db, *conditions, *([users.c.id != beside] if beside else []))


async def find_page(
    db: ServiceTransaction, audience: str, wanted: str, ascending: bool, offset: int, limit: int
) -> tuple[list[User], int]:
    """Accounts by age whose address contains or whose full name resembles `wanted`, and how many there are."""
    conditions = [users.c.instance_id == NIL, users.c.aud == audience]
    if wanted:
        name = users.c.raw_user_meta_data["full_name"].astext
        conditions.append(users.c.email.like(f"%{wanted}%") | name.ilike(f"%{wanted}%"))
    counted = select(func.count()).select_from(users).where(*conditions)
    total: int = (await db.execute(counted)).scalar_one()
    order = [column.asc() if ascending else column.desc() for column in (users.c.created_at, users.c.id)]
    rows = await db.execute(select(users).where(*conditions).order_by(*order).offset(offset).limit(limit))
    return [User(**row) for row in rows.mappings()], total


async def create(db: ServiceTransaction, user_id: UUID, now: datetime, **values: object) -> User:
    """A new account, its tokens empty; `values` are columns."""
    result = await db.execute(_inserted(user_id, now, values).returning(users))
    return User(**result.mappings().one())


def add(db: ServiceTransaction, user_id: UUID, now: datetime, **values: object) -> None:
    """`create`, for who reads the account only once it is changed."""
    db.write(_inserted(user_id, now, values))


def _inserted(user_id: UUID, now: datetime, values: Mapping[str, object]) -> Insert:
    return insert(users).values(_row(user_id, now, values))


def _row(user_id: UUID, now: datetime, values: Mapping[str, object]) -> dict[str, Any]:
    row = {"instance_id": NIL, "id": user_id, "created_at": now, "updated_at": now, "role": "", **NO_TOKENS}
    return row | {"email_change": "", "phone_change": "", "email_change_confirm_status": 0, **values}


def unread(user_id: UUID, now: datetime, values: Mapping[str, Any]) -> User:
    """The account that `add` writes with these values, but for what triggers of others make of it."""
    nothing: dict[str, Any] = dict.fromkeys(field.name for field in fields(User))
    return replace(User(**{**nothing, **_row(user_id, now, values)}), confirmed_at=None)


def write(db: ServiceTransaction, user: User, now: datetime, **values: Any) -> User:
    """`change`, for who asks something else next: `user` as it will be, but for what triggers of others make of it."""
    db.write(update(users).where(users.c.id == user.id).values(updated_at=now, **values))
    changed = replace(user, updated_at=now, **values)
    confirmed = [moment for moment in (changed.email_confirmed_at, changed.phone_confirmed_at) if moment is not None]
    return replace(changed, confirmed_at=min(confirmed, default=None))


def write_metadata(
    db: ServiceTransaction, user: User, now: datetime, values: Mapping[str, Any], said: JsonObject, app: bool = False
) -> User:
    """`write`, with `said` put into the metadata as it is then, the application's or the user's."""
    name = "raw_app_meta_data" if app else "raw_user_meta_data"
    changed = write(db, user, now, **values, **{name: merged(name, said)})
    if app:
        return replace(changed, raw_app_meta_data=merge_metadata(user.app_metadata, said))
    return replace(changed, raw_user_meta_data=merge_metadata(user.user_metadata, said))


def merged(name: str, said: JsonObject) -> ColumnElement[JsonObject]:
    """The metadata in the column `name` as it is when it is written, with `said` put into it; null removes a key."""
    known: ColumnElement[JsonObject] = func.coalesce(users.c[name], literal({}, JSONB))
    kept = known.op("||")(literal(merge_metadata({}, said), JSONB))
    removed = [key for key, value in said.items() if value is None]
    return kept.op("-")(literal(removed, ARRAY(Text))) if removed else kept


async def change(db: ServiceTransaction, user: User, now: datetime, **values: object) -> User:
    """`user` with other column values, written and re-read."""
    return await change_by_id(db, user.id, now, **values)


async def change_by_id(db: ServiceTransaction, user_id: UUID, now: datetime, **values: object) -> User:
    """The account with other column values, written and re-read."""
    statement = update(users).where(users.c.id == user_id).values(updated_at=now, **values).returning(users)
    return User(**(await db.execute(statement)).mappings().one())


async def _one(db: ServiceTransaction, *conditions: ColumnElement[bool]) -> User | None:
    result = await db.execute(select(users).where(*conditions).order_by(users.c.created_at).limit(1))
    row = result.mappings().one_or_none()
    return User(**row) if row else None


def merge_metadata(known: JsonObject, given: JsonObject) -> JsonObject:
    """Shallow; null removes a key.

    >>> merge_metadata({"a": 1, "b": 2}, {"b": None, "c": 3})
    {'a': 1, 'c': 3}
    """
    return {key: value for key, value in {**known, **given}.items() if value is not None}
