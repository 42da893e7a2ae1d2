"""Whom a call means: an account by its id, address, number or name."""

from __future__ import annotations

import re
from uuid import UUID, uuid5

from minato.auth.people.refusals import PersonError
from minato.auth.request.context import ReadTransaction
from minato.auth.rows import users
from minato.auth.rows.reading import only
from minato.auth.rows.users import User, read_users
from minato.auth.wire.validation import phone_digits
from minato.database.wire.session import Command
from minato.project.errors import ProjectError
from minato.project.users_file import NAMESPACE, read_users_file, users_path

NUMBER = re.compile(r"\+?[0-9][0-9 ]{2,}")
FOUND = "select pg_catalog.to_json(u) from auth.users u where {} and deleted_at is null order by created_at limit 1"
BY_EMAIL = FOUND.format("pg_catalog.lower(email) = $1")
BY_PHONE = FOUND.format("phone = $1")
SOME = """select pg_catalog.to_json(coalesce(nullif(email, ''), nullif(phone, ''), id::text)) from auth.users
where deleted_at is null order by created_at limit 5"""


async def require_person(tx: ReadTransaction, asked: str) -> User:
    """The account that `asked` names. Refuses with 404 what names none, and says which there are."""
    user = await _found(tx, asked.strip())
    if user is None:
        known = [row[0].decode().strip('"') for row in (await tx.db.ask(Command(SOME, [])))[0] if row[0]]
        hint = f"Known: {', '.join(known)}." if known else "There are no users yet."
        raise PersonError(404, "user_not_found", f'There is no user "{asked[:100]}".', hint)
    return user


async def _found(tx: ReadTransaction, asked: str) -> User | None:
    if "\0" in asked:
        return None
    if "@" in asked:
        return await _one(tx, BY_EMAIL, asked.lower())
    if NUMBER.fullmatch(asked):
        return await _one(tx, BY_PHONE, phone_digits(asked))
    try:
        user = await users.find(tx.db, UUID(asked))
    except ValueError:
        return await _named(tx, asked)
    return None if user is None or user.deleted_at is not None else user


async def _named(tx: ReadTransaction, asked: str) -> User | None:
    """Whom the users file calls so."""
    try:
        found = read_users_file(users_path(tx.backend.settings.server)).named(asked)
    except ProjectError as error:
        raise PersonError(400, "bad_request", str(error)) from None
    id_ = found.uuid if found else uuid5(NAMESPACE, asked)
    user = await users.find(tx.db, id_)
    if user is None and found is not None:
        user = await _one(tx, BY_EMAIL, found.email) if found.email else await _one(tx, BY_PHONE, found.phone or "")
    return user


async def _one(tx: ReadTransaction, statement: str, value: str) -> User | None:
    return only(read_users((await tx.db.ask(Command(statement, [value])))[0]))
