"""Opening accounts and confirming them: what signup, magic links and invitations share."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from uuid import UUID

from minato.auth import identities, one_time_tokens, pending_sign_ups, users
from minato.auth.call import Call
from minato.auth.errors import database_error
from minato.auth.hooks.points import announce_user, tell_user_created
from minato.auth.metadata import merged
from minato.auth.users import NO_TOKENS, User


async def open_account(
    call: Call,
    provider: str,
    address: str,
    data: dict[str, Any],
    hashed: str | None,
    by_admin: bool = False,
    **values: Any,
) -> User:
    """A new unconfirmed account with its identity. `provider` is email or phone.

    `data` becomes the account's metadata; who signs up (not `by_admin`) shares it with the identity, both ways.
    Inserted and then updated, because triggers on auth.users see GoTrue's two steps.
    """
    user_id = call.backend.entropy.uuid4()
    call.opened.add(user_id)
    data = data if by_admin else merged({}, data)
    identity = identity_data(user_id, provider, address, {} if by_admin else data)
    columns: dict[str, Any] = {
        "aud": call.audience,
        "raw_app_meta_data": {"provider": provider, "providers": [provider]},
        "raw_user_meta_data": data,
        "is_sso_user": False,
        "is_anonymous": False,
        provider: address,
        **values,
    }
    await announce_user(call, user_id, columns)
    with database_error("Database error saving new user"):
        columns["encrypted_password"] = hashed or ""
        user = await users.create(call.db, user_id, call.now, **columns)
        await identities.create(call.db, call.backend.entropy.uuid4(), user_id, provider, identity, call.now)
        role = call.settings.jwt_default_group_name
        metadata = data if by_admin else {**data, **identity}
        user = await users.change(call.db, user, call.now, role=role, raw_user_meta_data=metadata)
    await tell_user_created(call, user)
    return user


def identity_data(user_id: UUID, provider: str, address: str, data: dict[str, Any]) -> dict[str, Any]:
    """What the first identity of an account says; `data` came with the sign-up."""
    said = {**merged({}, data), "email_verified": False, "phone_verified": False, "sub": str(user_id)}
    return {**said, "email": address} if provider == "email" else said


async def described_anew(call: Call, user: User, provider: str, data: dict[str, Any]) -> User:
    """The unconfirmed account with the metadata of another sign-up; its identity says the same."""
    identity = identity_data(user.id, provider, getattr(user, provider) or "", data)
    await identities.set_data(call.db, user.id, provider, identity, call.now)
    return replace(user, raw_user_meta_data=identity)


async def taken_over(
    call: Call, user: User, provider: str, hashed: str, data: dict[str, Any]
) -> tuple[User, dict[str, Any]]:
    """The account as this sign-up describes it, and its password's column; for where no message is asked for."""
    if call.settings.security_keep_first_sign_up or user.confirmed_at is not None:
        return user, {}
    return await described_anew(call, user, provider, data), {"encrypted_password": hashed}


async def confirm_email(call: Call, user: User, **values: Any) -> User:
    """The account's address is its owner's; every other one-time token of the account is void."""
    metadata = {**user.user_metadata, "email_verified": True}
    with database_error("Error confirming user"):
        await identities.confirm_email(call.db, user, call.now)
        await one_time_tokens.forget(call.db, user.id)
        if user.confirmed_at is None:
            await pending_sign_ups.forget(call, user.id)
        confirmed = user.email_confirmed_at or call.now
        changed = {**NO_TOKENS, "raw_user_meta_data": metadata, "email_confirmed_at": confirmed, **values}
        return await users.change(call.db, user, call.now, **changed)


async def confirm_phone(call: Call, user: User, **values: Any) -> User:
    """The account's number is its owner's; every other one-time token of the account is void."""
    with database_error("Error confirming user"):
        await one_time_tokens.forget(call.db, user.id)
        if user.confirmed_at is None:
            await pending_sign_ups.forget(call, user.id)
        confirmed = user.phone_confirmed_at or call.now
        changed = {
            **NO_TOKENS,
            "raw_user_meta_data": user.raw_user_meta_data,
            "phone_confirmed_at": confirmed,
            **values,
        }
        return await users.change(call.db, user, call.now, **changed)


async def ensure_email_identity(call: Call, user: User) -> User:
    """A person with a confirmed address who sets a first password can sign in by email from now on."""
    if user.is_sso_user or user.is_anonymous or not user.email or user.email_confirmed_at is None:
        return user
    if any(row["provider"] == "email" for row in await identities.of_user(call.db, user.id)):
        return user
    identity = {"email": user.email, "email_verified": True, "phone_verified": False, "sub": str(user.id)}
    await identities.create(call.db, call.backend.entropy.uuid4(), user.id, "email", identity, call.now)
    return await identities.recompute_providers(call.db, user, call.now)
