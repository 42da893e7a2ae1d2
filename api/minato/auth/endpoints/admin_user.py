"""GET, PUT and DELETE /admin/users/{id}: one account, for an administrator."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from minato.auth import deletion, identities, one_time_tokens, sessions, users
from minato.auth.authentication import require_admin
from minato.auth.ban import banned_until
from minato.auth.call import Answer, Call
from minato.auth.endpoints.admin_users import AdminUserParams
from minato.auth.errors import AuthError, database_error, invalid
from minato.auth.metadata import merged
from minato.auth.registration import confirm_email, confirm_phone
from minato.auth.users import NOTHING_PENDING, User
from minato.auth.validation import require_strong, validate_email, validate_phone


@dataclass
class adminUserDeleteParams:  # Go's name for it, which a refusal shows
    should_soft_delete: bool = False


async def get_user_as_admin(call: Call) -> Answer:
    await require_admin(call)
    return Answer(await call.user_json(await require_target(call)))


async def put_user_as_admin(call: Call) -> Answer:
    admin = await require_admin(call)
    user = await require_target(call)
    params = call.params(AdminUserParams)
    values = await _checked(call, params)
    with database_error("Error updating user"):
        user = await _change_addresses(call, user, params)
        if params.password is not None:
            # What its former holder left behind must not lead back: sessions, mails that are out, pending changes.
            await sessions.end_all(call.db, user.id)
            await one_time_tokens.forget(call.db, user.id)
            values |= NOTHING_PENDING
        values["raw_app_meta_data"] = merged(user.app_metadata, params.app_metadata or {})
        values["raw_user_meta_data"] = merged(user.user_metadata, params.user_metadata or {})
        user = await users.change(call.db, user, call.now, **values)
    await call.record_by(admin, "user_modified", **_traits(user))
    return Answer(await call.user_json(user))


async def delete_user(call: Call) -> Answer:
    admin = await require_admin(call)
    user = await require_target(call)
    params = call.params(adminUserDeleteParams) if call.body.strip() else adminUserDeleteParams()
    await call.record_by(admin, "user_deleted", **_traits(user))
    with database_error("Database error deleting user"):
        if params.should_soft_delete:
            await deletion.soften(call.db, user, call.now)
        else:
            await deletion.delete(call.db, user)
    return Answer({})


async def require_target(call: Call) -> User:
    """The account that the path names."""
    try:
        user_id = UUID(call.request.path_params["id"])
    except ValueError as error:
        raise invalid("user_id must be an UUID", 404) from error
    user = await users.find(call.db, user_id)
    if user is None:
        raise AuthError(404, "user_not_found", "User not found")
    return user


async def _checked(call: Call, params: AdminUserParams) -> dict[str, Any]:
    """The columns that are given outright; refuses what breaks a rule."""
    if params.email:
        params.email = validate_email(params.email)
    if params.phone:
        params.phone = validate_phone(params.phone)
    values: dict[str, Any] = {"role": params.role} if params.role else {}
    if params.ban_duration:
        values["banned_until"] = banned_until(call.now, params.ban_duration)
    if params.password is not None:
        require_strong(params.password, call.settings)
        values["encrypted_password"] = await call.hash_password(params.password)
    return values


async def _change_addresses(call: Call, user: User, params: AdminUserParams) -> User:
    if params.email_confirm:
        user = await confirm_email(call, user)
    if params.phone_confirm:
        user = await confirm_phone(call, user)
    given = {"email": (params.email, params.email_confirm), "phone": (params.phone, params.phone_confirm)}
    for provider, (address, verified) in given.items():
        if address:
            data = {provider: address, f"{provider}_verified": verified}
            await _set_identity(call, user, provider, data)
            user = await users.change(call.db, user, call.now, **{provider: address})
    if params.email or params.phone:
        user = await identities.recompute_providers(call.db, user, call.now)
    return user


async def _set_identity(call: Call, user: User, provider: str, data: dict[str, Any]) -> None:
    if not await identities.merge_data(call.db, user.id, provider, data, call.now):
        complete = {"sub": str(user.id), "email_verified": False, "phone_verified": False, **data}
        await identities.create(call.db, call.backend.entropy.uuid4(), user.id, provider, complete, call.now)


def _traits(user: User) -> dict[str, str]:
    return {"user_id": str(user.id), "user_email": user.email or "", "user_phone": user.phone or ""}
