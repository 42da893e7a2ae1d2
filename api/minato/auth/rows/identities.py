"""Identities: the ways an account signs in. For email and phone the provider's id is the account's."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import Insert, delete, func, insert, select, update

from minato.auth.rows import users
from minato.auth.rows.reading import reader
from minato.auth.rows.tables import Writer, identities
from minato.auth.rows.tables import users as user_table
from minato.auth.rows.users import User
from minato.database.wire.session import Command
from minato.database.wire.transaction import ServiceTransaction


@dataclass(frozen=True, slots=True)
class Identity:
    """A row of auth.identities."""

    provider_id: str
    user_id: UUID
    identity_data: dict[str, object]
    provider: str
    last_sign_in_at: datetime | None
    created_at: datetime | None
    updated_at: datetime | None
    email: str | None
    id: UUID


read_identities = reader(Identity)


def of(key: object, user: str = "$1") -> Command:
    """Asks for the identities of an account, oldest first, of one moment email before phone; as `users.by_id` does."""
    return by_key([str(key)], user)


def by_key(key: Sequence[str], user: str) -> Command:
    """`of` for SQL that finds the account by more than one value."""
    text = (
        f"select pg_catalog.to_json(i) from auth.identities i where user_id = {user} order by created_at, provider, id"
    )
    return Command(text, key)


async def of_user(db: ServiceTransaction, user_id: UUID) -> list[Identity]:
    """The account's identities, oldest first."""
    return read_identities((await db.ask(of(user_id)))[0])


async def create(writer: Writer, user_id: UUID, provider: str, data: Mapping[str, object]) -> None:
    """An email or phone identity."""
    await _insert(writer, user_id, provider, {"provider_id": str(user_id), "identity_data": dict(data)})


def add(writer: Writer, user_id: UUID, provider: str, data: Mapping[str, object]) -> None:
    """`create`, for who asks something else next."""
    known = {"provider_id": str(user_id), "identity_data": dict(data)}
    writer.db.write(_inserted(writer, writer.new_id(), user_id, provider, known))


async def find_by_subject(db: ServiceTransaction, provider: str, subject: str) -> Identity | None:
    """Whoever the provider calls `subject`."""
    same = (identities.c.provider == provider) & (identities.c.provider_id == subject)
    row = (await db.execute(select(identities).where(same))).mappings().one_or_none()
    return Identity(**row) if row else None


async def holders_of(db: ServiceTransaction, emails: Iterable[str]) -> set[UUID]:
    """The accounts that some identity with one of these addresses belongs to, single sign-on apart.

    An address that an identity merely claims counts only where it is the account's own.
    """
    same = identities.c.email.in_(list(emails)) & identities.c.provider.not_like("sso:%")
    sure = identities.c.identity_data.contains({"email_verified": True})
    own = func.lower(user_table.c.email) == identities.c.email
    found = select(identities.c.user_id).join(user_table, user_table.c.id == identities.c.user_id)
    return set((await db.execute(found.where(same, sure | own))).scalars())


async def holders_at(db: ServiceTransaction, provider: str, emails: Iterable[str]) -> set[UUID]:
    """The accounts with one of these addresses at `provider`."""
    same = identities.c.email.in_(list(emails)) & (identities.c.provider == provider)
    return set((await db.execute(select(identities.c.user_id).where(same))).scalars())


async def add_external(writer: Writer, user_id: UUID, provider: str, data: Mapping[str, object]) -> UUID:
    """An identity at another provider, which calls its owner `data["sub"]`."""
    return await _insert(writer, user_id, provider, {"provider_id": data["sub"], "identity_data": dict(data)})


async def _insert(writer: Writer, user_id: UUID, provider: str, known: Mapping[str, object]) -> UUID:
    identity_id = writer.new_id()
    await writer.db.execute(_inserted(writer, identity_id, user_id, provider, known))
    return identity_id


def _inserted(writer: Writer, identity_id: UUID, user_id: UUID, provider: str, known: Mapping[str, object]) -> Insert:
    row = {"id": identity_id, "user_id": user_id, "provider": provider, **known}
    now = writer.now
    return insert(identities).values(**row, last_sign_in_at=now, created_at=now, updated_at=now)


async def renew_data(db: ServiceTransaction, identity_id: UUID, data: Mapping[str, object], now: datetime) -> None:
    """The provider knows its user anew; a sign-in."""
    statement = update(identities).where(identities.c.id == identity_id)
    await db.execute(statement.values(identity_data=dict(data), last_sign_in_at=now, updated_at=now))


async def remove_others(db: ServiceTransaction, user_id: UUID, identity_id: UUID) -> None:
    """Leave the account but this identity."""
    await db.execute(delete(identities).where(identities.c.user_id == user_id, identities.c.id != identity_id))


async def set_data(writer: Writer, user_id: UUID, provider: str, data: Mapping[str, object]) -> None:
    """The account's identity of `provider` says `data` and nothing else."""
    mine = (identities.c.user_id == user_id) & (identities.c.provider == provider)
    statement = update(identities).where(mine)
    writer.db.write(statement.values(identity_data=dict(data), updated_at=writer.now))


async def merge_data(writer: Writer, user_id: UUID, provider: str, data: Mapping[str, object]) -> bool:
    """Merge `data` into the identity of `provider`; False when there is none."""
    statement = (
        update(identities)
        .where(identities.c.user_id == user_id, identities.c.provider == provider)
        .values(identity_data=identities.c.identity_data.op("||")(dict(data)), updated_at=writer.now)
    )
    return bool((await writer.db.execute(statement)).rowcount)


async def confirm_email(db: ServiceTransaction, user: User, now: datetime) -> None:
    """Every identity with the account's address carries that it was verified."""
    same = (identities.c.user_id == user.id) & (identities.c.email == func.lower(user.email))
    verified = identities.c.identity_data.op("||")({"email_verified": True})
    db.write(update(identities).where(same).values(identity_data=verified, updated_at=now))


async def remove(db: ServiceTransaction, identity_id: UUID) -> None:
    await db.execute(delete(identities).where(identities.c.id == identity_id))


def write_providers(db: ServiceTransaction, user: User, now: datetime, known: Iterable[Identity]) -> User:
    """`recompute_providers` from identities that are `known`, for who asks something else next."""
    return users.write_metadata(db, user, now, {}, _providers(known), app=True)


async def recompute_providers(db: ServiceTransaction, user: User, now: datetime) -> User:
    """app_metadata.provider(s) as the identities say, in the order of their creation."""
    said = _providers(await of_user(db, user.id))
    return await users.change(db, user, now, raw_app_meta_data=users.merged("raw_app_meta_data", said))


def _providers(known: Iterable[Identity]) -> dict[str, object]:
    providers = list(dict.fromkeys(one.provider for one in known))
    return {"providers": providers, **({"provider": providers[0]} if providers else {})}
