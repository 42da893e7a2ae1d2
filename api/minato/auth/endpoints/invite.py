"""POST /invite: an account opened by an administrator, whose owner confirms it by mail."""

from __future__ import annotations

from dataclasses import dataclass

from minato.auth.accounts import pending_sign_ups
from minato.auth.accounts.registration import NewAccount, new_account, open_account, open_or_reread
from minato.auth.messages import emails
from minato.auth.request.context import RequestContext
from minato.auth.request.response import Response
from minato.auth.rows import users
from minato.auth.sessions.authentication import require_admin
from minato.auth.wire.errors import AuthError
from minato.auth.wire.validation import validate_email


@dataclass
class InviteParams:
    email: str = ""
    data: dict[str, object] | None = None


async def invite(context: RequestContext) -> Response:
    async with context.read() as reading:
        admin = await require_admin(reading)
        params = reading.params(InviteParams)
        email = validate_email(params.email)
        user = await users.find_by_email(reading.db, email, reading.audience)
    hashed, data = await context.unguessable_password(), params.data or {}
    if user is not None and user.is_confirmed:
        raise AuthError(422, "email_exists", "A user with this email address has already been registered")
    account = user or await new_account(context, "email", email, data, by_admin=True)
    async with context.transaction() as tx:
        if isinstance(account, NewAccount):
            user = await open_account(tx, account, None, by_admin=True)
        else:
            user = await open_or_reread(tx, account, hashed)
        await tx.record_by(admin, "user_invited", user_id=str(user.id), user_email=email)
        user = await emails.send(tx, user, emails.INVITE, invited_at=tx.now)
        if user.id not in tx.opened:
            await pending_sign_ups.keep(tx, user, user.confirmation_token, hashed, data)
        return Response(await tx.user_json(user))
