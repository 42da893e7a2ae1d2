"""Second factors and the challenges that prove them: queries on auth.mfa_factors and auth.mfa_challenges."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from sqlalchemy import delete, insert, select, update

from minato.auth.rows.reading import reader
from minato.auth.rows.tables import Writer, amr_claims, challenges, factors, sessions
from minato.database.wire.session import Command
from minato.database.wire.transaction import ServiceTransaction
from minato.json_text import JsonObject


@dataclass(frozen=True, slots=True)
class Factor:
    """A row of auth.mfa_factors: totp, phone or webauthn, verified or not."""

    id: UUID
    user_id: UUID
    friendly_name: str | None
    factor_type: str
    status: str
    created_at: datetime
    updated_at: datetime
    secret: str | None = field(repr=False)
    phone: str | None
    last_challenged_at: datetime | None
    web_authn_credential: dict[str, object] | None
    web_authn_aaguid: UUID | None
    last_webauthn_challenge_data: dict[str, object] | None

    @property
    def is_verified(self) -> bool:
        return self.status == "verified"


@dataclass(frozen=True, slots=True)
class Challenge:
    """A row of auth.mfa_challenges: a question that a code or a security key answers."""

    id: UUID
    factor_id: UUID
    created_at: datetime
    verified_at: datetime | None
    ip_address: object
    otp_code: str | None = field(repr=False)
    web_authn_session_data: JsonObject | None


read_factors = reader(Factor)


def of(key: object, user: str = "$1") -> Command:
    """Asks for the factors of an account, verified or not; as `users.by_id` does."""
    return Command(
        f"select pg_catalog.to_json(f) from auth.mfa_factors f where user_id = {user} order by created_at", [str(key)]
    )


async def of_user(db: ServiceTransaction, user_id: UUID) -> list[Factor]:
    """The account's factors, verified or not."""
    return read_factors((await db.ask(of(user_id)))[0])


async def has_verified(db: ServiceTransaction, user_id: UUID) -> bool:
    return any(factor.is_verified for factor in await of_user(db, user_id))


async def find(db: ServiceTransaction, user_id: UUID, factor_id: UUID) -> Factor | None:
    """The account's factor with this id."""
    statement = select(factors).where(factors.c.id == factor_id, factors.c.user_id == user_id)
    row = (await db.execute(statement)).mappings().one_or_none()
    return Factor(**row) if row else None


async def create(db: ServiceTransaction, now: datetime, **values: object) -> None:
    """An unverified factor."""
    await db.execute(insert(factors).values(status="unverified", created_at=now, updated_at=now, **values))


async def change(db: ServiceTransaction, factor: Factor, now: datetime, **values: object) -> Factor:
    """The factor with new values."""
    statement = update(factors).where(factors.c.id == factor.id).values(**values, updated_at=now)
    return Factor(**(await db.execute(statement.returning(factors))).mappings().one())


async def purge_abandoned(db: ServiceTransaction, user_id: UUID, before: datetime) -> None:
    """Drop what was enrolled before `before` and never challenged."""
    challenged = select(challenges.c.id).where(challenges.c.factor_id == factors.c.id).exists()
    stale = (factors.c.user_id == user_id) & (factors.c.status == "unverified") & (factors.c.created_at < before)
    await db.execute(delete(factors).where(stale, ~challenged))


async def challenge(writer: Writer, challenge_id: UUID, factor_id: UUID, **asked: object) -> None:
    """A question to be answered with a code or by a security key; `asked` are the columns that
    remember it, and `ip_address`."""
    row = {"id": challenge_id, "factor_id": factor_id, "created_at": writer.now, **asked}
    await writer.db.execute(insert(challenges).values(row))
    statement = update(factors).where(factors.c.id == factor_id)
    await writer.db.execute(statement.values(last_challenged_at=writer.now))


async def take_back_challenge(db: ServiceTransaction, challenge_id: UUID, factor: Factor) -> None:
    """Undo `challenge`; `factor` is the row from before it."""
    await forget_challenge(db, challenge_id)
    same = factors.c.id == factor.id
    await db.execute(update(factors).where(same).values(last_challenged_at=factor.last_challenged_at))


async def find_challenge(db: ServiceTransaction, factor_id: UUID, challenge_id: UUID) -> Challenge | None:
    """The challenge, locked, so that one code answers it once."""
    statement = select(challenges).where(challenges.c.id == challenge_id, challenges.c.factor_id == factor_id)
    row = (await db.execute(statement.with_for_update())).mappings().one_or_none()
    return Challenge(**row) if row else None


async def forget_challenge(db: ServiceTransaction, challenge_id: UUID) -> None:
    await db.execute(delete(challenges).where(challenges.c.id == challenge_id))


async def pass_challenge(db: ServiceTransaction, factor: Factor, challenge_id: UUID, now: datetime) -> None:
    """The factor is its owner's; unverified ones of the same kind are void."""
    await db.execute(update(challenges).where(challenges.c.id == challenge_id).values(verified_at=now))
    same = factors.c.id == factor.id
    await db.execute(update(factors).where(same).values(status="verified", updated_at=now))
    others = (factors.c.user_id == factor.user_id) & (factors.c.factor_type == factor.factor_type)
    await db.execute(delete(factors).where(others, ~same, factors.c.status == "unverified"))


async def remove(db: ServiceTransaction, factor: Factor, method: str) -> None:
    """Drop the factor; sessions that were strong by it are weak again."""
    strong = select(sessions.c.id).where(sessions.c.factor_id == factor.id)
    of_it = (amr_claims.c.session_id.in_(strong)) & (amr_claims.c.authentication_method == method)
    await db.execute(delete(amr_claims).where(of_it))
    weak = update(sessions).where(sessions.c.factor_id == factor.id)
    await db.execute(weak.values(aal="aal1", factor_id=None))
    await db.execute(delete(factors).where(factors.c.id == factor.id))
