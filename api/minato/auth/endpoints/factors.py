"""POST /factors and DELETE /factors/{id}: enrolling a second factor and giving it up."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

from minato.auth.factors.kinds import KINDS, EnrollFactorParams, is_enabled
from minato.auth.messages.notifications import Notification, notify
from minato.auth.request.context import ReadTransaction, Transaction
from minato.auth.request.response import Response
from minato.auth.rows import factors
from minato.auth.rows.factors import Factor
from minato.auth.rows.users import User
from minato.auth.sessions.authentication import Authenticated, require_known_user
from minato.auth.wire.errors import AuthError, invalid


async def enroll(tx: Transaction) -> Response:
    who = await require_known_user(tx)
    params = tx.params(EnrollFactorParams)
    kind = KINDS.get(params.factor_type)
    if kind is None:
        raise invalid("factor_type needs to be totp, phone, or webauthn")
    if not is_enabled(tx, kind, "enroll"):
        raise AuthError(422, f"mfa_{kind.name}_enroll_not_enabled", f"MFA enroll is disabled for {kind.title}")
    await kind.make_room(tx, who.user, params)
    lifetime = timedelta(seconds=tx.settings.mfa_factor_expiry_duration)
    await factors.purge_abandoned(tx.db, who.user.id, tx.now - lifetime)
    await _require_room(tx, who, params.friendly_name)
    columns, shown = await kind.enroll(tx, who.user, params)
    factor_id = tx.backend.entropy.uuid4()
    row = {"id": factor_id, "user_id": who.user.id, "factor_type": kind.name, **columns}
    await factors.create(tx.db, tx.now, friendly_name=params.friendly_name, **row)
    await tx.record(who.user, "factor_in_progress", factor_id=str(factor_id), factor_type=kind.name)
    return Response({"id": str(factor_id), "type": kind.name, "friendly_name": params.friendly_name, **shown})


async def _require_room(tx: Transaction, who: Authenticated, name: str) -> None:
    enrolled = await factors.of_user(tx.db, who.user.id)
    verified = [factor for factor in enrolled if factor.is_verified]
    if any((factor.friendly_name or "") == name for factor in enrolled):
        message = f'A factor with the friendly name "{name}" for this user already exists'
        raise AuthError(422, "mfa_factor_name_conflict", message)
    settings = tx.settings
    if len(enrolled) >= settings.mfa_max_enrolled_factors or len(verified) >= settings.mfa_max_verified_factors:
        message = "Maximum number of verified factors reached, unenroll to continue"
        raise AuthError(422, "too_many_enrolled_mfa_factors", message)
    if verified and not who.is_strong:
        raise AuthError(403, "insufficient_aal", "AAL2 required to enroll a new factor")


async def unenroll(tx: Transaction) -> Response:
    who = await require_known_user(tx)
    factor = await require_factor(tx, who.user)
    if factor.is_verified and not who.is_strong:
        raise AuthError(422, "insufficient_aal", "AAL2 required to unenroll verified factor")
    await factors.remove(tx.db, factor, KINDS[factor.factor_type].method)
    traits = {
        "factor_id": str(factor.id),
        "factor_status": factor.status,
        "session_id": str(who.session_id or ""),
    }
    await tx.record(who.user, "factor_unenrolled", **traits)
    await notify(tx, who.user, Notification("mfa_factor_unenrolled", factor_type=factor.factor_type))
    return Response({"id": str(factor.id)})


async def require_factor(tx: ReadTransaction, user: User, name: str = "id") -> Factor:
    """The account's factor that the path names in its parameter `name`."""
    try:
        factor_id = UUID(tx.path_params[name])
    except ValueError as error:
        raise invalid("factor_id must be an UUID", 404) from error
    factor = await factors.find(tx.db, user.id, factor_id)
    if factor is None:
        raise AuthError(404, "mfa_factor_not_found", "Factor not found")
    return factor
