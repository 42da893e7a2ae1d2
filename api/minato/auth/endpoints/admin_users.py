"""/admin/users: an administrator lists, opens, reads, changes and deletes accounts."""

from __future__ import annotations

from dataclasses import dataclass, field
from uuid import UUID

from minato.auth.accounts import deletion
from minato.auth.accounts.registration import confirm_email, confirm_phone
from minato.auth.request.context import ReadTransaction, RequestContext, Transaction
from minato.auth.request.passwords import is_supported_hash
from minato.auth.request.response import Response
from minato.auth.rows import identities, sessions, users
from minato.auth.rows.users import NIL, NOTHING_PENDING, User, merge_metadata
from minato.auth.sessions.authentication import require_admin
from minato.auth.wire.durations import banned_until
from minato.auth.wire.errors import AuthError, database_error, invalid
from minato.auth.wire.pagination import requested_page
from minato.auth.wire.user_json import user_json
from minato.auth.wire.validation import LONGEST_NAME, LONGEST_PASSWORD, require_strong, validate_email, validate_phone


@dataclass
class AdminUserParams:
    id: str = ""
    aud: str = ""
    role: str = ""
    email: str = ""
    phone: str = ""
    password: str | None = field(default=None, repr=False)
    password_hash: str = field(default="", repr=False)
    email_confirm: bool = False
    phone_confirm: bool = False
    user_metadata: dict[str, object] | None = None
    app_metadata: dict[str, object] | None = None
    ban_duration: str = ""


async def list_users(tx: ReadTransaction) -> Response:
    await require_admin(tx)
    page = requested_page(tx.query)
    ascending = _is_ascending(tx.query.get("sort", ""))
    found, total = await users.find_page(
        tx.db, tx.audience, tx.query.get("filter", ""), ascending, page.offset, page.size
    )
    body = {"users": [user_json(user, None) for user in found], "aud": tx.audience}
    return Response(body, headers=page.headers(tx.http.url.path, tx.query, total))


def _is_ascending(sort: str) -> bool:
    """`created_at [asc|desc]`, newest first unless said."""
    field, _, direction = sort.partition(" ")
    if sort and field != "created_at":
        raise invalid(f"Bad Sort Parameters: bad field for sort '{field}'")
    if direction not in ("", "asc", "desc"):
        reason = f"bad direction for sort '{direction}', only 'asc' and 'desc' allowed"
        raise invalid(f"Bad Sort Parameters: {reason}")
    return direction == "asc"


async def create_user(context: RequestContext) -> Response:
    async with context.read() as reading:
        admin = await require_admin(reading)
        params = reading.params(AdminUserParams)
        await _require_free(reading, params)
    user_id = _chosen_id(params) or context.backend.entropy.uuid4()
    until = banned_until(context.now, params.ban_duration)
    hashed = await _hashed(context, params)
    async with context.transaction() as tx:
        with database_error(tx.db, "Database error creating new user"):
            user = await _open(tx, params, user_id, hashed)
            traits = {"user_id": str(user.id), "user_email": user.email or "", "user_phone": user.phone or ""}
            await tx.record_by(admin, "user_signedup", **traits, provider="email" if params.email else "phone")
            if params.email_confirm:
                user = await confirm_email(tx, user)
            if params.phone_confirm:
                user = await confirm_phone(tx, user)
            if params.ban_duration:
                user = await users.change(tx.db, user, tx.now, banned_until=until)
        return Response(await tx.user_json(user))


async def _require_free(tx: ReadTransaction, params: AdminUserParams) -> None:
    """Normalises the addresses of `params` on the way."""
    _require_short(params)
    if not params.email and not params.phone:
        raise invalid("Cannot create a user without either an email or phone")
    if params.email:
        params.email = validate_email(params.email)
        _refuse_email_of(await users.find_duplicate(tx.db, params.email))
    if params.phone:
        params.phone = validate_phone(params.phone)
        _refuse_phone_of(await users.find_by_any_phone(tx.db, params.phone))


def _require_short(params: AdminUserParams) -> None:
    for name in ("aud", "role"):
        if len(getattr(params, name)) > LONGEST_NAME:
            raise invalid(f"{name} should have at most {LONGEST_NAME} characters")


def _refuse_email_of(other: User | None) -> None:
    if other is not None:
        raise AuthError(422, "email_exists", "A user with this email address has already been registered")


def _refuse_phone_of(other: User | None) -> None:
    if other is not None:
        raise AuthError(422, "phone_exists", "Phone number already registered by another user")


def _chosen_id(params: AdminUserParams) -> UUID | None:
    if not params.id:
        return None
    try:
        chosen = UUID(params.id)
    except ValueError as error:
        raise invalid("ID must conform to the uuid v4 format") from error
    if chosen == NIL:
        raise invalid("ID cannot be a nil uuid")
    return chosen


async def _hashed(context: RequestContext, params: AdminUserParams) -> str:
    if params.password and params.password_hash:
        raise invalid("Only a password or a password hash should be provided")
    if params.password_hash:
        if not is_supported_hash(params.password_hash):
            raise AuthError(500, "unexpected_failure", "Error creating user")
        return params.password_hash
    if not params.password:
        return await context.unguessable_password()
    if len(params.password.encode()) > LONGEST_PASSWORD:
        raise invalid("bcrypt: password length exceeds 72 bytes")
    return await context.hash_password(params.password)


