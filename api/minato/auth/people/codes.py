"""GET /_dev/v1/users/<user>/totp: what the account's authenticator app shows at the backend's time."""

from __future__ import annotations

from uuid import UUID

from sqlalchemy import BigInteger, text

from minato.auth.factors.totp import PERIOD, SKEW, totp
from minato.auth.people.refusals import PersonError
from minato.auth.people.target import require_person
from minato.auth.request.context import ReadTransaction
from minato.auth.request.response import Response
from minato.auth.rows import factors
from minato.auth.rows.factors import Factor

LAST_STEP = text("select step from minato.totp_steps where factor_id = :factor").columns(step=BigInteger)


async def totp_code(tx: ReadTransaction) -> Response:
    """A code that was not used yet: of this period or, where that one was, of the next, which is accepted as well."""
    user = await require_person(tx, tx.path_params["user"])
    factor = _newest(await factors.of_user(tx.db, user.id))
    moment = tx.now.timestamp()
    step = await _unused(tx, factor.id, int(moment // PERIOD))
    valid = (step + 1) * PERIOD - moment
    return Response({
        "code": totp(factor.secret or "", step * PERIOD),
        "valid_s": round(valid, 3),
        "factor_id": str(factor.id),
    })  # fmt: skip


def _newest(enrolled: list[Factor]) -> Factor:
    """The newest app that was proven, else the newest that was not."""
    apps = sorted((one for one in enrolled if one.factor_type == "totp"), key=lambda one: one.is_verified)
    if not apps:
        hint = "Enroll one, or write [[user.factors]] into the users file."
        raise PersonError(404, "user_not_found", "This user has no authenticator app.", hint)
    return apps[-1]


async def _unused(tx: ReadTransaction, factor_id: UUID, now: int) -> int:
    last = None if tx.settings.security_totp_reuse else (await tx.db.execute(LAST_STEP, {"factor": factor_id})).scalar()
    step: int = now if last is None else max(now, last + 1)
    if step > now + SKEW:
        hint = 'Let time pass: PUT /_dev/v1/clock {"advance": "30s"}.'
        raise PersonError(409, "codes_used", "Every code that would be accepted now was used.", hint)
    return step
