"""Refusals of the auth room and how they look in either API version.

Old: `{code: <status>, error_code, msg}`; from X-Supabase-Api-Version 2024-01-01 on: `{code, message}`.
"""

from __future__ import annotations

import math
import re
from contextlib import AbstractContextManager
from datetime import date

from sqlalchemy.exc import DBAPIError, NoResultFound

from minato.auth.wire.json_format import render_json
from minato.database.wire.transaction import ServiceTransaction
from minato.http.errors import ApiError

# a unique value that is taken, an owner that is gone, a deadlock, a transaction that could not be serialized
LOST_RACES = frozenset({"23505", "23503", "40P01", "40001"})
# how often a request may run again because another was quicker
RACES = 4
API_VERSION = "2024-01-01"
UNEXPECTED = "Unexpected failure, please check server logs for more information"
CODES = frozenset(
    """
    unknown unexpected_failure validation_failed bad_json email_exists phone_exists bad_jwt not_admin no_authorization
    user_not_found session_not_found session_expired refresh_token_not_found refresh_token_already_used
    flow_state_not_found flow_state_expired signup_disabled user_banned unexpected_audience
    single_identity_not_deletable email_conflict_identity_not_deletable email_provider_disabled
    phone_provider_disabled manual_linking_disabled email_not_confirmed phone_not_confirmed user_already_exists conflict
    user_sso_managed reauthentication_needed same_password reauthentication_not_valid current_password_invalid
    current_password_required otp_expired otp_disabled identity_not_found weak_password over_email_send_rate_limit
    over_sms_send_rate_limit sms_send_failed mfa_verified_factor_exists
    over_request_rate_limit captcha_failed email_address_not_authorized
    hook_timeout hook_timeout_after_retry hook_payload_over_size_limit hook_payload_invalid_content_type
    mfa_verification_rejected
    bad_code_verifier anonymous_provider_disabled insufficient_aal invalid_credentials request_entity_too_large
    request_timeout not_implemented
    mfa_factor_not_found mfa_factor_name_conflict mfa_ip_address_mismatch mfa_challenge_expired
    mfa_verification_failed too_many_enrolled_mfa_factors mfa_totp_enroll_not_enabled mfa_totp_verify_not_enabled
    mfa_phone_enroll_not_enabled mfa_phone_verify_not_enabled mfa_webauthn_enroll_not_enabled
    mfa_webauthn_verify_not_enabled
    passkey_disabled too_many_passkeys webauthn_challenge_not_found webauthn_challenge_expired
    webauthn_verification_failed webauthn_credential_exists
    bad_oauth_callback bad_oauth_state flow_state_already_used oauth_client_state_not_found oauth_client_state_expired
    oauth_invalid_state oauth_provider_not_supported provider_disabled provider_email_needs_verification
    identity_already_exists invite_not_found custom_provider_not_found over_custom_provider_quota feature_disabled
    oauth_client_not_found oauth_authorization_not_found oauth_consent_not_found web3_provider_disabled
    web3_unsupported_chain oauth_dynamic_client_registration_disabled saml_provider_disabled sso_provider_not_found
    sso_provider_disabled sso_domain_already_exists saml_idp_already_exists saml_idp_not_found saml_entity_id_mismatch
    saml_metadata_fetch_failed saml_relay_state_not_found saml_relay_state_expired saml_assertion_no_user_id
    saml_assertion_no_email
    """.split()
)


class AuthError(ApiError):
    """A refusal. `commits` says that what was written before it must stay, such as a revoked token family;
    `retry_after` are the seconds after which it would not be refused."""

    commits = False
    retry_after: float | None = None

    def __init__(self, status: int, code: str, message: str, retry_after: float | None = None) -> None:
        assert code in CODES, f"{code} is missing from the list of codes"
        super().__init__(status, code, message)
        self.retry_after = retry_after


class CommittedError(AuthError):
    """A refusal whose mark in the database must survive it."""

    commits = True


class OAuthError(AuthError):
    """A refusal in the words of RFC 6749, alike in both API versions: `{error, error_description}`, always 400."""

    def __init__(self, error: str, description: str) -> None:
        ApiError.__init__(self, 400, error, description)


