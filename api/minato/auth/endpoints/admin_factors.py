"""/admin/users/{id}/factors: an administrator lists, renames and removes an account's second factors."""

from __future__ import annotations

from dataclasses import dataclass

from minato.auth.endpoints.admin_user import require_target
from minato.auth.endpoints.factors import require_factor
from minato.auth.factors.kinds import KINDS
from minato.auth.request.context import ReadTransaction, Transaction
from minato.auth.request.response import Response
from minato.auth.rows import factors
from minato.auth.sessions.authentication import require_admin
from minato.auth.wire.user_json import factor_json
from minato.auth.wire.validation import validate_phone


@dataclass
class adminUserUpdateFactorParams:  # Go's name for it, which a refusal shows
    friendly_name: str = ""
    phone: str = ""


async def list_factors(tx: ReadTransaction) -> Response:
    await require_admin(tx)
    user = await require_target(tx)
    return Response([factor_json(factor) for factor in await factors.of_user(tx.db, user.id)])


async def update_factor(tx: Transaction) -> Response:
    admin = await require_admin(tx)
    user = await require_target(tx)
    factor = await require_factor(tx, user, "factor")
    params = tx.params(adminUserUpdateFactorParams)
    values: dict[str, object] = {"friendly_name": params.friendly_name} if params.friendly_name else {}
    if params.phone and factor.factor_type == "phone":
        values["phone"] = validate_phone(params.phone)
    if values:
        factor = await factors.change(tx.db, factor, tx.now, **values)
    traits = {"user_id": str(user.id), "factor_id": str(factor.id), "factor_type": factor.factor_type}
    await tx.record_by(admin, "factor_updated", **traits)
    return Response(factor_json(factor))


async def delete_factor(tx: Transaction) -> Response:
    await require_admin(tx)
    user = await require_target(tx)
    factor = await require_factor(tx, user, "factor")
    await tx.record(user, "factor_deleted", user_id=str(user.id), factor_id=str(factor.id))
    await factors.remove(tx.db, factor, KINDS[factor.factor_type].method)
    return Response(factor_json(factor))
