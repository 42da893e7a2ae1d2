"""GET and PUT /user: the caller's own account."""

from __future__ import annotations

import hmac
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import timedelta

from minato.auth.accounts import administrator, deletion, verification
from minato.auth.accounts.phone_verification import change_phone
from minato.auth.accounts.registration import ensure_email_identity
from minato.auth.limits.guesses import require_code_try
from minato.auth.limits.password_guesses import require_attempt
from minato.auth.messages import emails, text_messages
from minato.auth.messages.emails import Challenge
from minato.auth.messages.limits import find_in_turn
from minato.auth.messages.notifications import Notification, notify
from minato.auth.messages.text_messages import require_channel
from minato.auth.request.context import ReadTransaction, RequestContext, Transaction
from minato.auth.request.data import RequestData
from minato.auth.request.response import Response
from minato.auth.rows import one_time_tokens, sessions, users
from minato.auth.rows.factors import Factor
from minato.auth.rows.one_time_tokens import token_hash
from minato.auth.rows.users import NOTHING_PENDING, User
from minato.auth.sessions.authentication import Authenticated, require_shown_user, require_user_and_factors
from minato.auth.wire.errors import AuthError, CommittedError, LostRace, invalid
from minato.auth.wire.validation import require_strong, validate_email, validate_phone, validate_pkce

INVALID_NONCE = "Nonce has expired or is invalid"
# what an OAuth client sees of an account without any scope, and with each
UNSCOPED = frozenset({"id", "aud", "role", "created_at", "updated_at", "is_anonymous"})
SCOPED = {
    "email": ("email", "email_confirmed_at"),
    "phone": ("phone", "phone_confirmed_at"),
    "profile": ("user_metadata",),
}
LONG_AGO = timedelta(hours=24)
MAILED_METHODS = frozenset({"otp", "magiclink", "recovery"})


@dataclass
class UserUpdateParams:
    email: str = ""
    phone: str = ""
    password: str | None = field(default=None, repr=False)
    current_password: str | None = field(default=None, repr=False)
    nonce: str = field(default="", repr=False)
    data: dict[str, object] | None = None
    app_metadata: dict[str, object] | None = None
    channel: str = ""
    code_challenge: str = ""
    code_challenge_method: str = ""


@dataclass(frozen=True)
class NewPassword:
    """A password that may be set; `nonce` is the hash of the one that was proven, which it uses up."""

    hashed: str = field(repr=False)
    nonce: str | None = field(repr=False)


async def get_user(tx: ReadTransaction) -> Response:
    who, shown = await require_shown_user(tx)
    if not who.is_for(tx):
        raise invalid("Token audience doesn't match request audience")
    if who.is_client and not tx.settings.oauth_server_unbound_tokens:
        return Response(_as_allowed(shown, who.scopes))
    return Response(shown)


def _as_allowed(shown: dict[str, object], scopes: list[str]) -> dict[str, object]:
    """What of the account an OAuth client may see: as much as userinfo tells for its scopes."""
    known = {name for scope in scopes for name in SCOPED.get(scope, ())}
    empty = {"email": "", "phone": "", "app_metadata": {}, "user_metadata": {}, "identities": []}
    kept = {name: value for name, value in shown.items() if name in UNSCOPED or name in known}
    return {name: kept.get(name, empty.get(name)) for name in shown if name in kept or name in empty}


async def put_user(context: RequestContext) -> Response:
    async with context.read() as reading:
        who, enrolled = await require_user_and_factors(reading)
    await context.require_rate("user")
    params = _read(context)
    _require_allowed(context, who, params, enrolled)
    if params.email or params.phone:
        async with context.read() as reading:
            await _require_free(reading, who.user, params)
    new_password = None if params.password is None else await _check_password(context, who, params, params.password)
    async with context.transaction() as tx:
        if params.email or params.phone:
            who = replace(who, user=await _reread(tx, who.user))
        user = await _change(tx, who, params, new_password)
        # As who came: the name is what the account was called before.
        await tx.record(who.user, "user_modified")
        return Response(await tx.user_json(user, last=True))


