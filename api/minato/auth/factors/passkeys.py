"""Passkeys and the ceremonies under way: queries on auth.webauthn_credentials and auth.webauthn_challenges."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import delete, func, insert, select, update
from sqlalchemy.dialects.postgresql import insert as upsert

from minato.auth.factors.webauthn import Credential
from minato.auth.rows.tables import Writer
from minato.auth.rows.tables import webauthn_challenges as challenges
from minato.auth.rows.tables import webauthn_credentials as credentials
from minato.database.wire.transaction import ServiceTransaction
from minato.json_text import JsonObject

REGISTRATION, AUTHENTICATION = "registration", "authentication"


@dataclass(frozen=True, slots=True)
class Passkey:
    """A row of auth.webauthn_credentials."""

    id: UUID
    user_id: UUID
    credential_id: bytes
    public_key: bytes
    attestation_type: str
    aaguid: UUID | None
    sign_count: int
    transports: list[str]
    backup_eligible: bool
    backed_up: bool
    friendly_name: str
    created_at: datetime
    updated_at: datetime
    last_used_at: datetime | None


@dataclass(frozen=True, slots=True)
class PasskeyChallenge:
    """A row of auth.webauthn_challenges: a ceremony under way."""

    id: UUID
    user_id: UUID | None
    challenge_type: str
    session_data: JsonObject
    created_at: datetime
    expires_at: datetime


async def of_user(db: ServiceTransaction, user_id: UUID) -> list[Passkey]:
    """The account's passkeys, oldest first."""
    statement = select(credentials).where(credentials.c.user_id == user_id).order_by(credentials.c.created_at)
    return [Passkey(**row) for row in (await db.execute(statement)).mappings()]


async def count(db: ServiceTransaction, user_id: UUID) -> int:
    statement = select(func.count()).select_from(credentials).where(credentials.c.user_id == user_id)
    return int((await db.execute(statement)).scalar_one())


async def find(db: ServiceTransaction, user_id: UUID, passkey_id: UUID) -> Passkey | None:
    """The account's passkey with this id."""
    statement = select(credentials).where(credentials.c.id == passkey_id, credentials.c.user_id == user_id)
    row = (await db.execute(statement)).mappings().one_or_none()
    return Passkey(**row) if row else None


async def find_claimed(db: ServiceTransaction, user_id: UUID, credential_id: bytes) -> Passkey | None:
    """The account's passkey that an authenticator names, locked until its use is noted."""
    same = (credentials.c.credential_id == credential_id) & (credentials.c.user_id == user_id)
    row = (await db.execute(select(credentials).where(same).with_for_update())).mappings().one_or_none()
    return Passkey(**row) if row else None


async def create(writer: Writer, user_id: UUID, credential: Credential, name: str) -> Passkey | None:
    """The new passkey; None where the credential is registered already, by whomever."""
    row = asdict(credential) | {"id": writer.new_id(), "user_id": user_id, "credential_id": credential.id}
    row |= {"friendly_name": name, "created_at": writer.now, "updated_at": writer.now}
    statement = upsert(credentials).values(**row).on_conflict_do_nothing(index_elements=["credential_id"])
    created = (await writer.db.execute(statement.returning(credentials))).mappings().one_or_none()
    return Passkey(**created) if created else None


async def change(db: ServiceTransaction, passkey_id: UUID, now: datetime, **values: object) -> Passkey:
    """The passkey with new values."""
    statement = update(credentials).where(credentials.c.id == passkey_id).values(**values, updated_at=now)
    return Passkey(**(await db.execute(statement.returning(credentials))).mappings().one())


async def remove(db: ServiceTransaction, passkey_id: UUID) -> None:
    await db.execute(delete(credentials).where(credentials.c.id == passkey_id))


async def remove_all(db: ServiceTransaction, user_id: UUID) -> None:
    await db.execute(delete(credentials).where(credentials.c.user_id == user_id))


async def ask(
    db: ServiceTransaction,
    challenge_id: UUID,
    kind: str,
    user_id: UUID | None,
    session: JsonObject,
    **moments: datetime,
) -> None:
    """Remember a ceremony; `moments` are `created_at` and `expires_at`."""
    row = {"id": challenge_id, "challenge_type": kind, "user_id": user_id, "session_data": session, **moments}
    await db.execute(insert(challenges).values(row))


async def consume(
    db: ServiceTransaction, challenge_id: UUID, kind: str, user_id: UUID | None
) -> PasskeyChallenge | None:
    """The ceremony, which nobody can finish a second time."""
    statement = delete(challenges).where(challenges.c.id == challenge_id, challenges.c.challenge_type == kind)
    if user_id is not None:
        statement = statement.where(challenges.c.user_id == user_id)
    row = (await db.execute(statement.returning(challenges))).mappings().one_or_none()
    return PasskeyChallenge(**row) if row else None


UNKNOWN = "Passkey"
NAMES = {
    UUID("ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4"): "Google Password Manager",
    UUID("fbfc3007-154e-4ecc-8c0b-6e020557d7bd"): "Apple Passwords",
    UUID("dd4ec289-e01d-41c9-bb89-70fa845d4bf2"): "iCloud Keychain (Managed)",
    UUID("08987058-cadc-4b81-b6e1-30de50dcbe96"): "Windows Hello",
    UUID("9ddd1817-af5a-4672-a2b9-3e3dd95000a9"): "Windows Hello",
    UUID("6028b017-b1d4-4c02-b4b3-afcdafc96bb2"): "Windows Hello",
    UUID("adce0002-35bc-c60a-648b-0b25f1f05503"): "Chrome on Mac",
    UUID("771b48fd-d3d4-4f74-9232-fc157ab0507a"): "Edge on Mac",
    UUID("53414d53-554e-4700-0000-000000000000"): "Samsung Pass",
    UUID("bada5566-a7aa-401f-bd96-45619a55120d"): "1Password",
    UUID("d548826e-79b4-db40-a3d8-11116f7e8349"): "Bitwarden",
    UUID("531126d6-e717-415c-9320-3d9aa6981239"): "Dashlane",
    UUID("b84e4048-15dc-4dd0-8640-f4f60813c8af"): "NordPass",
    UUID("50726f74-6f6e-5061-7373-50726f746f6e"): "Proton Pass",
    UUID("fdb141b2-5d84-443e-8a35-4698c205a502"): "KeePassXC",
}


def passkey_name(aaguid: UUID) -> str:
    """A name for a passkey of this authenticator.

    >>> passkey_name(UUID("d548826e-79b4-db40-a3d8-11116f7e8349")), passkey_name(UUID(int=0))
    ('Bitwarden', 'Passkey')
    """
    return NAMES.get(aaguid, UNKNOWN)