class WeakPassword(AuthError):
    """A password that breaks the rules; `reasons` are `length` and `characters`, in that order."""

    def __init__(self, message: str, reasons: list[str]) -> None:
        super().__init__(422, "weak_password", message)
        self.reasons = reasons


def invalid(message: str, status: int = 400) -> AuthError:
    """The commonest refusal."""
    return AuthError(status, "validation_failed", message)


def over_request_rate(wait: float) -> AuthError:
    """Whoever asks too often may ask again in `wait` seconds."""
    return AuthError(429, "over_request_rate_limit", "Request rate limit reached", wait)


def not_implemented(feature: str) -> AuthError:
    """An honest no to a part of the contract that is not there yet."""
    return AuthError(501, "not_implemented", f"{feature} is not implemented; see docs/compatibility.md")


class LostRace(Exception):
    """What a request has read before its transaction is not so any more; run again, it reads anew."""


def database_error(db: ServiceTransaction, message: str) -> AbstractContextManager[None]:
    """Words a failing statement of the block (a raising trigger, say) as GoTrue does, also where it leaves later; the
    cause is kept for the old format."""
    return db.naming(lambda _: AuthError(500, "unexpected_failure", message))


def lost_race(error: Exception) -> bool:
    """Whether the request failed only because another one was quicker: a row of its kind appeared, one that it had read
    went, or a deadlock."""
    if isinstance(error, NoResultFound | LostRace):
        return True
    if isinstance(error, AuthError) and error.status < 500:
        return False
    cause = error if isinstance(error, DBAPIError) else error.__cause__
    return getattr(getattr(cause, "orig", None), "sqlstate", None) in LOST_RACES


def wants_new_format(version: str | None) -> bool:
    """Whether the header names a date from 2024-01-01 on.

    >>> wants_new_format("2024-06-01"), wants_new_format("soon"), wants_new_format(None)
    (True, False, False)
    """
    if not version or not re.fullmatch(r"\d{4}-\d{2}-\d{2}", version, re.A):
        return False
    try:
        return date.fromisoformat(version) >= date.fromisoformat(API_VERSION)
    except ValueError:
        return False


def render_error(error: AuthError, new_format: bool, request_id: str) -> tuple[int, dict[str, str], bytes]:
    """Status, headers and body of a refusal."""
    status, headers, body = _render(error, new_format, request_id)
    if error.retry_after is not None and math.isfinite(error.retry_after):
        headers["retry-after"] = str(max(1, math.ceil(error.retry_after)))
    return status, headers, body


def _render(error: AuthError, new_format: bool, request_id: str) -> tuple[int, dict[str, str], bytes]:
    if isinstance(error, OAuthError):
        body: dict[str, object] = {"error": error.code, "error_description": error.message}
        return error.status, {"x-supabase-api-version": API_VERSION} if new_format else {}, render_json(body)
    if new_format:
        body = {"code": error.code, "message": error.message}
        headers = {"x-supabase-api-version": API_VERSION}
    else:
        raised = _postgres_error(error)
        if raised is not None:
            return *raised[:1], {"x-sb-error-code": error.code}, render_json(raised[1])
        body = {"code": error.status, "error_code": error.code, "msg": error.message}
        headers = {}
        if error.status >= 500:
            body["error_id"] = request_id
    if isinstance(error, WeakPassword):
        body["weak_password"] = {"reasons": error.reasons}
    if not (new_format and isinstance(error, WeakPassword)):
        headers["x-sb-error-code"] = error.code
    return error.status, headers, render_json(body)


def _postgres_error(error: AuthError) -> tuple[int, dict[str, object]] | None:
    """What the old format shows of a constraint or a raising trigger; PTnnn chooses the status."""
    cause = error.__cause__
    raised = getattr(getattr(cause, "orig", None), "__cause__", None)
    state = str(getattr(raised, "sqlstate", "") or "")
    custom = re.fullmatch(r"PT(\d{3})", state)
    if raised is None or not (state == "P0001" or state.startswith("23") or custom):
        return None
    shown = {"code": state, "message": getattr(raised, "message", "")}
    shown |= {name: value for name in ("hint", "detail") if (value := getattr(raised, name, None))}
    return int(custom.group(1)) if custom else 500, shown
