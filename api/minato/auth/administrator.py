"""The one configured address: who may open its account, and when the account becomes the administrator's.

A confirmed address is not enough, because somebody else may have chosen the password. The role is given in a session
that began with a mail to the address, once that session sets the password.
"""

from __future__ import annotations

from uuid import UUID

from sqlalchemy import text

from minato.auth import users
from minato.auth.call import Call
from minato.auth.errors import AuthError
from minato.auth.users import User

NOTE = text("select private.note_answered_mail(:session)")
CLAIM = text("select private.claim_admin_role(:session)")


def is_admin_address(call: Call, email: str | None) -> bool:
    """Whether this is the address that may become administrator."""
    configured = call.backend.settings.server.admin_email.strip().lower()
    return bool(configured) and (email or "").strip().lower() == configured


def may_claim(call: Call, user: User) -> bool:
    """Whether the account lacks nothing but a password set by way of its mail."""
    return is_admin_address(call, user.email) and user.app_metadata.get("role") != "admin"


async def require_open(call: Call, email: str) -> None:
    """Refuses whoever would open the administrator's account where its sign-up is closed."""
    if call.backend.settings.server.admin_signup_enabled or not is_admin_address(call, email):
        return
    user = await users.find_by_email(call.db, email, call.audience)
    if user is None or not user.is_confirmed:
        raise AuthError(422, "signup_disabled", "Signups not allowed for this instance")


async def note_answered_mail(call: Call, user: User, session_id: UUID) -> None:
    """Remember that this session began with a mail to the account's address."""
    if is_admin_address(call, user.email):
        await call.db.execute(NOTE, {"session": session_id})


async def claim_role(call: Call, user: User, session_id: UUID | None) -> User:
    """The account, which has a new password: administrator where its address and this session's beginning say so."""
    if not may_claim(call, user):
        return user
    await call.db.execute(CLAIM, {"session": session_id})
    return await users.find(call.db, user.id) or user
