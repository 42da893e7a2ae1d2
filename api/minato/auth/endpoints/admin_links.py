"""POST /invite and /admin/generate_link: an administrator opens an account, or makes the link a mail would carry."""

from __future__ import annotations

from dataclasses import dataclass, field

from minato.auth.accounts import pending_sign_ups
from minato.auth.accounts.registration import NewAccount, new_account, open_account, open_or_reread
from minato.auth.messages import emails
from minato.auth.messages.emails import Kind
from minato.auth.request.context import RequestContext, Transaction
from minato.auth.request.data import RequestData
from minato.auth.request.response import Response
from minato.auth.rows import users
from minato.auth.rows.audit_log import Actor
from minato.auth.rows.users import User, merge_metadata
from minato.auth.sessions.authentication import require_admin
from minato.auth.wire.errors import AuthError, database_error, invalid
from minato.auth.wire.redirects import is_allowed
from minato.auth.wire.validation import LONGEST_PASSWORD, require_strong, validate_email

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
class InviteParams:
    email: str = ""
    data: dict[str, object] | None = None


async def invite(context: RequestContext) -> Response:
    async with context.read() as reading:
        admin = await require_admin(reading)
        params = reading.params(InviteParams)
        email = validate_email(params.email)
        user = await users.find_by_email(reading.db, email, reading.audience)
        taken = user is None and await users.is_anothers(reading.db, email, reading.audience)
    hashed, data = await context.unguessable_password(), params.data or {}
    if taken or (user is not None and user.is_confirmed):
        raise AuthError(422, "email_exists", TAKEN)
    account = user or await new_account(context, "email", email, data, by_admin=True)
    async with context.transaction() as tx:
        if isinstance(account, NewAccount):
            user = await open_account(tx, account, None, by_admin=True)
        else:
            user = await open_or_reread(tx, account, hashed)
        await tx.record_by(admin, "user_invited", user_id=str(user.id), user_email=email)
        user = await emails.send(tx, user, emails.INVITE, invited_at=tx.now)
        if user.id not in tx.opened:
            await pending_sign_ups.keep(tx, user, hashed, data)
        return Response(await tx.user_json(user))


@dataclass
class GenerateLinkParams:
    type: str = ""
    email: str = ""
    new_email: str = ""
    password: str = field(default="", repr=False)
    data: dict[str, object] | None = None
    redirect_to: str = ""


async def generate_link(context: RequestContext) -> Response:
    async with context.read() as tx:
        admin = await require_admin(tx)
    params = context.params(GenerateLinkParams)
    params.email = validate_email(params.email)
    target = context.redirect_to
    if params.redirect_to and is_allowed(params.redirect_to, context.site_url, context.settings.allowed_redirects):
        target = params.redirect_to
    hashed = await _password(context, params)
    account, kind = await _account(context, params)
    async with context.transaction() as tx:
        return await _issue(tx, params, admin, account, kind, hashed, target)


async def _issue(
    tx: Transaction,
    params: GenerateLinkParams,
    admin: Actor,
    account: User | NewAccount,
    kind: str,
    hashed_password: str,
    target: str,
) -> Response:
    user = await _opened(tx, params, account, hashed_password)
    column, address = await _destination(tx, user, params, KINDS[kind])
    values: dict[str, object] = {"invited_at": tx.now} if kind == "invite" else {}
    if KINDS[kind] is emails.EMAIL_CHANGE:
        values |= {"email_change": params.new_email, "email_change_confirm_status": 0}
    await _record(tx, admin, user, kind)
    with database_error(tx.db, "Database error updating user"):
        user, token = await emails.issue(tx, user, KINDS[kind], column, address, **values)
        if column == "confirmation_token" and user.id not in tx.opened:
            await pending_sign_ups.keep(tx, user, hashed_password, user.user_metadata)
    link = {
        "action_link": emails.verify_link(tx, KINDS[kind], token.hashed, target),
        "email_otp": token.otp,
        "hashed_token": token.hashed,
        "verification_type": kind,
        "redirect_to": target,
    }
    return Response({**await tx.user_json(user), **link})


async def _password(context: RequestContext, params: GenerateLinkParams) -> str:
    """The hash of the password that the link brings; of one nobody knows where none is given."""
    given = params.password and len(params.password.encode()) <= LONGEST_PASSWORD
    return await (context.hash_password(params.password) if given else context.unguessable_password())


async def _record(tx: Transaction, admin: Actor, user: User, kind: str) -> None:
    if kind in ("magiclink", "recovery"):
        await tx.record(user, "user_recovery_requested")
    elif kind == "invite":
        await tx.record_by(admin, "user_invited", user_id=str(user.id), user_email=user.email or "")


async def _account(context: RequestContext, params: GenerateLinkParams) -> tuple[User | NewAccount, str]:
    """Whose link it is, which may be an account still to be opened, and the kind it comes to."""
    if params.type not in KINDS:
        raise invalid(f"Invalid email action link type requested: {params.type}")
    async with context.read() as tx:
        user = await users.find_by_email(tx.db, params.email, tx.audience)
        taken = user is None and await users.is_anothers(tx.db, params.email, tx.audience)
    if user is not None:
        if params.type in ("signup", "invite") and user.is_confirmed:
            raise AuthError(422, "email_exists", TAKEN)
        if params.type == "signup":
            _require_password(context, params)
        return user, params.type
    if params.type not in ("signup", "invite", "magiclink"):
        raise AuthError(404, "user_not_found", "User with this email not found")
    if taken:
        raise AuthError(422, "email_exists", TAKEN)
    if params.type == "signup":
        _require_password(context, params)
    new = await new_account(context, "email", params.email, params.data or {}, by_admin=True)
    return new, "invite" if params.type == "invite" else "signup"


async def _opened(tx: Transaction, params: GenerateLinkParams, account: User | NewAccount, hashed: str) -> User:
    if isinstance(account, NewAccount):
        return await open_account(tx, account, None if params.type == "invite" else hashed, by_admin=True)
    user = await open_or_reread(tx, account, hashed)
    if params.type != "signup":
        return user
    metadata = merge_metadata(user.user_metadata, params.data or {})
    return await users.change(tx.db, user, tx.now, raw_user_meta_data=metadata)


def _require_password(data: RequestData, params: GenerateLinkParams) -> None:
    if not params.password:
        raise invalid("Signup requires a valid password")
    require_strong(params.password, data.settings)


async def _destination(tx: Transaction, user: User, params: GenerateLinkParams, kind: Kind) -> tuple[str, str]:
    """The column the token is kept in and the address it is made for."""
    if kind is not emails.EMAIL_CHANGE:
        return kind.column, params.email
    if params.type == "email_change_current" and not tx.settings.mailer_secure_email_change_enabled:
        raise invalid("Enable secure email change to generate link for current email")
    params.new_email = validate_email(params.new_email)
    taken = await users.find_duplicate(tx.db, params.new_email, beside=user.id)
    if taken is not None or params.new_email == user.email:
        raise AuthError(422, "email_exists", TAKEN)
    if params.type == "email_change_current":
        return "email_change_token_current", params.email
    return "email_change_token_new", params.new_email
