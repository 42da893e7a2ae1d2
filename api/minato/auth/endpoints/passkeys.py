"""/passkeys and /admin/users/{id}/passkeys: a user's passkeys listed, renamed, removed."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from minato.auth.endpoints.admin_user import require_target
from minato.auth.endpoints.passkey_ceremony import require_enabled
from minato.auth.endpoints.passkey_registration import require_strong
from minato.auth.factors import passkeys
from minato.auth.factors.passkeys import Passkey
from minato.auth.request.call import Answer, Call
from minato.auth.rows.users import User
from minato.auth.sessions.authentication import require_admin, require_user
from minato.auth.wire.errors import invalid
from minato.auth.wire.json_format import render_time

LONGEST_NAME = 120


@dataclass
class PasskeyUpdateParams:
    friendly_name: str = ""


async def list_passkeys(call: Call) -> Answer:
    require_enabled(call)
    who = await require_user(call)
    return await _listed(call, who.user)


async def update_passkey(call: Call) -> Answer:
    require_enabled(call)
    who = await require_user(call)
    params = call.params(PasskeyUpdateParams)
    passkey_id = _passkey_id(call)
    if not params.friendly_name:
        raise invalid("friendly_name is required")
    if len(params.friendly_name.encode()) > LONGEST_NAME:
        raise invalid(f"friendly_name must be {LONGEST_NAME} characters or less")
    passkey = await _require_passkey(call, who.user, passkey_id)
    passkey = await passkeys.change(call.db, passkey.id, call.now, friendly_name=params.friendly_name)
    await call.record(who.user, "passkey_updated", passkey_id=str(passkey_id))
    return Answer(_item(passkey))


async def delete_passkey(call: Call) -> Answer:
    require_enabled(call)
    who = await require_user(call)
    await require_strong(call, who)
    passkey = await _require_passkey(call, who.user, _passkey_id(call))
    await passkeys.remove(call.db, passkey.id)
    await call.record(who.user, "passkey_deleted", passkey_id=str(passkey.id))
    return Answer(status=204)


async def list_passkeys_as_admin(call: Call) -> Answer:
    await require_admin(call)
    return await _listed(call, await require_target(call))


async def delete_passkey_as_admin(call: Call) -> Answer:
    admin = await require_admin(call)
    user = await require_target(call)
    passkey = await _require_passkey(call, user, _passkey_id(call))
    await passkeys.remove(call.db, passkey.id)
    await call.record_by(admin, "passkey_deleted", user_id=str(user.id), passkey_id=str(passkey.id))
    return Answer(status=204)


async def _listed(call: Call, user: User) -> Answer:
    return Answer([_item(passkey) for passkey in await passkeys.of_user(call.db, user.id)])


def _passkey_id(call: Call) -> UUID:
    try:
        return UUID(call.request.path_params["passkey"])
    except ValueError as error:
        raise invalid("Passkey not found", 404) from error


async def _require_passkey(call: Call, user: User, passkey_id: UUID) -> Passkey:
    passkey = await passkeys.find(call.db, user.id, passkey_id)
    if passkey is None:
        raise invalid("Passkey not found", 404)
    return passkey


def _item(passkey: Passkey) -> dict[str, object]:
    shown = {
        "id": str(passkey.id),
        "friendly_name": passkey.friendly_name or None,
        "created_at": render_time(passkey.created_at),
        "last_used_at": render_time(passkey.last_used_at),
    }
    return {name: value for name, value in shown.items() if value is not None}
