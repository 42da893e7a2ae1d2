"""Opening accounts and confirming them: what signup, magic links and invitations share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from minato.auth.accounts import pending_sign_ups
from minato.auth.hooks.points import announce_user, tell_user_created
from minato.auth.messages.limits import find_in_turn
from minato.auth.request.context import RequestContext, Transaction
from minato.auth.rows import identities, one_time_tokens, users
from minato.auth.rows.users import NO_TOKENS, User, merge_metadata
from minato.auth.wire.errors import LostRace, database_error


@dataclass(frozen=True)
class NewAccount:
    """An account that the hook before_user_created lets in; `columns` are what it was told, and nothing is written."""

    id: UUID
    columns: Mapping[str, Any]


async def announce_account(context: RequestContext, columns: Mapping[str, object]) -> NewAccount:
    """Ask whether an account may be opened: before the transaction, where GoTrue asks too (internal/api/hooks.go)."""
    new = NewAccount(context.backend.entropy.uuid4(), columns)
    await announce_user(context, new.id, columns)
    return new


async def new_account(
    context: RequestContext, provider: str, address: str, data: dict[str, object], by_admin: bool = False
) -> NewAccount:
    """An account by address, announced; `provider` is email or phone, `data` becomes its metadata."""
    columns = {
        "aud": context.audience,
        "raw_app_meta_data": {"provider": provider, "providers": [provider]},
        "raw_user_meta_data": data if by_admin else merge_metadata({}, data),
        "is_sso_user": False,
        "is_anonymous": False,
        provider: address,
    }
    return await announce_account(context, columns)


async def open_account(tx: Transaction, new: NewAccount, hashed: str | None, by_admin: bool = False) -> User:
    """The new account, unconfirmed, with its identity, which shares its metadata, both ways, unless `by_admin`.

    Inserted and then updated, because triggers on auth.users see GoTrue's two steps.
    """
    provider, data = new.columns["raw_app_meta_data"]["provider"], new.columns["raw_user_meta_data"]
    identity = identity_data(new.id, provider, new.columns[provider], {} if by_admin else data)
    tx.opened.add(new.id)
    with database_error(tx.db, "Database error saving new user"):
        users.add(tx.db, new.id, tx.now, **new.columns, encrypted_password=hashed or "")
        identities.add(tx.writer, new.id, provider, identity)
        role = tx.settings.jwt_default_group_name
        metadata = data if by_admin else {**data, **identity}
        user = users.unread(new.id, tx.now, {**new.columns, "encrypted_password": hashed or ""})
        user = users.write(tx.db, user, tx.now, role=role, raw_user_meta_data=metadata)
    await tell_user_created(tx, user)
    return user


async def open_or_reread(tx: Transaction, account: User | NewAccount, hashed: str) -> User:
    """The account, opened now where it is new, else as it is in its turn. Raises LostRace where somebody has confirmed
    it since it was read: what a sign-up may do to an account depends on that."""
    if isinstance(account, NewAccount):
        return await open_account(tx, account, hashed)
    user = await find_in_turn(tx, account.id)
    if user is None or _confirmations(user) != _confirmations(account):
        raise LostRace
    return user


def _confirmations(user: User) -> tuple[object, ...]:
    return user.confirmed_at, user.email_confirmed_at, user.phone_confirmed_at


def identity_data(user_id: UUID, provider: str, address: str, data: dict[str, object]) -> dict[str, object]:
    """What the first identity of an account says; `data` came with the sign-up."""
    said = {**merge_metadata({}, data), "email_verified": False, "phone_verified": False, "sub": str(user_id)}
    return {**said, "email": address} if provider == "email" else said


async def described_anew(tx: Transaction, user: User, provider: str, data: dict[str, object]) -> User:
    """The unconfirmed account with the metadata of another sign-up; its identity says the same."""
    identity = identity_data(user.id, provider, getattr(user, provider) or "", data)
    await identities.set_data(tx.writer, user.id, provider, identity)
    return replace(user, raw_user_meta_data=identity)


async def taken_over(
    tx: Transaction, user: User, provider: str, hashed: str, data: dict[str, object]
) -> tuple[User, dict[str, object]]:
    """The account as this sign-up describes it, and the columns that say so; for where no message is asked for."""
    if tx.settings.security_keep_first_sign_up or user.confirmed_at is not None:
        return user, {}
    user = await described_anew(tx, user, provider, data)
    return user, {"encrypted_password": hashed, "raw_user_meta_data": user.user_metadata}


async def confirm_email(tx: Transaction, user: User, **values: Any) -> User:
    """The account's address is its owner's; every other one-time token of the account is void. `values` are further
    columns to write."""
    with database_error(tx.db, "Error confirming user"):
        await identities.confirm_email(tx.db, user, tx.now)
        one_time_tokens.forget(tx.db, user.id)
        if user.confirmed_at is None:
            await pending_sign_ups.forget(tx, user.id)
        confirmed = user.email_confirmed_at or tx.now
        changed = {**NO_TOKENS, "email_confirmed_at": confirmed, **values}
        if "raw_user_meta_data" not in values:
            return users.write_metadata(tx.db, user, tx.now, changed, {"email_verified": True})
        changed["raw_user_meta_data"] = {**values["raw_user_meta_data"], "email_verified": True}
        return users.write(tx.db, user, tx.now, **changed)


async def confirm_phone(tx: Transaction, user: User, **values: object) -> User:
    """The account's number is its owner's; every other one-time token of the account is void. `values` are further
    columns to write."""
    with database_error(tx.db, "Error confirming user"):
        one_time_tokens.forget(tx.db, user.id)
        if user.confirmed_at is None:
            await pending_sign_ups.forget(tx, user.id)
        confirmed = user.phone_confirmed_at or tx.now
        changed = {**NO_TOKENS, "phone_confirmed_at": confirmed, **values}
        return users.write(tx.db, user, tx.now, **changed)


async def ensure_email_identity(tx: Transaction, user: User) -> User:
    """A person with a confirmed address who sets a first password can sign in by email from now on."""
    if user.is_sso_user or user.is_anonymous or not user.email or user.email_confirmed_at is None:
        return user
    if any(one.provider == "email" for one in await identities.of_user(tx.db, user.id)):
        return user
    identity = {"email": user.email, "email_verified": True, "phone_verified": False, "sub": str(user.id)}
    await identities.create(tx.writer, user.id, "email", identity)
    return await identities.recompute_providers(tx.db, user, tx.now)
