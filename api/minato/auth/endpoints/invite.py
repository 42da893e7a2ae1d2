"""POST /invite: an account opened by an administrator, whose owner confirms it by mail."""

from __future__ import annotations

from dataclasses import dataclass

from minato.auth.accounts import pending_sign_ups
from minato.auth.accounts.registration import open_account
from minato.auth.messages import emails
from minato.auth.request.call import Answer, Call
from minato.auth.rows import users
from minato.auth.sessions.authentication import require_admin
from minato.auth.wire.errors import AuthError
from minato.auth.wire.validation import validate_email


@dataclass
class InviteParams:
    email: str = ""
    data: dict[str, object] | None = None


async def invite(call: Call) -> Answer:
    admin = await require_admin(call)
    params = call.params(InviteParams)
    email = validate_email(params.email)
    user = await users.find_by_email(call.db, email, call.audience)
    is_known, hashed = user is not None, await call.unguessable_password()
    if user is None:
        user = await open_account(call, "email", email, params.data or {}, None, by_admin=True)
    elif user.is_confirmed:
        raise AuthError(422, "email_exists", "A user with this email address has already been registered")
    traits = {"user_id": str(user.id), "user_email": email}
    await call.record_by(admin, "user_invited", **traits)
    user = await emails.send(call, user, emails.INVITE, invited_at=call.now)
    if is_known:
        await pending_sign_ups.keep(call, user, user.confirmation_token, hashed, params.data or {})
    return Answer(await call.user_json(user))
