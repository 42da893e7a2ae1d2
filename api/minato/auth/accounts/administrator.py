"""The one configured address: who may open its account, and when the account becomes the administrator's.

A confirmed address is not enough, because somebody else may have chosen the password. The role is given in a session
that began with a mail to the address, once that session sets the password.
"""

from __future__ import annotations

from uuid import UUID

from sqlalchemy import text

from minato.auth.request.context import ReadTransaction, RequestContext, Transaction
from minato.auth.request.data import RequestData
from minato.auth.rows import users
from minato.auth.rows.users import User
from minato.auth.wire.errors import AuthError

NOTE = text("select minato.note_answered_mail(:session)")
CLAIM = text("select minato.claim_admin_role(:session)")


def is_admin_address(data: RequestData, email: str | None) -> bool:
    """Whether this is the address that may become administrator."""
    configured = data.backend.settings.server.admin_email.strip().lower()
    return bool(configured) and (email or "").strip().lower() == configured


def may_claim(data: RequestData, user: User) -> bool:
    """Whether the account lacks nothing but a password set by way of its mail."""
    return is_admin_address(data, user.email) and user.app_metadata.get("role") != "admin"


async def require_open_sign_up(context: RequestContext, email: str) -> None:
    """`require_open`, with a connection only where the address is the administrator's."""
    if _is_closed(context, email):
        async with context.read() as tx:
            await require_open(tx, email)


async def require_open(tx: ReadTransaction, email: str) -> None:
    """Refuses whoever would open the administrator's account where its sign-up is closed."""
    if not _is_closed(tx, email):
        return
    user = await users.find_by_email(tx.db, email, tx.audience)
    if user is None or not user.is_confirmed:
        raise AuthError(422, "signup_disabled", "Signups not allowed for this instance")


def _is_closed(data: RequestData, email: str) -> bool:
    return not data.backend.settings.server.admin_signup_enabled and is_admin_address(data, email)


async def note_answered_mail(tx: Transaction, user: User, session_id: UUID) -> None:
    """Remember that this session began with a mail to the account's address."""
    if is_admin_address(tx, user.email):
        tx.db.write(NOTE, {"session": session_id})


async def claim_role(tx: Transaction, user: User, session_id: UUID | None) -> User:
    """The account, which has a new password: administrator where its address and this session's beginning say so."""
    if not may_claim(tx, user):
        return user
    await tx.db.execute(CLAIM, {"session": session_id})
    return await users.find(tx.db, user.id) or user
