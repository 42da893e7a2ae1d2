"""POST /signup: an account by email or phone, or an anonymous one."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Final

from minato.auth.accounts import pending_sign_ups
from minato.auth.accounts.administrator import require_open_sign_up
from minato.auth.accounts.discretion import is_discreet, refuse_quietly
from minato.auth.accounts.phone_signup import confirm_or_ask, require_phone_signups
from minato.auth.accounts.registration import (
    announce_account,
    confirm_email,
    identity_data,
    new_account,
    open_or_reread,
    taken_over,
)
from minato.auth.hooks.points import tell_user_created
from minato.auth.messages import emails
from minato.auth.messages.emails import Challenge
from minato.auth.messages.limits import TOO_MANY_MAILS, refuse_too_soon
from minato.auth.messages.text_messages import require_channel
from minato.auth.request.context import RequestContext, Transaction
from minato.auth.request.data import RequestData
from minato.auth.request.response import Response
from minato.auth.rows import users
from minato.auth.rows.users import User
from minato.auth.sessions.sign_in import answer_session
from minato.auth.wire.errors import AuthError, database_error, invalid
from minato.auth.wire.json_format import sorted_map
from minato.auth.wire.user_json import user_json
from minato.auth.wire.validation import require_strong, validate_email, validate_phone, validate_pkce

# What the User object of an account has that was opened just now.
OF_NEW_ACCOUNT: Final = frozenset(
    """id aud role email phone confirmation_sent_at app_metadata user_metadata factors identities created_at updated_at
    is_anonymous""".split()
)


@dataclass
class SignupParams:
    email: str = ""
    phone: str = ""
    password: str = field(default="", repr=False)
    data: dict[str, object] | None = None
    channel: str = ""
    code_challenge: str = ""
    code_challenge_method: str = ""

    @property
    def metadata(self) -> dict[str, object]:
        return self.data or {}


async def signup(context: RequestContext) -> Response:
    params = context.params(SignupParams)
    if not params.email and not params.phone:
        return await _sign_up_anonymously(context, params)
    _require_open(context)
    if not params.password:
        raise invalid("Signup requires a valid password")
    require_strong(params.password, context.settings)
    if params.email and params.phone:
        raise invalid("Only an email address or phone number should be provided on signup.")
    if params.phone:
        return await _sign_up_by_phone(context, params)
    validate_pkce(params.code_challenge, params.code_challenge_method)
    if not context.settings.external_email_enabled:
        raise AuthError(400, "email_provider_disabled", "Email signups are disabled")
    email = validate_email(params.email)
    await require_open_sign_up(context, email)
    return await _sign_up_by_email(context, replace(params, email=email))


def _require_open(data: RequestData) -> None:
    if data.settings.disable_signup:
        raise AuthError(422, "signup_disabled", "Signups not allowed for this instance")


async def _sign_up_anonymously(context: RequestContext, params: SignupParams) -> Response:
    if not context.settings.external_anonymous_users_enabled:
        raise AuthError(422, "anonymous_provider_disabled", "Anonymous sign-ins are disabled")
    _require_open(context)
    columns: dict[str, object] = {
        "aud": context.audience,
        "raw_app_meta_data": {},
        "raw_user_meta_data": params.metadata,
    }
    new = await announce_account(context, {**columns, "is_sso_user": False, "is_anonymous": True})
    async with context.transaction() as tx:
        tx.opened.add(new.id)
        with database_error(tx.db, "Database error creating anonymous user"):
            columns = {**new.columns, "encrypted_password": ""}
            users.add(tx.db, new.id, tx.now, **columns)
            role = tx.settings.jwt_default_group_name
            user = users.write(tx.db, users.unread(new.id, tx.now, columns), tx.now, role=role)
        await tell_user_created(tx, user)
        return await answer_session(tx, user, "anonymous")


async def _sign_up_by_phone(context: RequestContext, params: SignupParams) -> Response:
    channel = require_channel(context, params.channel)
    if params.code_challenge:
        raise invalid("PKCE not supported for phone signups")
    require_phone_signups(context)
    phone = validate_phone(params.phone)
    # Whether or not there is an account: the time it takes must not tell.
    hashed = await context.hash_password(params.password)
    async with context.read() as reading:
        existing = await users.find_by_any_phone(reading.db, phone)
    is_open = existing is None or users.is_open_to(existing, context.audience)
    if existing is not None and (existing.phone_confirmed_at is not None or not is_open):
        async with context.transaction() as tx:
            return await refuse_quietly(tx, existing, "phone", phone, params.metadata)
    account = existing or await new_account(context, "phone", phone, params.metadata)
    async with context.transaction() as tx:
        user = await open_or_reread(tx, account, hashed)
        user = await confirm_or_ask(tx, user, phone, hashed, params.metadata, channel)
        if user.phone_confirmed_at is None:
            return Response(await as_signed_up(tx, user, "phone", params.metadata))
        await tx.record(user, "login", provider="phone")
        return await answer_session(tx, user, "password")


async def _sign_up_by_email(context: RequestContext, params: SignupParams) -> Response:
    # Whether or not there is an account: the time it takes must not tell.
    hashed = await context.hash_password(params.password)
    async with context.read() as reading:
        existing = await users.find_duplicate(reading.db, params.email)
    if existing is not None and (existing.is_confirmed or existing.aud != context.audience):
        async with context.transaction() as tx:
            return await refuse_quietly(tx, existing, "email", params.email, params.metadata)
    account = existing or await new_account(context, "email", params.email, params.metadata)
    async with context.transaction() as tx:
        user = await open_or_reread(tx, account, hashed)
        return await _confirm_or_ask(tx, user, params, hashed)


async def _confirm_or_ask(tx: Transaction, user: User, params: SignupParams, hashed: str) -> Response:
    """A session where nothing is asked for, else a mail."""
    if tx.settings.mailer_autoconfirm:
        await tx.record(user, "user_signedup", provider="email")
        await tx.record(user, "login", provider="email")
        user, values = await taken_over(tx, user, "email", hashed, params.metadata)
        return await answer_session(tx, await confirm_email(tx, user, **values), "password")
    await tx.record(user, "user_confirmation_requested", provider="email")
    challenge = Challenge(params.code_challenge, params.code_challenge_method, "email")
    if is_discreet(tx) and _is_too_soon(tx, user):
        return Response(await as_signed_up(tx, user, "email", params.metadata))
    user = await emails.send(tx, user, emails.CONFIRMATION, challenge)
    await pending_sign_ups.keep(tx, user, hashed, params.metadata)
    if user.invited_at is not None and tx.settings.security_keep_first_sign_up:
        return Response(user_json(replace(user, raw_user_meta_data={}), []))
    return Response(await as_signed_up(tx, user, "email", params.metadata))


def _is_too_soon(data: RequestData, user: User) -> bool:
    """Whether the next mail would be refused, which only an account that is there already can be."""
    try:
        refuse_too_soon(data, user.confirmation_sent_at, data.settings.smtp_max_frequency, TOO_MANY_MAILS)
    except AuthError:
        return True
    return False


async def as_signed_up(tx: Transaction, user: User, provider: str, metadata: dict[str, object]) -> dict[str, object]:
    """The unconfirmed account as if this sign-up had opened it: what else there is to it may be somebody else's."""
    shown = await tx.user_json(user, last=True)
    if tx.settings.security_keep_first_sign_up:
        return shown
    said = sorted_map(identity_data(user.id, provider, getattr(user, provider) or "", metadata))
    owned = [one for one in shown["identities"] if one["provider"] == provider]
    # What a trigger wrote into an account that was opened just now is its own.
    own = shown["app_metadata"] if user.id in tx.opened else {"provider": provider, "providers": [provider]}
    return {
        **{name: value for name, value in shown.items() if name in OF_NEW_ACCOUNT},
        "phone" if provider == "email" else "email": "",
        "app_metadata": own,
        "user_metadata": said,
        "factors": [],
        "identities": [{**identity, "identity_data": said} for identity in owned],
    }
