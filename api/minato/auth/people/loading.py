"""The people of a users file become accounts: written once, and after that only where the file says something else."""

from __future__ import annotations

import base64
import json
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from uuid import UUID, uuid5

import bcrypt

from minato.config.auth import AuthSettings
from minato.database.wire.session import Command
from minato.project.users_file import OWN, FileUser, UsersFile

# The passwords stand in a file beside the program: a hash that takes long protects nothing, and delays each start.
# Production knows such accounts by how their salts begin (`cli.unsafe_data`); cheap hashes may be imported, too.
MARK = "$2a$05$minatoPeople"
_BCRYPT = str.maketrans(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
    "./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
)
Ask = Callable[[Command], Awaitable[str]]
"""Carries out a statement whose one value is JSON as text."""

KNOWN = """
select coalesce(json_object_agg(u.id, json_build_array(lower(u.email), u.phone)), '{}')::text from auth.users u
where not u.is_sso_user and u.deleted_at is null and (u.id::text in (select jsonb_array_elements_text($1::jsonb))
    or lower(u.email) in (select jsonb_array_elements_text($1::jsonb))
    or u.phone in (select jsonb_array_elements_text($1::jsonb)))
"""
_GIVEN = """with given as (select * from jsonb_to_recordset($1::jsonb) as g (id uuid, aud text, role text, email text,
    phone text, password text, email_at timestamptz, phone_at timestamptz, banned_until timestamptz,
    app_metadata jsonb, user_metadata jsonb))"""
UPDATE = f"""{_GIVEN}, changed as (
    update auth.users u set role = g.role, email = g.email, phone = g.phone, banned_until = g.banned_until,
        encrypted_password = coalesce(g.password, u.encrypted_password), updated_at = $2::text::timestamptz,
        email_confirmed_at = case when g.email_at is null then null else coalesce(u.email_confirmed_at, g.email_at) end,
        phone_confirmed_at = case when g.phone_at is null then null else coalesce(u.phone_confirmed_at, g.phone_at) end,
        raw_app_meta_data = coalesce(u.raw_app_meta_data, '{{}}') || g.app_metadata,
        raw_user_meta_data = coalesce(u.raw_user_meta_data, '{{}}') || coalesce(g.user_metadata, '{{}}')
    from given g where u.id = g.id and (
        (u.role, u.email, u.phone, u.banned_until, u.email_confirmed_at is null, u.phone_confirmed_at is null)
            is distinct from
        (g.role, g.email, g.phone, g.banned_until, g.email_at is null, g.phone_at is null)
        or g.password <> coalesce(u.encrypted_password, '')
        or not coalesce(u.raw_app_meta_data, '{{}}') @> g.app_metadata
        or not coalesce(u.raw_user_meta_data, '{{}}') @> coalesce(g.user_metadata, '{{}}'))
    returning u.id)
select coalesce(json_agg(id), '[]')::text from changed"""
INSERT = f"""{_GIVEN}, made as (
    insert into auth.users (instance_id, id, aud, role, email, phone, encrypted_password, email_confirmed_at,
        phone_confirmed_at, banned_until, raw_app_meta_data, raw_user_meta_data, created_at, updated_at,
        is_sso_user, is_anonymous, confirmation_token, recovery_token, email_change_token_new, email_change,
        email_change_token_current, phone_change, phone_change_token, reauthentication_token,
        email_change_confirm_status)
    select '00000000-0000-0000-0000-000000000000', g.id, g.aud, g.role, g.email, g.phone, g.password, g.email_at,
        g.phone_at, g.banned_until, g.app_metadata, coalesce(g.user_metadata, '{{}}'), $2::text::timestamptz,
        $2::text::timestamptz, false, false, '', '', '', '', '', '', '', '', 0
    from given g where not exists (select from auth.users u where u.id = g.id)
    on conflict do nothing returning id)
select coalesce(json_agg(id), '[]')::text from made"""
IDENTITIES = """with given as (
    select * from jsonb_to_recordset($1::jsonb) as 
        g (id uuid, user_id uuid, provider text, sub text, data jsonb, place int)),
made as (
    insert into auth.identities as known (id, provider_id, user_id, provider, identity_data, created_at, updated_at)
    select g.id, g.sub, g.user_id, g.provider, g.data,
        $2::text::timestamptz + g.place * interval '1 us', $2::text::timestamptz from given g
    on conflict (provider_id, provider) do update
    set identity_data = known.identity_data || excluded.identity_data, updated_at = excluded.updated_at
    where known.user_id = excluded.user_id and not known.identity_data @> excluded.identity_data
    returning user_id)
select coalesce(json_agg(distinct user_id), '[]')::text from made"""
FACTORS = """with given as (
    select * from jsonb_to_recordset($1::jsonb)
        as g (id uuid, user_id uuid, name text, kind text, secret text, phone text)),
made as (
    insert into auth.mfa_factors
        (id, user_id, friendly_name, factor_type, status, secret, phone, created_at, updated_at)
    select g.id, g.user_id, g.name, g.kind::auth.factor_type, 'verified', g.secret, g.phone,
        $2::text::timestamptz, $2::text::timestamptz
    from given g where not exists (select from auth.mfa_factors f where f.user_id = g.user_id
        and f.factor_type = g.kind::auth.factor_type and (f.secret = g.secret or f.phone = g.phone))
    on conflict do nothing returning user_id)
select coalesce(json_agg(distinct user_id), '[]')::text from made"""


