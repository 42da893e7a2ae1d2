"""`GET /user` and `PUT /user`: who I am, and changing that."""

from __future__ import annotations

import hmac
from datetime import timedelta
from typing import Any

from api.auth import audit, one_time_tokens, pkce, sessions, users
from api.auth.accounts import change_email
from api.auth.addresses import normal_email
from api.auth.body import Body
from api.auth.call import Answer, Call
from api.auth.emails import send_email_change
from api.auth.errors import AuthError, invalid, not_implemented
from api.auth.one_time_tokens import token_hash
from api.auth.passwords import require_strong
from api.auth.user import User

RECENT = timedelta(hours=24)
RECOVERY_METHODS = frozenset({"otp", "magiclink", "recovery"})


async def get_user(call: Call) -> Answer:
    """The user the token speaks for."""
    if call.claims.get("aud") != call.audience:
        raise invalid("Token audience doesn't match request audience")
    return Answer(200, call.user.as_json())


async def update_user(call: Call) -> Answer:
    """Change password, metadata or address; the address changes when it is confirmed."""
    body = call.body("UserUpdateParams")
    email = normal_email(body.text("email")) if body.text("email") else ""
    password = body.optional_text("password")
    if password is not None:
        require_strong(password, call.settings)
    challenge = pkce.read_challenge(body)
    await _require_allowed(call, body, email, password)
    if password is not None:
        await _change_password(call, body, password)
    data = body.mapping("data")
    if data is not None:
        await users.change(call.db, call.user.id, raw_user_meta_data=merged(call.user.user_metadata, data))
    if email and email != call.user.email:
        await _change_email(call, email, challenge)
    await users.change(call.db, call.user.id, updated_at=call.now)
    await audit.record(call, "user_modified", call.user)
    return Answer(200, (await users.reload(call.db, call.user)).as_json())


def merged(metadata: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    """`metadata` with `changes`; a null deletes its key.

    >>> merged({"a": 1, "b": 2}, {"b": None, "c": 3})
    {'a': 1, 'c': 3}
    """
    return {key: value for key, value in {**metadata, **changes}.items() if value is not None}


async def _require_allowed(call: Call, body: Body, email: str, password: str | None) -> None:
    user = call.user
    if body.mapping("app_metadata") is not None and user.role != "admin":
        raise AuthError(403, "not_admin", "Updating app_metadata requires admin privileges")
    if body.text("phone"):
        raise not_implemented("Changing the phone number")
    if user.is_anonymous and password is not None and not email:
        detail = "Updating password of an anonymous user without an email or phone is not allowed"
        raise invalid(detail, 422)
    if user.is_sso_user and (email or password is not None or body.text("nonce")):
        detail = "Updating email, phone, password of a SSO account only possible via SSO"
        raise AuthError(422, "user_sso_managed", detail)
    if email and email != user.email and await users.find_by_email(call.db, email, call.audience) is not None:
        raise AuthError(422, "email_exists", "A user with this email address has already been registered")


async def _change_password(call: Call, body: Body, password: str) -> None:
    await _require_reauthentication(call, body)
    await _require_current_password(call, body)
    passwords = call.services.passwords
    if call.user.encrypted_password and await passwords.verify(password, call.user.encrypted_password):
        raise AuthError(422, "same_password", "New password should be different from the old password.")
    await users.change(call.db, call.user.id, encrypted_password=await passwords.hash(password))
    await one_time_tokens.clear(call.db, call.user)
    await sessions.end_all(call.db, call.user.id, but=call.session_id)


async def _require_reauthentication(call: Call, body: Body) -> None:
    if not call.settings.security_update_password_require_reauthentication:
        return
    session = await sessions.find(call.db, call.session_id) if call.session_id else None
    if session is not None and call.now < session.created_at + RECENT:
        return
    nonce = body.text("nonce")
    if not nonce:
        raise AuthError(400, "reauthentication_needed", "Password update requires reauthentication")
    if not _nonce_fits(call, call.user, nonce):
        raise AuthError(422, "reauthentication_not_valid", "Nonce has expired or is invalid")
    await one_time_tokens.clear_kind(call.db, call.user, "reauthentication_token")


def _nonce_fits(call: Call, user: User, nonce: str) -> bool:
    sent = user.times["reauthentication_sent_at"]
    if sent is None or call.now > sent + timedelta(seconds=call.settings.mailer_otp_exp):
        return False
    return hmac.compare_digest(token_hash(user.email or user.phone or "", nonce), user.reauthentication_token)


async def _require_current_password(call: Call, body: Body) -> None:
    if not call.settings.security_update_password_require_current_password or not call.user.encrypted_password:
        return
    session = await sessions.find(call.db, call.session_id) if call.session_id else None
    if session is not None and RECOVERY_METHODS.intersection(method for method, _ in session.methods):
        return
    detail = "Current password required when setting new password."
    current = body.text("current_password")
    if not current:
        raise AuthError(400, "current_password_required", detail)
    if not await call.services.passwords.verify(current, call.user.encrypted_password):
        raise AuthError(400, "current_password_invalid", detail)


async def _change_email(call: Call, email: str, challenge: pkce.Challenge | None) -> None:
    if call.user.is_anonymous and call.settings.mailer_autoconfirm:
        await change_email(call, call.user, email)
        return
    await send_email_change(call, call.user, email, challenge)
