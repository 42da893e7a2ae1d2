"""`POST /signup`: a new account by email, or a visitor without one."""

from __future__ import annotations

from typing import Any

from api.auth import audit, pkce, users
from api.auth.accounts import EMAIL_PROVIDER, confirm_email, create_anonymous_user, create_email_user
from api.auth.addresses import normal_email
from api.auth.body import Body
from api.auth.call import Answer, Call
from api.auth.emails import SIGNUP, send_link
from api.auth.errors import AuthError, invalid
from api.auth.passwords import require_strong
from api.auth.sign_in import open_session
from api.auth.user import User
from api.auth.wire import render_time, sorted_map


async def signup(call: Call) -> Answer:
    """A session when addresses need no confirmation, else the user."""
    body = call.body("SignupParams")
    if not body.text("email") and not body.text("phone"):
        return await _anonymous(call, body)
    password = _require_password(call, body)
    challenge = _require_email_signup(call, body)
    email = normal_email(body.text("email"))
    data = body.mapping("data") or {}
    user = await users.find_by_email(call.db, email, call.audience)
    if user is not None and user.confirmed:
        return await _repeated(call, user, email, data)
    if user is None:
        user = await create_email_user(call, email, await call.services.passwords.hash(password), data)
    if call.settings.mailer_autoconfirm:
        return await open_session(call, await confirm_email(call, user), "password")
    await send_link(call, user, SIGNUP, challenge)
    await audit.record(call, "user_confirmation_requested", user, {"provider": "email"})
    return Answer(200, (await users.reload(call.db, user)).as_json())


def _require_password(call: Call, body: Body) -> str:
    if call.settings.disable_signup:
        raise AuthError(422, "signup_disabled", "Signups not allowed for this instance")
    password = body.text("password")
    if not password:
        raise invalid("Signup requires a valid password")
    require_strong(password, call.settings)
    return password


def _require_email_signup(call: Call, body: Body) -> pkce.Challenge | None:
    if body.text("email") and body.text("phone"):
        raise invalid("Only an email address or phone number should be provided on signup.")
    challenge = pkce.read_challenge(body)
    if body.text("phone"):
        raise AuthError(400, "phone_provider_disabled", "Phone signups are disabled")
    if not call.settings.external_email_enabled:
        raise AuthError(400, "email_provider_disabled", "Email signups are disabled")
    return challenge


async def _anonymous(call: Call, body: Body) -> Answer:
    if not call.settings.external_anonymous_users_enabled:
        raise AuthError(422, "anonymous_provider_disabled", "Anonymous sign-ins are disabled")
    if call.settings.disable_signup:
        raise AuthError(422, "signup_disabled", "Signups not allowed for this instance")
    user = await create_anonymous_user(call, body.mapping("data") or {})
    return await open_session(call, user, "anonymous", "anonymous")


async def _repeated(call: Call, user: User, email: str, data: dict[str, Any]) -> Answer:
    if call.settings.mailer_autoconfirm:
        raise AuthError(422, "user_already_exists", "User already registered")
    await audit.record(call, "user_repeated_signup", user, {"provider": "email"})
    return Answer(200, _disguised(call, email, data))


def _disguised(call: Call, email: str, data: dict[str, Any]) -> dict[str, Any]:
    """A user that does not exist: nobody learns that the address is taken, except by the missing identities."""
    now = render_time(call.now)
    return {
        "id": str(call.new_id()),
        "aud": call.audience,
        "role": "",
        "email": email,
        "phone": "",
        "confirmation_sent_at": now,
        "app_metadata": EMAIL_PROVIDER,
        "user_metadata": sorted_map(data),
        "identities": [],
        "created_at": now,
        "updated_at": now,
        "is_anonymous": False,
    }