async def _open(tx: Transaction, params: AdminUserParams, user_id: UUID, hashed: str) -> User:
    addresses = {name: value for name in ("email", "phone") if (value := getattr(params, name))}
    providers = {"provider": next(iter(addresses)), "providers": list(addresses)}
    user = await users.create(
        tx.db,
        user_id,
        tx.now,
        aud=params.aud or tx.audience,
        encrypted_password=hashed,
        raw_app_meta_data=providers,
        raw_user_meta_data=params.user_metadata or {},
        is_sso_user=False,
        is_anonymous=False,
        **addresses,
    )
    for provider, address in addresses.items():
        data = {"sub": str(user_id), provider: address, "email_verified": False, "phone_verified": False}
        await identities.create(tx.writer, user_id, provider, data)
    role = params.role or tx.settings.jwt_default_group_name
    metadata = merge_metadata(providers, params.app_metadata or {})
    return await users.change(tx.db, user, tx.now, role=role, raw_app_meta_data=metadata)


@dataclass
class adminUserDeleteParams:  # Go's name for it, which a refusal shows
    should_soft_delete: bool = False


async def get_user_as_admin(tx: ReadTransaction) -> Response:
    await require_admin(tx)
    return Response(await tx.user_json(await require_target(tx)))


async def put_user_as_admin(context: RequestContext) -> Response:
    async with context.read() as reading:
        admin = await require_admin(reading)
        await require_target(reading)
    params = context.params(AdminUserParams)
    values = await _checked(context, params)
    async with context.transaction() as tx:
        with database_error(tx.db, "Error updating user"):
            user = await _change(tx, await require_target(tx), params, values)
        await tx.record_by(admin, "user_modified", **_traits(user))
        return Response(await tx.user_json(user))


async def _change(tx: Transaction, user: User, params: AdminUserParams, values: dict[str, object]) -> User:
    if params.password is not None:
        user = await _shut_out(tx, user)
        values |= NOTHING_PENDING
    await _require_free_beside(tx, user, params)
    user = await _change_addresses(tx, user, params)
    values["raw_app_meta_data"] = merge_metadata(user.app_metadata, params.app_metadata or {})
    values["raw_user_meta_data"] = merge_metadata(user.user_metadata, params.user_metadata or {})
    return await users.change(tx.db, user, tx.now, **values)


async def _require_free_beside(tx: Transaction, user: User, params: AdminUserParams) -> None:
    """Accounts of organisations are told apart by more than their addresses."""
    if params.email and not user.is_sso_user:
        _refuse_email_of(await users.find_duplicate(tx.db, params.email, beside=user.id))
    if params.phone:
        other = await users.find_by_any_phone(tx.db, params.phone)
        _refuse_phone_of(other if other is not None and other.id != user.id else None)


async def _shut_out(tx: Transaction, user: User) -> User:
    """What the account's former holder left behind must not lead back: mails that are out, flows that were begun,
    sessions, and those that are just being opened, which have the account's row until they are there."""
    await deletion.forget_under_way(tx, user.id)
    user = await users.lock(tx.db, user)
    await sessions.end_all(tx.db, user.id)
    return user


async def delete_user(tx: Transaction) -> Response:
    admin = await require_admin(tx)
    user = await require_target(tx)
    params = tx.params(adminUserDeleteParams) if tx.body.strip() else adminUserDeleteParams()
    await tx.record_by(admin, "user_deleted", **_traits(user))
    with database_error(tx.db, "Database error deleting user"):
        if params.should_soft_delete:
            await deletion.soft_delete(tx, user)
        else:
            await deletion.delete(tx.db, user)
    return Response({})


async def require_target(tx: ReadTransaction) -> User:
    """The account that the path names."""
    try:
        user_id = UUID(tx.path_params["id"])
    except ValueError as error:
        raise invalid("user_id must be an UUID", 404) from error
    user = await users.find(tx.db, user_id)
    if user is None:
        raise AuthError(404, "user_not_found", "User not found")
    return user


async def _checked(context: RequestContext, params: AdminUserParams) -> dict[str, object]:
    """The columns that are given outright; refuses what breaks a rule."""
    _require_short(params)
    if params.email:
        params.email = validate_email(params.email)
    if params.phone:
        params.phone = validate_phone(params.phone)
    values: dict[str, object] = {"role": params.role} if params.role else {}
    if params.ban_duration:
        values["banned_until"] = banned_until(context.now, params.ban_duration)
    if params.password is not None:
        require_strong(params.password, context.settings)
        values["encrypted_password"] = await context.hash_password(params.password)
    return values


async def _change_addresses(tx: Transaction, user: User, params: AdminUserParams) -> User:
    if params.email_confirm:
        user = await confirm_email(tx, user)
    if params.phone_confirm:
        user = await confirm_phone(tx, user)
    given = {"email": (params.email, params.email_confirm), "phone": (params.phone, params.phone_confirm)}
    for provider, (address, verified) in given.items():
        if address:
            data = {provider: address, f"{provider}_verified": verified}
            await _set_identity(tx, user, provider, data)
            user = await users.change(tx.db, user, tx.now, **{provider: address})
    if params.email or params.phone:
        user = await identities.recompute_providers(tx.db, user, tx.now)
    return user


async def _set_identity(tx: Transaction, user: User, provider: str, data: dict[str, object]) -> None:
    if not await identities.merge_data(tx.writer, user.id, provider, data):
        complete = {"sub": str(user.id), "email_verified": False, "phone_verified": False, **data}
        await identities.create(tx.writer, user.id, provider, complete)


def _traits(user: User) -> dict[str, str]:
    return {"user_id": str(user.id), "user_email": user.email or "", "user_phone": user.phone or ""}
