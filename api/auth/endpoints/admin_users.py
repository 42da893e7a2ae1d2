"""`/admin/users`: the accounts, for administrators."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from api.auth import audit, one_time_tokens, sessions, users
from api.auth.accounts import confirm_email, create_email_user
from api.auth.addresses import normal_email
from api.auth.body import Body
from api.auth.call import Answer, Call
from api.auth.endpoints.user import merged
from api.auth.errors import AuthError, invalid, not_implemented
from api.auth.passwords import LONGEST_BYTES, require_strong
from api.auth.sign_in import uuid_or_none
from api.auth.user import User

DEFAULT_PAGE, DEFAULT_SIZE = 1, 50
RANDOM_PASSWORD_BYTES = 32


async def list_users(call: Call) -> Answer:
    """One page, newest first; the headers say how many there are and where to go on."""
    page, size = _number(call, "page", DEFAULT_PAGE), _number(call, "per_page", DEFAULT_SIZE)
    found, total = await users.find_page(call.db, call.audience, (page - 1) * size, size)
    last = max(1, -(-total // size))
    links = [f'<{_page_url(call, page + 1, size)}>; rel="next"'] if page < last else []
    links.append(f'<{_page_url(call, last, size)}>; rel="last"')
    headers = (("x-total-count", str(total)), ("link", ", ".join(links)))
    return Answer(200, {"users": [user.as_json() for user in found], "aud": call.audience}, headers)


async def get_user(call: Call) -> Answer:
    """One account."""
    return Answer(200, (await _require_user(call)).as_json())


async def create_user(call: Call) -> Answer:
    """A new account; no mail is sent."""
    body = call.body("AdminUserParams")
    if not body.text("email"):
        if body.text("phone"):
            raise not_implemented("Creating users by phone")
        raise invalid("Cannot create a user without either an email or phone")
    email = normal_email(body.text("email"))
    if await users.find_by_email(call.db, email, call.audience) is not None:
        raise AuthError(422, "email_exists", "A user with this email address has already been registered")
    user = await create_email_user(call, email, await _password_hash(call, body), body.mapping("user_metadata") or {})
    await _apply(call, user, body)
    if body.flag("email_confirm"):
        await confirm_email(call, await users.reload(call.db, user))
    return Answer(200, (await users.reload(call.db, user)).as_json())


async def update_user(call: Call) -> Answer:
    """Change an account directly; a new password ends all its sessions."""
    user = await _require_user(call)
    body = call.body("AdminUserParams")
    if body.text("phone"):
        raise not_implemented("Changing the phone number")
    password = body.text("password")
    if password:
        require_strong(password, call.settings)
        await users.change(call.db, user.id, encrypted_password=await call.services.passwords.hash(password))
        await sessions.end_all(call.db, user.id)
    if body.text("email"):
        await users.change(call.db, user.id, email=normal_email(body.text("email")))
    data = body.mapping("user_metadata")
    if data is not None:
        await users.change(call.db, user.id, raw_user_meta_data=merged(user.user_metadata, data))
    await _apply(call, user, body)
    if body.flag("email_confirm"):
        await confirm_email(call, await users.reload(call.db, user))
    await users.change(call.db, user.id, updated_at=call.now)
    return Answer(200, (await users.reload(call.db, user)).as_json())


async def delete_user(call: Call) -> Answer:
    """Remove an account with everything that is its own."""
    user = await _require_user(call)
    if call.body("adminUserDeleteParams", optional=True).flag("should_soft_delete"):
        raise not_implemented("Soft deletion")
    await audit.record(call, "user_deleted", user)
    await one_time_tokens.clear(call.db, user)
    await users.remove(call.db, user.id)
    return Answer(200, {})


async def _apply(call: Call, user: User, body: Body) -> None:
    values: dict[str, Any] = {}
    app_metadata = body.mapping("app_metadata")
    if app_metadata is not None:
        values["raw_app_meta_data"] = merged(user.app_metadata, app_metadata)
    if body.text("role"):
        values["role"] = body.text("role")
    if body.text("ban_duration"):
        raise not_implemented("Banning")
    if values:
        await users.change(call.db, user.id, **values)


async def _password_hash(call: Call, body: Body) -> str:
    password, given = body.text("password"), body.text("password_hash")
    if password and given:
        raise invalid("Only a password or a password hash should be provided")
    if len(password.encode()) > LONGEST_BYTES:
        raise invalid("bcrypt: password length exceeds 72 bytes")
    if given:
        return given
    return await call.services.passwords.hash(
        password or call.services.backend.entropy.bytes(RANDOM_PASSWORD_BYTES).hex()
    )


async def _require_user(call: Call) -> User:
    user_id: UUID | None = uuid_or_none(call.parameters["user_id"])
    if user_id is None:
        raise invalid("user_id must be an UUID", 404)
    user = await users.find_by_id(call.db, user_id)
    if user is None:
        raise AuthError(404, "user_not_found", "User not found")
    return user


def _number(call: Call, name: str, default: int) -> int:
    text = call.query.get(name)
    if text is None or text == "":
        return default
    if not text.isdecimal():
        detail = f'strconv.ParseUint: parsing "{text}": invalid syntax'
        raise invalid(f"Bad Pagination Parameters: {detail}")
    return max(1, min(int(text), 1000))


def _page_url(call: Call, page: int, size: int) -> str:
    others = {name: value for name, value in call.query.items() if name not in ("page", "per_page")}
    return "/admin/users?" + urlencode(sorted({**others, "page": str(page), "per_page": str(size)}.items()))
