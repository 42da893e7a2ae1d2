"""/admin/users/{id}/factors: an administrator lists, renames and removes an account's second factors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from minato.auth.endpoints.admin_user import require_target
from minato.auth.endpoints.factors import require_factor
from minato.auth.factors.kinds import KINDS
from minato.auth.request.call import Answer, Call
from minato.auth.rows import factors
from minato.auth.sessions.authentication import require_admin
from minato.auth.wire.user_json import factor_json
from minato.auth.wire.validation import validate_phone


@dataclass
class adminUserUpdateFactorParams:  # Go's name for it, which a refusal shows
    friendly_name: str = ""
    phone: str = ""


async def list_factors(call: Call) -> Answer:
    await require_admin(call)
    user = await require_target(call)
    return Answer([factor_json(factor) for factor in await factors.of_user(call.db, user.id)])


async def update_factor(call: Call) -> Answer:
    admin = await require_admin(call)
    user = await require_target(call)
    factor = await require_factor(call, user, "factor")
    params = call.params(adminUserUpdateFactorParams)
    values: dict[str, Any] = {"friendly_name": params.friendly_name} if params.friendly_name else {}
    if params.phone and factor.factor_type == "phone":
        values["phone"] = validate_phone(params.phone)
    if values:
        factor = await factors.change(call.db, factor, call.now, **values)
    traits = {"user_id": str(user.id), "factor_id": str(factor.id), "factor_type": factor.factor_type}
    await call.record_by(admin, "factor_updated", **traits)
    return Answer(factor_json(factor))


async def delete_factor(call: Call) -> Answer:
    await require_admin(call)
    user = await require_target(call)
    factor = await require_factor(call, user, "factor")
    await call.record(user, "factor_deleted", user_id=str(user.id), factor_id=str(factor.id))
    await factors.remove(call.db, factor, KINDS[factor.factor_type].method)
    return Answer(factor_json(factor))