async def _reread(tx: Transaction, user: User) -> User:
    """The account as it is now: an address that is refused gets back what another request has written meanwhile."""
    found = await find_in_turn(tx, user.id)
    if found is None:
        raise LostRace
    return found


def _read(data: RequestData) -> UserUpdateParams:
    """The parameters, whose addresses come out as they are kept. Refuses what breaks a rule."""
    params = data.params(UserUpdateParams)
    if params.email:
        params.email = validate_email(params.email)
    if params.phone:
        params.phone = validate_phone(params.phone)
        params.channel = require_channel(data, params.channel)
    if params.password is not None:
        require_strong(params.password, data.settings)
    validate_pkce(params.code_challenge, params.code_challenge_method)
    return params


async def _change(
    tx: Transaction, who: Authenticated, params: UserUpdateParams, new_password: NewPassword | None
) -> User:
    user = who.user
    if new_password is not None:
        user = await _change_password(tx, who, new_password)
        user = await administrator.claim_role(tx, user, who.session_id)
    if params.data:
        user = users.write_metadata(tx.db, user, tx.now, {}, params.data)
    if params.app_metadata:
        user = users.write_metadata(tx.db, user, tx.now, {}, params.app_metadata, app=True)
    if params.email and params.email != user.email:
        user = await _change_email(tx, who, user, params)
    if params.phone and params.phone != user.phone:
        user = await _change_phone(tx, who, user, params)
    return user


async def _change_email(tx: Transaction, who: Authenticated, user: User, params: UserUpdateParams) -> User:
    if user.is_anonymous and tx.settings.mailer_autoconfirm:
        # Nobody could be mailed before: there is no one to protect from a change.
        return await verification.change_email(tx, replace(user, email_change=params.email))
    challenge = Challenge(params.code_challenge, params.code_challenge_method)
    return await emails.send_email_change(tx, user, params.email, challenge, before=who.user)


async def _change_phone(tx: Transaction, who: Authenticated, user: User, params: UserUpdateParams) -> User:
    if tx.settings.sms_autoconfirm:
        return await change_phone(tx, user, params.phone)
    kind = text_messages.PHONE_CHANGE
    user, _ = await text_messages.send(tx, user, kind, params.phone, params.channel, before=who.user)
    return user


def _require_allowed(
    data: RequestData, who: Authenticated, params: UserUpdateParams, enrolled: Iterable[Factor]
) -> None:
    user = who.user
    if params.app_metadata is not None and user.role != data.settings.jwt_admin_group_name:
        raise AuthError(403, "not_admin", "Updating app_metadata requires admin privileges")
    sensitive = bool(params.email or params.phone or params.password is not None)
    strong = who.session is not None and who.session.aal != "aal1"
    if sensitive and not strong and any(factor.is_verified for factor in enrolled):
        message = "AAL2 session is required to update email or password when MFA is enabled."
        raise AuthError(401, "insufficient_aal", message)
    if user.is_anonymous and params.password is not None and not (params.email or params.phone):
        raise invalid("Updating password of an anonymous user without an email or phone is not allowed", 422)
    if user.is_sso_user and (sensitive or params.nonce):
        message = "Updating email, phone, password of a SSO account only possible via SSO"
        raise AuthError(422, "user_sso_managed", message)


async def _require_free(tx: ReadTransaction, user: User, params: UserUpdateParams) -> None:
    """The new addresses are nobody else's, and may be taken."""
    if params.email and await users.find_duplicate(tx.db, params.email, beside=user.id):
        raise AuthError(422, "email_exists", "A user with this email address has already been registered")
    if params.email:
        await administrator.require_open(tx, params.email)
    if params.phone:
        holder = await users.find_by_any_phone(tx.db, params.phone)
        if holder is not None and holder.id != user.id:
            raise AuthError(422, "phone_exists", "A user with this phone number has already been registered")


