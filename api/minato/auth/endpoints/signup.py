"""POST /signup: an account by email or phone, or an anonymous one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from minato.auth.accounts import pending_sign_ups
from minato.auth.accounts.administrator import require_open
from minato.auth.accounts.discretion import is_discreet, refuse_quietly
from minato.auth.accounts.phone_signup import find_by_phone, open_by_phone, require_phone_signups
from minato.auth.accounts.registration import confirm_email, identity_data, open_account, taken_over
from minato.auth.hooks.points import announce_user, tell_user_created
from minato.auth.messages import emails
from minato.auth.messages.emails import Challenge
from minato.auth.messages.limits import TOO_MANY_MAILS, refuse_too_soon
from minato.auth.messages.text_messages import require_channel
from minato.auth.request.call import Answer, Call
from minato.auth.rows import users
from minato.auth.rows.users import User
from minato.auth.sessions.sign_in import answer_session
from minato.auth.wire.errors import AuthError, database_error, invalid
from minato.auth.wire.json_format import sorted_map
from minato.auth.wire.user_json import user_json
from minato.auth.wire.validation import require_strong, validate_email, validate_phone, validate_pkce


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
        return await _sign_up_by_phone(call, params)
    validate_pkce(params.code_challenge, params.code_challenge_method)
    if not call.settings.external_email_enabled:
        raise AuthError(400, "email_provider_disabled", "Email signups are disabled")
    email = validate_email(params.email)
    await require_open(call, email)
    return await _sign_up_by_email(call, replace(params, email=email))


def _require_open(call: Call) -> None:
    if call.settings.disable_signup:
        raise AuthError(422, "signup_disabled", "Signups not allowed for this instance")


async def _sign_up_anonymously(call: Call, params: SignupParams) -> Answer:
    if not call.settings.external_anonymous_users_enabled:
        raise AuthError(422, "anonymous_provider_disabled", "Anonymous sign-ins are disabled")
    _require_open(call)
    user_id = call.backend.entropy.uuid4()
    columns: dict[str, Any] = {"aud": call.audience, "raw_app_meta_data": {}, "raw_user_meta_data": params.metadata}
    columns |= {"is_sso_user": False, "is_anonymous": True}
    await announce_user(call, user_id, columns)
    with database_error("Database error creating anonymous user"):
        user = await users.create(call.db, user_id, call.now, encrypted_password="", **columns)
        user = await users.change(call.db, user, call.now, role=call.settings.jwt_default_group_name)
    await tell_user_created(call, user)
    return await answer_session(call, user, "anonymous")


async def _sign_up_by_phone(call: Call, params: SignupParams) -> Answer:
    channel = require_channel(call, params.channel)
    if params.code_challenge:
        raise invalid("PKCE not supported for phone signups")
    require_phone_signups(call)
    phone = validate_phone(params.phone)
    # Whether or not there is an account: the time it takes must not tell.
    hashed = await call.hash_password(params.password)
    existing = await find_by_phone(call, phone)
    if existing is not None and existing.phone_confirmed_at is not None:
        return await refuse_quietly(call, existing, "phone", phone, params.metadata)
    user = await open_by_phone(call, existing, phone, hashed, params.metadata, channel)
    if user.phone_confirmed_at is None:
        return Answer(await as_signed_up(call, user, "phone", params.metadata))
    await call.record(user, "login", provider="phone")
    return await answer_session(call, user, "password")


async def _sign_up_by_email(call: Call, params: SignupParams) -> Answer:
    # Whether or not there is an account: the time it takes must not tell.
    hashed = await call.hash_password(params.password)
    existing = await users.find_duplicate(call.db, params.email, call.audience)
    if existing is not None and existing.is_confirmed:
        return await refuse_quietly(call, existing, "email", params.email, params.metadata)
    user = existing
    if user is None:
        user = await open_account(call, "email", params.email, params.metadata, hashed)
    if call.settings.mailer_autoconfirm:
        await call.record(user, "user_signedup", provider="email")
        await call.record(user, "login", provider="email")
        user, values = await taken_over(call, user, "email", hashed, params.metadata)
        return await answer_session(call, await confirm_email(call, user, **values), "password")
    await call.record(user, "user_confirmation_requested", provider="email")
    challenge = Challenge(params.code_challenge, params.code_challenge_method, "email")
    if is_discreet(call) and _is_too_soon(call, user):
        return Answer(await as_signed_up(call, user, "email", params.metadata))
    user = await emails.send(call, user, emails.CONFIRMATION, challenge)
    await pending_sign_ups.keep(call, user, user.confirmation_token, hashed, params.metadata)
    if user.invited_at is not None:
        return Answer(user_json(replace(user, raw_user_meta_data={}), []))
    return Answer(await as_signed_up(call, user, "email", params.metadata))


def _is_too_soon(call: Call, user: User) -> bool:
    """Whether the next mail would be refused, which only an account that is there already can be."""
    try:
        refuse_too_soon(call, user.confirmation_sent_at, call.settings.smtp_max_frequency, TOO_MANY_MAILS)
    except AuthError:
        return True
    return False


async def as_signed_up(call: Call, user: User, provider: str, metadata: dict[str, Any]) -> dict[str, Any]:
    """The unconfirmed account in the words of this sign-up: those of an earlier one may be somebody else's."""
    shown = await call.user_json(user)
    if call.settings.security_keep_first_sign_up:
        return shown
    said = identity_data(user.id, provider, getattr(user, provider) or "", metadata)
    for identity in shown["identities"]:
        identity["identity_data"] = sorted_map(said)
    return {**shown, "user_metadata": sorted_map(said)}
