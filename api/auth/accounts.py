"""Making and confirming accounts: the user row, its email identity, and what confirmation changes in both."""

from __future__ import annotations

from typing import Any

from api.auth import audit, identities, users
from api.auth.call import Call
from api.auth.user import User

EMAIL_PROVIDER = {"provider": "email", "providers": ["email"]}


async def create_email_user(call: Call, email: str, hashed: str | None, data: dict[str, Any]) -> User:
    """A new unconfirmed user of `email`. Triggers on auth.users see GoTrue's order: insert first, then the rest."""
    user_id, now = call.new_id(), call.now
    await users.create(
        call.db,
        {
            "id": user_id,
            "aud": call.audience,
            "email": email,
            "encrypted_password": hashed or "",
            "raw_app_meta_data": EMAIL_PROVIDER,
            "raw_user_meta_data": data,
            "created_at": now,
            "updated_at": now,
        },
    )
    identity = {**data, "email": email, "email_verified": False, "phone_verified": False, "sub": str(user_id)}
    await identities.create(call.db, call.new_id(), user_id, "email", identity, now)
    await users.change(call.db, user_id, role=call.settings.jwt_default_group_name, raw_user_meta_data=identity)
    created = await users.find_by_id(call.db, user_id)
    assert created is not None, "the row was just inserted"
    return created


async def create_anonymous_user(call: Call, data: dict[str, Any]) -> User:
    """A user without any credential."""
    user_id, now = call.new_id(), call.now
    await users.create(
        call.db,
        {
            "id": user_id,
            "aud": call.audience,
            "encrypted_password": "",
            "raw_app_meta_data": {},
            "raw_user_meta_data": data,
            "created_at": now,
            "updated_at": now,
            "is_anonymous": True,
        },
    )
    await users.change(call.db, user_id, role=call.settings.jwt_default_group_name)
    created = await users.find_by_id(call.db, user_id)
    assert created is not None, "the row was just inserted"
    return created


async def confirm_email(call: Call, user: User) -> User:
    """Take the user's address for confirmed, in the user and in its identities."""
    metadata = {**user.user_metadata, "email_verified": True}
    await users.change(call.db, user.id, email_confirmed_at=call.now, raw_user_meta_data=metadata, updated_at=call.now)
    for identity in user.identities or []:
        if identity.email == user.email:
            await identities.merge_data(call.db, identity, {"email_verified": True}, call.now)
    await audit.record(call, "user_signedup", user, {"provider": "email"})
    return await users.reload(call.db, user)


async def change_email(call: Call, user: User, email: str) -> User:
    """Give the user a new, confirmed address; the email identity follows, or comes into being."""
    now = call.now
    data = {"email": email, "email_verified": True, "phone_verified": False, "sub": str(user.id)}
    own = next((identity for identity in user.identities or [] if identity.provider == "email"), None)
    if own is not None:
        await identities.merge_data(call.db, own, {"email": email, "email_verified": True}, now)
    else:
        await identities.create(call.db, call.new_id(), user.id, "email", data, now)
    providers = sorted({*user.app_metadata.get("providers", []), "email"})
    await users.change(
        call.db,
        user.id,
        email=email,
        email_change="",
        email_change_confirm_status=0,
        email_confirmed_at=now,
        is_anonymous=False,
        raw_app_meta_data={"provider": "email", **user.app_metadata, "providers": providers},
        raw_user_meta_data={**user.user_metadata, "email": email, "email_verified": True},
        updated_at=now,
    )
    return await users.reload(call.db, user)