async def _check_password(
    context: RequestContext, who: Authenticated, params: UserUpdateParams, password: str
) -> NewPassword:
    """The new password, hashed, if whoever asks may set it. A try at a nonce stays counted, whatever comes of it."""
    user, settings = who.user, context.settings
    needs_nonce = settings.security_update_password_require_reauthentication and _is_old(context, who)
    if needs_nonce:
        async with context.transaction() as tx:
            await _require_nonce(tx, user, params.nonce)
    guarded = settings.security_update_password_require_current_password and bool(user.encrypted_password)
    if guarded and not await _is_mailed(context, who):
        await _require_current(context, user, params.current_password)
    # Whoever claims the back office may choose the password of the sign-up again.
    kept = user.encrypted_password and not administrator.may_claim(context, user)
    if kept and await context.verify_password(password, user.encrypted_password):
        raise AuthError(422, "same_password", "New password should be different from the old password.")
    nonce = user.reauthentication_token or ""
    return NewPassword(await context.hash_password(password), nonce if needs_nonce else None)


async def _change_password(tx: Transaction, who: Authenticated, new: NewPassword) -> User:
    user, nonce = who.user, new.nonce
    if nonce is not None and not await one_time_tokens.take(tx.db, user.id, "reauthentication_token", nonce):
        raise AuthError(422, "reauthentication_not_valid", INVALID_NONCE)
    await deletion.forget_under_way(tx, user.id)
    # Who is just signing in has the account's row; once it is ours, their session is there to be ended.
    users.hold(tx.db, user)
    await sessions.end_others(tx.db, user.id, who.session_id)
    await tx.record(user, "user_updated_password")
    await notify(tx, user, Notification("password_changed"))
    changed = users.write(tx.db, user, tx.now, encrypted_password=new.hashed, **NOTHING_PENDING)
    if user.encrypted_password or not tx.settings.experimental_create_email_identity_on_password_set_enabled:
        return changed
    return await ensure_email_identity(tx, changed)


def _is_old(data: RequestData, who: Authenticated) -> bool:
    return who.session is None or data.now > who.session.created_at + LONG_AGO


async def _require_nonce(tx: Transaction, user: User, nonce: str) -> None:
    if not nonce:
        raise AuthError(400, "reauthentication_needed", "Password update requires reauthentication")
    address = user.email or user.phone
    if not address:
        raise AuthError(422, "reauthentication_not_valid", "Reauthentication requires an email or a phone number")
    refusal = CommittedError(422, "reauthentication_not_valid", INVALID_NONCE)
    stored, sent_at = user.reauthentication_token or "", user.reauthentication_sent_at
    await require_code_try(tx, address, "reauthentication_token", sent_at, refusal)
    seconds = tx.settings.mailer_otp_exp if user.email else tx.settings.sms_otp_exp
    lifetime = timedelta(seconds=seconds)
    fresh = sent_at is not None and tx.now <= sent_at + lifetime
    if not fresh or not hmac.compare_digest(stored, token_hash(address, nonce, tx.backend.sealing_key)):
        raise refusal


async def _is_mailed(context: RequestContext, who: Authenticated) -> bool:
    """Whether the session began with a mail, as after a forgotten password."""
    if who.session_id is None:
        return False
    async with context.read() as tx:
        methods = await sessions.methods(tx.db, who.session_id)
    return any(used.authentication_method in MAILED_METHODS for used in methods)


async def _require_current(context: RequestContext, user: User, given: str | None) -> None:
    message = "Current password required when setting new password."
    if not given:
        raise AuthError(400, "current_password_required", message)
    attempt = await require_attempt(context, user.email or user.phone or "", user.id)
    if not await context.verify_password(given, user.encrypted_password):
        raise AuthError(400, "current_password_invalid", message)
    await attempt.forgive()
