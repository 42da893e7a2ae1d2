"""/passkeys and /admin/users/{id}/passkeys: a user's passkeys listed, renamed, removed."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from minato.auth.endpoints.admin_users import require_target
from minato.auth.endpoints.passkey_ceremonies import require_enabled, require_strong
from minato.auth.factors import passkeys
from minato.auth.factors.passkeys import Passkey
from minato.auth.request.context import ReadTransaction, Transaction
from minato.auth.request.data import RequestData
from minato.auth.request.response import Response
from minato.auth.rows.users import User
from minato.auth.sessions.authentication import require_admin, require_user
from minato.auth.wire.errors import invalid
from minato.auth.wire.json_format import render_time

LONGEST_NAME = 120


@dataclass
class PasskeyUpdateParams:
    friendly_name: str = ""


async def list_passkeys(tx: ReadTransaction) -> Response:
    require_enabled(tx)
    who = await require_user(tx)
    return await _listed(tx, who.user)


async def update_passkey(tx: Transaction) -> Response:
    require_enabled(tx)
    who = await require_user(tx)
    params = tx.params(PasskeyUpdateParams)
    passkey_id = _passkey_id(tx)
    if not params.friendly_name:
        raise invalid("friendly_name is required")
    if len(params.friendly_name.encode()) > LONGEST_NAME:
        raise invalid(f"friendly_name must be {LONGEST_NAME} characters or less")
    passkey = await _require_passkey(tx, who.user, passkey_id)
    passkey = await passkeys.change(tx.db, passkey.id, tx.now, friendly_name=params.friendly_name)
    await tx.record(who.user, "passkey_updated", passkey_id=str(passkey_id))
    return Response(_item(passkey))


async def delete_passkey(tx: Transaction) -> Response:
    require_enabled(tx)
    who = await require_user(tx)
    await require_strong(tx, who)
    passkey = await _require_passkey(tx, who.user, _passkey_id(tx))
    await passkeys.remove(tx.db, passkey.id)
    await tx.record(who.user, "passkey_deleted", passkey_id=str(passkey.id))
    return Response(status=204)


async def list_passkeys_as_admin(tx: ReadTransaction) -> Response:
    await require_admin(tx)
    return await _listed(tx, await require_target(tx))


async def delete_passkey_as_admin(tx: Transaction) -> Response:
    admin = await require_admin(tx)
    user = await require_target(tx)
    passkey = await _require_passkey(tx, user, _passkey_id(tx))
    await passkeys.remove(tx.db, passkey.id)
    await tx.record_by(admin, "passkey_deleted", user_id=str(user.id), passkey_id=str(passkey.id))
    return Response(status=204)


async def _listed(tx: ReadTransaction, user: User) -> Response:
    return Response([_item(passkey) for passkey in await passkeys.of_user(tx.db, user.id)])


def _passkey_id(data: RequestData) -> UUID:
    try:
        return UUID(data.path_params["passkey"])
    except ValueError as error:
        raise invalid("Passkey not found", 404) from error


async def _require_passkey(tx: ReadTransaction, user: User, passkey_id: UUID) -> Passkey:
    passkey = await passkeys.find(tx.db, user.id, passkey_id)
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
