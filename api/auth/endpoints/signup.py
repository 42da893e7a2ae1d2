"""POST /signup: an account by email or phone, or an anonymous one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from api.auth import emails, users
from api.auth.call import Answer, Call
from api.auth.emails import Challenge
from api.auth.errors import AuthError, database_error, invalid, not_implemented
from api.auth.registration import confirm_email, open_account
from api.auth.sign_in import answer_session
from api.auth.user_json import user_json
from api.auth.users import User
from api.auth.validation import require_strong, validate_email, validate_phone, validate_pkce

_CHANNEL = (
    "Invalid channel, supported values are 'sms' or 'whatsapp'. "
    "'whatsapp' is only supported if Twilio or Twilio Verify is used as the provider."
)


@dataclass
class SignupParams:
    email: str = ""
    phone: str = ""
    password: str = ""
    data: dict[str, Any] | None = None
    channel: str = ""
    code_challenge: str = ""
    code_challenge_method: str = ""

    @property
    def metadata(self) -> dict[str, Any]:
        return self.data or {}


async def signup(call: Call) -> Answer:
    params = call.params(SignupParams)
    if not params.email and not params.phone:
        return await _sign_up_anonymously(call, params)
    _require_open(call)
    if not params.password:
        raise invalid("Signup requires a valid password")
    require_strong(params.password, call.settings)
    if params.email and params.phone:
        raise invalid("Only an email address or phone number should be provided on signup.")
    if params.phone:
        return _sign_up_by_phone(call, params)
    validate_pkce(params.code_challenge, params.code_challenge_method)
    if not call.settings.external_email_enabled:
        raise AuthError(400, "email_provider_disabled", "Email signups are disabled")
    return await _sign_up_by_email(call, replace(params, email=validate_email(params.email)))


def _require_open(call: Call) -> None:
    if call.settings.disable_signup:
        raise AuthError(422, "signup_disabled", "Signups not allowed for this instance")


async def _sign_up_anonymously(call: Call, params: SignupParams) -> Answer:
    if not call.settings.external_anonymous_users_enabled:
        raise AuthError(422, "anonymous_provider_disabled", "Anonymous sign-ins are disabled")
    _require_open(call)
    with database_error("Database error creating anonymous user"):
        user = await users.create(
            call.db,
            call.backend.entropy.uuid4(),
            call.now,
            aud=call.audience,
            encrypted_password="",
            raw_app_meta_data={},
            raw_user_meta_data=params.metadata,
            is_sso_user=False,
            is_anonymous=True,
        )
        user = await users.change(call.db, user, call.now, role=call.settings.jwt_default_group_name)
    return await answer_session(call, user, "anonymous")


def _sign_up_by_phone(call: Call, params: SignupParams) -> Answer:
    if params.channel not in ("", "sms"):
        raise invalid(_CHANNEL)
    if params.code_challenge:
        raise invalid("PKCE not supported for phone signups")
    if not call.settings.external_phone_enabled:
        raise AuthError(400, "phone_provider_disabled", "Phone signups are disabled")
    validate_phone(params.phone)
    raise not_implemented("Signup by phone")


async def _sign_up_by_email(call: Call, params: SignupParams) -> Answer:
    existing = await users.find_duplicate(call.db, params.email, call.audience)
    if existing is not None and existing.is_confirmed:
        return await _refuse_quietly(call, existing, params)
    user = existing
    if user is None:
        hashed = await call.passwords.hash(params.password)
        user = await open_account(call, "email", params.email, params.metadata, hashed)
    if call.settings.mailer_autoconfirm:
        await call.record(user, "user_signedup", provider="email")
        await call.record(user, "login", provider="email")
        return await answer_session(call, await confirm_email(call, user), "password")
    await call.record(user, "user_confirmation_requested", provider="email")
    challenge = Challenge(params.code_challenge, params.code_challenge_method)
    user = await emails.send(call, user, emails.CONFIRMATION, challenge)
    if user.invited_at is not None:
        return Answer(user_json(replace(user, raw_user_meta_data={}), []))
    return Answer(await call.user_json(user))


async def _refuse_quietly(call: Call, existing: User, params: SignupParams) -> Answer:
    """Answer as for a new account, so that nobody learns who has one; clients notice the empty identities."""
    await call.record(existing, "user_repeated_signup", provider="email")
    if call.settings.mailer_autoconfirm or call.settings.sms_autoconfirm:
        raise AuthError(422, "user_already_exists", "User already registered")
    obfuscated = replace(
        existing,
        id=call.backend.entropy.uuid4(),
        role="",
        email=params.email,
        phone="",
        created_at=call.now,
        updated_at=call.now,
        confirmation_sent_at=call.now,
        last_sign_in_at=None,
        confirmed_at=None,
        email_confirmed_at=None,
        phone_confirmed_at=None,
        email_change="",
        email_change_sent_at=None,
        phone_change="",
        phone_change_sent_at=None,
        raw_user_meta_data=params.metadata,
        raw_app_meta_data={"provider": "email", "providers": ["email"]},
    )
    return Answer(user_json(obfuscated, []))
