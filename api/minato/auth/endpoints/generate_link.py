"""POST /admin/generate_link: the link and code of a mail, handed to the administrator instead of sent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from minato.auth import emails, pending_sign_ups, users
from minato.auth.audit_log import Actor
from minato.auth.authentication import require_admin
from minato.auth.call import Answer, Call
from minato.auth.emails import Kind
from minato.auth.errors import AuthError, database_error, invalid
from minato.auth.metadata import merged
from minato.auth.redirects import is_allowed
from minato.auth.registration import open_account
from minato.auth.users import User
from minato.auth.validation import LONGEST_PASSWORD, require_strong, validate_email

TAKEN = "A user with this email address has already been registered"
KINDS = {
    "signup": emails.CONFIRMATION,
    "invite": emails.INVITE,
    "magiclink": emails.MAGIC_LINK,
    "recovery": emails.RECOVERY,
    "email_change_current": emails.EMAIL_CHANGE,
    "email_change_new": emails.EMAIL_CHANGE,
}


@dataclass
class GenerateLinkParams:
    type: str = ""
    email: str = ""
    new_email: str = ""
    password: str = ""
    data: dict[str, Any] | None = None
    redirect_to: str = ""


async def generate_link(call: Call) -> Answer:
    admin = await require_admin(call)
    params = call.params(GenerateLinkParams)
    params.email = validate_email(params.email)
    if params.redirect_to and is_allowed(params.redirect_to, call.site_url, call.settings.allowed_redirects):
        call.redirect_to = params.redirect_to
    hashed_password = await _password(call, params)
    user, kind = await _account(call, params, hashed_password)
    column, address = await _destination(call, user, params, KINDS[kind])
    values: dict[str, Any] = {"invited_at": call.now} if kind == "invite" else {}
    if KINDS[kind] is emails.EMAIL_CHANGE:
        values |= {"email_change": params.new_email, "email_change_confirm_status": 0}
    await _record(call, admin, user, kind)
    with database_error("Database error updating user"):
        user, otp, hashed = await emails.issue(call, user, KINDS[kind], column, address, **values)
        if column == "confirmation_token" and user.id not in call.opened:
            await pending_sign_ups.keep(call, user, hashed, hashed_password, user.user_metadata)
    link = {
        "action_link": emails.verify_link(call, KINDS[kind], hashed),
        "email_otp": otp,
        "hashed_token": hashed,
        "verification_type": kind,
        "redirect_to": call.redirect_to,
    }
    return Answer({**await call.user_json(user), **link})


async def _password(call: Call, params: GenerateLinkParams) -> str:
    """The hash of the password that the link brings; of one nobody knows where none is given."""
    given = params.password and len(params.password.encode()) <= LONGEST_PASSWORD
    return await (call.hash_password(params.password) if given else call.unguessable_password())


async def _record(call: Call, admin: Actor, user: User, kind: str) -> None:
    if kind in ("magiclink", "recovery"):
        await call.record(user, "user_recovery_requested")
    elif kind == "invite":
        await call.record_by(admin, "user_invited", user_id=str(user.id), user_email=user.email or "")


async def _account(call: Call, params: GenerateLinkParams, hashed: str) -> tuple[User, str]:
    """Whose link it is, opened where the kind of link opens accounts, and the kind it comes to."""
    if params.type not in KINDS:
        raise invalid(f"Invalid email action link type requested: {params.type}")
    user = await users.find_by_email(call.db, params.email, call.audience)
    if user is not None:
        if params.type in ("signup", "invite") and user.is_confirmed:
            raise AuthError(422, "email_exists", TAKEN)
        if params.type == "signup":
            _require_password(call, params)
            metadata = merged(user.user_metadata, params.data or {})
            user = await users.change(call.db, user, call.now, raw_user_meta_data=metadata)
        return user, params.type
    if params.type not in ("signup", "invite", "magiclink"):
        raise AuthError(404, "user_not_found", "User with this email not found")
    if params.type == "signup":
        _require_password(call, params)
    given = None if params.type == "invite" else hashed
    opened = await open_account(call, "email", params.email, params.data or {}, given, by_admin=True)
    return opened, "invite" if params.type == "invite" else "signup"


def _require_password(call: Call, params: GenerateLinkParams) -> None:
    if not params.password:
        raise invalid("Signup requires a valid password")
    require_strong(params.password, call.settings)


async def _destination(call: Call, user: User, params: GenerateLinkParams, kind: Kind) -> tuple[str, str]:
    """The column the token is kept in and the address it is made for."""
    if kind is not emails.EMAIL_CHANGE:
        return kind.column, params.email
    if params.type == "email_change_current" and not call.settings.mailer_secure_email_change_enabled:
        raise invalid("Enable secure email change to generate link for current email")
    params.new_email = validate_email(params.new_email)
    if await users.find_duplicate(call.db, params.new_email, call.audience, beside=user.id) is not None:
        raise AuthError(422, "email_exists", TAKEN)
    if params.type == "email_change_current":
        return "email_change_token_current", params.email
    return "email_change_token_new", params.new_email
