"""POST /factors and DELETE /factors/{id}: enrolling a second factor and giving it up."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from datetime import timedelta
from urllib.parse import urlsplit
from uuid import UUID

from sqlalchemy import RowMapping

from minato.auth import factors
from minato.auth.authentication import Authenticated, require_known_user
from minato.auth.call import Answer, Call
from minato.auth.errors import AuthError, invalid
from minato.auth.notifications import News, tell
from minato.auth.totp import otpauth_uri, qr_svg
from minato.auth.users import User
from minato.auth.validation import validate_phone

SECRET_BYTES = 20
NAMES = {"totp": "TOTP", "phone": "Phone", "webauthn": "WebAuthn"}
SETTINGS = {"totp": "totp", "phone": "phone", "webauthn": "web_authn"}
METHODS = {"totp": "totp", "phone": "mfa/phone", "webauthn": "mfa/webauthn"}


@dataclass
class EnrollFactorParams:
    factor_type: str = ""
    friendly_name: str = ""
    issuer: str = ""
    phone: str = ""


async def enroll(call: Call) -> Answer:
    who = await require_known_user(call)
    params = call.params(EnrollFactorParams)
    kind = params.factor_type
    if kind not in NAMES:
        raise invalid("factor_type needs to be totp, phone, or webauthn")
    if not is_enabled(call, kind, "enroll"):
        raise AuthError(422, f"mfa_{kind}_enroll_not_enabled", f"MFA enroll is disabled for {NAMES[kind]}")
    if kind == "phone":
        await _replace_unverified(call, who, params)
    lifetime = timedelta(seconds=call.settings.mfa_factor_expiry_duration)
    await factors.purge_abandoned(call.db, who.user.id, call.now - lifetime)
    await _require_room(call, who, params.friendly_name)
    steps = {"totp": _enroll_totp, "phone": _enroll_phone, "webauthn": _enroll_key}
    return await steps[kind](call, who, params)


def is_enabled(call: Call, kind: str, step: str) -> bool:
    """Whether factors of this kind may take `step`, which is enroll or verify."""
    return bool(getattr(call.settings, f"mfa_{SETTINGS[kind]}_{step}_enabled"))


async def _require_room(call: Call, who: Authenticated, name: str) -> None:
    enrolled = await factors.of_user(call.db, who.user.id)
    verified = [factor for factor in enrolled if factor["status"] == "verified"]
    if any((factor["friendly_name"] or "") == name for factor in enrolled):
        message = f'A factor with the friendly name "{name}" for this user already exists'
        raise AuthError(422, "mfa_factor_name_conflict", message)
    settings = call.settings
    if len(enrolled) >= settings.mfa_max_enrolled_factors or len(verified) >= settings.mfa_max_verified_factors:
        message = "Maximum number of verified factors reached, unenroll to continue"
        raise AuthError(422, "too_many_enrolled_mfa_factors", message)
    if verified and not who.is_strong:
        raise AuthError(403, "insufficient_aal", "AAL2 required to enroll a new factor")


async def _enroll_totp(call: Call, who: Authenticated, params: EnrollFactorParams) -> Answer:
    if not who.user.email:
        raise AuthError(500, "unexpected_failure", "Error generating QR Code")
    secret = base64.b32encode(call.backend.entropy.bytes(SECRET_BYTES)).decode()
    uri = otpauth_uri(params.issuer or urlsplit(call.site_url).netloc, who.user.email, secret)
    factor_id = call.backend.entropy.uuid4()
    row = {"id": factor_id, "user_id": who.user.id, "factor_type": "totp", "secret": secret}
    await factors.create(call.db, call.now, friendly_name=params.friendly_name, **row)
    await call.record(who.user, "factor_in_progress", factor_id=str(factor_id), factor_type="totp")
    shared = {"qr_code": qr_svg(uri), "secret": secret, "uri": uri}
    return Answer({"id": str(factor_id), "type": "totp", "friendly_name": params.friendly_name, "totp": shared})


async def _enroll_key(call: Call, who: Authenticated, params: EnrollFactorParams) -> Answer:
    factor_id = call.backend.entropy.uuid4()
    row = {"id": factor_id, "user_id": who.user.id, "factor_type": "webauthn"}
    await factors.create(call.db, call.now, friendly_name=params.friendly_name, **row)
    await call.record(who.user, "factor_in_progress", factor_id=str(factor_id), factor_type="webauthn")
    return Answer({"id": str(factor_id), "type": "webauthn", "friendly_name": params.friendly_name})


async def _replace_unverified(call: Call, who: Authenticated, params: EnrollFactorParams) -> None:
    """A number is enrolled once; a try that was never proven makes room."""
    if not params.phone:
        raise invalid("Phone number required to enroll Phone factor")
    phone = validate_phone(params.phone)
    for factor in await factors.of_user(call.db, who.user.id):
        if factor["factor_type"] == "phone" and factor["phone"] == phone:
            if factor["status"] == "verified":
                message = "A verified phone factor already exists, unenroll the existing factor to continue"
                raise AuthError(422, "mfa_verified_factor_exists", message)
            await factors.remove(call.db, factor, METHODS["phone"])


async def _enroll_phone(call: Call, who: Authenticated, params: EnrollFactorParams) -> Answer:
    factor_id = call.backend.entropy.uuid4()
    row = {"id": factor_id, "user_id": who.user.id, "factor_type": "phone", "phone": validate_phone(params.phone)}
    await factors.create(call.db, call.now, friendly_name=params.friendly_name, **row)
    await call.record(who.user, "factor_in_progress", factor_id=str(factor_id), factor_type="phone")
    shown = {"id": str(factor_id), "type": "phone", "friendly_name": params.friendly_name, "phone": params.phone}
    return Answer(shown)


async def unenroll(call: Call) -> Answer:
    who = await require_known_user(call)
    factor = await require_factor(call, who.user)
    if factor["status"] == "verified" and not who.is_strong:
        raise AuthError(422, "insufficient_aal", "AAL2 required to unenroll verified factor")
    await factors.remove(call.db, factor, METHODS[factor["factor_type"]])
    traits = {
        "factor_id": str(factor["id"]),
        "factor_status": factor["status"],
        "session_id": str(who.session_id or ""),
    }
    await call.record(who.user, "factor_unenrolled", **traits)
    await tell(call, who.user, News("mfa_factor_unenrolled", factor_type=factor["factor_type"]))
    return Answer({"id": str(factor["id"])})


async def require_factor(call: Call, user: User, name: str = "id") -> RowMapping:
    """The account's factor that the path names in its parameter `name`."""
    try:
        factor_id = UUID(call.request.path_params[name])
    except ValueError as error:
        raise invalid("factor_id must be an UUID", 404) from error
    factor = await factors.find(call.db, user.id, factor_id)
    if factor is None:
        raise AuthError(404, "mfa_factor_not_found", "Factor not found")
    return factor
