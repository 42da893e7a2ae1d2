"""`minato gen users`: the accounts of a database as a users file, without anything that signs in."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping

import typer

from minato.cli.gen_types_command import Asked, asked_session
from minato.cli.local.plan import Place
from minato.project.users_file import OWN

ACCOUNTS = """
select u.id::text, u.email, u.phone, u.confirmed_at is not null, u.role,
    to_char(u.banned_until at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
    u.raw_user_meta_data, u.raw_app_meta_data,
    (select coalesce(jsonb_agg(jsonb_build_object('provider', i.provider,
            'id', case when i.provider not in ('email', 'phone') then i.provider_id end) order by i.created_at), '[]')
        from auth.identities i where i.user_id = u.id),
    (select coalesce(jsonb_agg(jsonb_build_object('type', f.factor_type, 'name', f.friendly_name, 'phone', f.phone)
            order by f.created_at), '[]')
        from auth.mfa_factors f where f.user_id = u.id and f.status = 'verified' and f.factor_type <> 'webauthn')
from auth.users u
where u.deleted_at is null and not u.is_sso_user and coalesce(u.email, u.phone, '') <> ''
order by u.created_at, u.id
"""
# What follows from the rest of the file.
DERIVED = frozenset({"provider", "providers", "email_verified"})
LEFT_OUT = "# [[user.factors]] of an authenticator app: its secret is left out"


def generate_users(place: Place, environment: Mapping[str, str], asked: Asked) -> None:
    """Print the file. Raises `CommandFailure`, `CommandError` and `psycopg2.Error`."""
    with asked_session(place, environment, asked) as session, session.cursor() as cursor:
        cursor.execute(ACCOUNTS)
        rows = cursor.fetchall()
    typer.echo("\n\n".join("\n".join(lines_of(*row)) for row in rows) or "# There are no accounts.")


def lines_of(
    id_: str,
    email: str | None,
    phone: str | None,
    confirmed: bool,
    role: str | None,
    banned_until: str | None,
    said: Mapping[str, object] | None,
    known: Mapping[str, object] | None,
    identities: Collection[Mapping[str, object]],
    factors: Iterable[Mapping[str, object]],
) -> Iterator[str]:
    """One account as the file has it."""
    values = {
        "id": id_,
        "email": email,
        "phone": phone,
        "confirmed": None if confirmed else False,
        "role": None if role == "authenticated" else role,
        "user_metadata": {key: value for key, value in (said or {}).items() if key not in DERIVED},
        "app_metadata": {key: value for key, value in (known or {}).items() if key not in DERIVED},
    }
    yield "[[user]]"
    yield from _pairs(values)
    if banned_until:
        yield f"banned_until = {banned_until}"
    is_own = all(identity["provider"] in OWN for identity in identities)
    for identity in () if is_own else identities:
        yield from ["[[user.identities]]", *_pairs(identity)]
    for factor in factors:
        yield from ["[[user.factors]]", *_pairs(factor)] if factor["type"] == "phone" else [LEFT_OUT]


def _pairs(values: Mapping[str, object]) -> Iterator[str]:
    return (f"{key} = {toml(value)}" for key, value in values.items() if value not in (None, "", {}))


def toml(value: object) -> str:
    """A JSON value in TOML, which has no null: such keys and items are left out.

    >>> toml({"a b": [1, None, "x\\ny"], "c": {"d": True}, "e": None})
    '{ "a b" = [1, "x\\\\ny"], "c" = { "d" = true } }'
    """
    if isinstance(value, dict):
        inner = ", ".join(f"{_text(key)} = {toml(item)}" for key, item in value.items() if item is not None)
        return f"{{ {inner} }}" if inner else "{}"
    if isinstance(value, list):
        return f"[{', '.join(toml(item) for item in value if item is not None)}]"
    return _text(value) if isinstance(value, str) else json.dumps(value)


def _text(value: str) -> str:
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