@dataclass(frozen=True)
class Loaded:
    """How many accounts a file made, and how many it found as it says or otherwise."""

    created: int
    updated: int
    unchanged: int


async def load_people(file: UsersFile, ask: Ask, now: datetime, settings: AuthSettings) -> Loaded:
    """Write what the file says, in one transaction of the caller's. Who is known by id is that account, else who is
    known by address. Raises what PostgreSQL refuses."""
    people = file.user
    if not people:
        return Loaded(0, 0, 0)
    asked = [str(value) for one in people for value in (one.uuid, one.email, one.phone) if value]
    known: Mapping[str, Sequence[str | None]] = json.loads(await ask(Command(KNOWN, [json.dumps(asked)])))
    ids = [_id_of(one, known) for one in people]
    rows = [_row(one, id_, now, settings) for one, id_ in zip(people, ids, strict=True)]
    changed = set(await _write(ask, UPDATE, rows, now))
    created = set(await _write(ask, INSERT, rows, now))
    beside = [(IDENTITIES, _identities), (FACTORS, _factors)]
    for statement, rows_of in beside:
        given = [row for one, id_ in zip(people, ids, strict=True) for row in rows_of(one, id_)]
        changed |= set(await _write(ask, statement, given, now))
    changed -= created
    return Loaded(len(created), len(changed), len(people) - len(created) - len(changed))


async def _write(ask: Ask, statement: str, rows: Iterable[Mapping[str, object]], now: datetime) -> list[str]:
    """The accounts that it touched."""
    given = json.dumps(list(rows))
    return list(json.loads(await ask(Command(statement, [given, now.isoformat()]))))


def _id_of(one: FileUser, known: Mapping[str, Sequence[str | None]]) -> UUID:
    if str(one.uuid) in known:
        return one.uuid
    for id_, (email, phone) in known.items():
        if (one.email and email == one.email) or (one.phone and phone == one.phone):
            return UUID(id_)
    return one.uuid


def _row(one: FileUser, id_: UUID, now: datetime, settings: AuthSettings) -> dict[str, object]:
    confirmed = now.isoformat() if one.confirmed else None
    said = None if one.user_metadata is None and not one.confirmed else dict(one.user_metadata or {})
    if said is not None and one.email and one.confirmed:
        said.setdefault("email_verified", True)
    return {
        "id": str(id_),
        "aud": settings.jwt_aud,
        "role": one.role or settings.jwt_default_group_name,
        "email": one.email,
        "phone": one.phone,
        "password": hashed(one.password, id_) if one.password is not None else None,
        "email_at": confirmed if one.email else None,
        "phone_at": confirmed if one.phone else None,
        "banned_until": one.banned_until.isoformat() if one.banned_until else None,
        "app_metadata": {"provider": one.providers[0], "providers": one.providers, **one.app_metadata},
        "user_metadata": said,
    }


def _identities(one: FileUser, id_: UUID) -> list[dict[str, object]]:
    said: dict[str, object] = {"email_verified": one.confirmed, "phone_verified": False}
    rows: list[dict[str, object]] = []
    for provider in one.providers:
        others = (identity for identity in one.identities if identity.provider not in OWN)
        other = next((identity for identity in others if identity.provider == provider), None)
        sub = (other.id if other else None) or str(id_)
        address = {"phone": one.phone} if provider == "phone" else {"email": one.email} if one.email else {}
        about = {**(one.user_metadata or {}), "email_verified": True} if other else {}
        data = {**about, **said, **address, "sub": sub}
        about_row = {"id": str(uuid5(id_, f"{provider} {sub}")), "user_id": str(id_), "provider": provider}
        # Clients see them by age.
        rows.append({**about_row, "sub": sub, "data": data, "place": len(rows)})
    return rows


def _factors(one: FileUser, id_: UUID) -> list[dict[str, object]]:
    return [
        {
            "id": str(uuid5(id_, f"{factor.type} {factor.secret or factor.phone}")),
            "user_id": str(id_),
            "name": factor.name or f"{factor.type} {number}",
            "kind": factor.type,
            "secret": factor.secret,
            "phone": factor.phone,
        }
        for number, factor in enumerate(one.factors, 1)
    ]


def hashed(password: str, id_: UUID) -> str:
    """The bcrypt hash of a password of the file, the same each time: so it is seen whether the password changed.

    >>> hashed("correct horse", UUID(int=7)) == hashed("correct horse", UUID(int=7))
    True
    >>> hashed("correct horse", UUID(int=7)).startswith(MARK)
    True
    """
    salt = base64.b64encode(sha256(id_.bytes + password.encode()).digest()[:7]).decode()[:10]
    return bcrypt.hashpw(password.encode(), f"{MARK}{salt.translate(_BCRYPT)}".encode()).decode()
