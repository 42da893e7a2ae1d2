"""Deleting accounts: for good, or softly, so that the row stays for those who refer to it and tells nothing.

And dropping what was begun for an account, which a new password does, too.
"""

from __future__ import annotations

import base64
import hashlib
from uuid import UUID

from sqlalchemy import delete as delete_from
from sqlalchemy import text, update

from minato.auth.accounts import pending_sign_ups
from minato.auth.factors import passkeys
from minato.auth.request.context import Transaction
from minato.auth.rows import flow_states, identities, one_time_tokens, sessions, users
from minato.auth.rows.tables import factors
from minato.auth.rows.tables import identities as identity_table
from minato.auth.rows.tables import users as user_table
from minato.auth.rows.users import NO_TOKENS, User
from minato.auth.wire.errors import LostRace
from minato.database.wire.transaction import ServiceTransaction

LONGEST_PHONE = 15
# What the user looked at or approved and no client has traded yet: the OAuth server's, which lies above this room.
FORGET_AUTHORIZATIONS = text("delete from auth.oauth_authorizations where user_id = :user")


async def forget_under_way(tx: Transaction, user_id: UUID) -> None:
    """Drop mails and messages that are out, sign-ups that wait, codes that were handed over, ways to a provider.

    Before sessions are ended: who is using one up at the moment is waited for, and their session is there by then.
    """
    one_time_tokens.forget(tx.db, user_id)
    await pending_sign_ups.forget(tx, user_id)
    flow_states.forget(tx.db, user_id)
    tx.db.write(FORGET_AUTHORIZATIONS, {"user": user_id})


async def delete(db: ServiceTransaction, user: User) -> None:
    """Everything that belongs to the account goes with it. Raises LostRace where somebody else has deleted it."""
    gone = await db.execute(delete_from(user_table).where(user_table.c.id == user.id))
    if not gone.rowcount:
        raise LostRace


async def soft_delete(tx: Transaction, user: User) -> None:
    """Hash what identifies the person, drop the rest; the address is free again. Once: a hash is not hashed."""
    if user.deleted_at is not None:
        return
    db, now = tx.db, tx.now
    await forget_under_way(tx, user.id)
    users.hold(db, user)
    await sessions.end_all(db, user.id)
    await db.execute(delete_from(factors).where(factors.c.user_id == user.id))
    await passkeys.remove_all(db, user.id)
    for identity in await identities.of_user(db, user.id):
        provider_id = _obscured(user.id, f"{identity.provider}:{identity.provider_id}")
        statement = update(identity_table).where(identity_table.c.id == identity.id)
        await db.execute(statement.values(provider_id=provider_id, identity_data={}, updated_at=now))
    await users.change(
        db,
        user,
        now,
        email=_obscured(user.id, user.email),
        phone=(_obscured(user.id, user.phone) or "")[:LONGEST_PHONE] or None,
        email_change=_obscured(user.id, user.email_change) or "",
        phone_change=(_obscured(user.id, user.phone_change) or "")[:LONGEST_PHONE],
        encrypted_password="",
        raw_app_meta_data={},
        raw_user_meta_data={},
        deleted_at=now,
        **NO_TOKENS,
    )


def _obscured(user_id: UUID, value: str | None) -> str | None:
    """URL-safe base64 of the SHA-256 of account and value; nothing stays nothing."""
    if not value:
        return None
    digest = hashlib.sha256(f"{user_id}{value}".encode()).digest()
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
