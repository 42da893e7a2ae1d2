"""/admin/users: the accounts, for administrators."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from api.auth import sessions, users
from api.auth.authentication import require_admin
from api.auth.call import Answer, Call
from api.auth.errors import AuthError, invalid, not_implemented
from api.auth.registration import confirm_email, open_account
from api.auth.user_json import user_json
from api.auth.users import User
from api.auth.validation import LONGEST_PASSWORD, require_strong, validate_email

PAGE_SIZE = 50
RANDOM_PASSWORD_LENGTH = 64


@dataclass
class AdminUserParams:
    email: str = ""
    phone: str = ""
    password: str = ""
    password_hash: str = ""
    email_confirm: bool = False
    user_metadata: dict[str, Any] | None = None
    app_metadata: dict[str, Any] | None = None
    role: str = ""
    ban_duration: str = ""


@dataclass
class AdminUserDeleteParams:
    should_soft_delete: bool = False


async def list_users(call: Call) -> Answer:
    """One page, newest first; the headers say how many there are and where to go on."""
    require_admin(call)
    page, size = _number(call, "page", 1), _number(call, "per_page", PAGE_SIZE)
    found, total = await users.page(call.db, call.audience, (page - 1) * size, size)
    last = max(1, -(-total // size))
    links = [f'<{_page_url(call, page + 1, size)}>; rel="next"'] if page < last else []
    links.append(f'<{_page_url(call, last, size)}>; rel="last"')
    body = {"users": [user_json(user, None) for user in found], "aud": call.audience}
    return Answer(body, headers={"x-total-count": str(total), "link": ", ".join(links)})


async def get_user(call: Call) -> Answer:
    require_admin(call)
    return Answer(await call.user_json(await _require_user(call)))


async def create_user(call: Call) -> Answer:
    """A new account; no mail is sent."""
    require_admin(call)
    params = call.params(AdminUserParams)
    if not params.email and not params.phone:
        raise invalid("Cannot create a user without either an email or phone")
    _require_implemented(params)
    email = validate_email(params.email)
    if await users.find_by_email(call.db, email, call.audience) is not None:
        raise AuthError(422, "email_exists", "A user with this email address has already been registered")
    hashed = await _password_hash(call, params)
    user = await open_account(call, "email", email, params.user_metadata or {}, hashed)
    return Answer(await call.user_json(await _apply(call, user, params)))


async def update_user(call: Call) -> Answer:
    """Change an account directly; a new password ends all its sessions."""
    require_admin(call)
    user = await _require_user(call)
    params = call.params(AdminUserParams)
    _require_implemented(params)
    if params.password:
        require_strong(params.password, call.settings)
        hashed = await call.passwords.hash(params.password)
        user = await users.change(call.db, user, call.now, encrypted_password=hashed)
        await sessions.end_all(call.db, user.id)
    if params.email:
        user = await users.change(call.db, user, call.now, email=validate_email(params.email))
    if params.user_metadata is not None:
        merged = _merged(user.user_metadata, params.user_metadata)
        user = await users.change(call.db, user, call.now, raw_user_meta_data=merged)
    return Answer(await call.user_json(await _apply(call, user, params)))


async def delete_user(call: Call) -> Answer:
    """Remove an account with everything that is its own."""
    require_admin(call)
    user = await _require_user(call)
    if call.body.strip() and call.params(AdminUserDeleteParams).should_soft_delete:
        raise not_implemented("Soft deletion")
    await call.record(user, "user_deleted")
    await users.remove(call.db, user)
    return Answer({})


async def _apply(call: Call, user: User, params: AdminUserParams) -> User:
    values: dict[str, Any] = {}
    if params.app_metadata is not None:
        values["raw_app_meta_data"] = _merged(user.app_metadata, params.app_metadata)
    if params.role:
        values["role"] = params.role
    if values:
        user = await users.change(call.db, user, call.now, **values)
    return await confirm_email(call, user) if params.email_confirm else user


def _require_implemented(params: AdminUserParams) -> None:
    if params.phone:
        raise not_implemented("Administration of phone numbers")
    if params.ban_duration:
        raise not_implemented("Banning")


async def _password_hash(call: Call, params: AdminUserParams) -> str:
    if params.password and params.password_hash:
        raise invalid("Only a password or a password hash should be provided")
    if len(params.password.encode()) > LONGEST_PASSWORD:
        raise invalid("bcrypt: password length exceeds 72 bytes")
    if params.password_hash:
        return params.password_hash
    return await call.passwords.hash(params.password or call.backend.entropy.base32(RANDOM_PASSWORD_LENGTH))


async def _require_user(call: Call) -> User:
    try:
        user_id = UUID(call.request.path_params["id"])
    except ValueError:
        raise invalid("user_id must be an UUID", 404) from None
    user = await users.find(call.db, user_id)
    if user is None:
        raise AuthError(404, "user_not_found", "User not found")
    return user


def _merged(metadata: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    """A null deletes its key."""
    return {key: value for key, value in {**metadata, **changes}.items() if value is not None}


def _number(call: Call, name: str, default: int) -> int:
    text = call.query.get(name, "")
    if not text:
        return default
    if not (text.isascii() and text.isdigit()):
        raise invalid(f'Bad Pagination Parameters: strconv.ParseUint: parsing "{text}": invalid syntax')
    return max(1, min(int(text), 1000))


def _page_url(call: Call, page: int, size: int) -> str:
    shown = {**call.query, "page": str(page), "per_page": str(size)}
    return "/admin/users?" + urlencode(sorted(shown.items()))
