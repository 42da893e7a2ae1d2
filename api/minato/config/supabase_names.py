"""The keys of `[auth]` in `supabase/config.toml` and our settings for them; `!` marks those that mean the opposite."""

from __future__ import annotations

from collections.abc import Mapping

_LOWER, _UPPER, _DIGITS = "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789"
_SYMBOLS = "!@#$%^&*()_+-=[]{};'\\\\:\"|<>?,./`~"
PASSWORD_REQUIREMENTS: Mapping[str, str] = {
    "letters_digits": f"{_LOWER}{_UPPER}:{_DIGITS}",
    "lower_upper_letters_digits": f"{_LOWER}:{_UPPER}:{_DIGITS}",
    "lower_upper_letters_digits_symbols": f"{_LOWER}:{_UPPER}:{_DIGITS}:{_SYMBOLS}",
}
SMS_PROVIDERS = ("twilio", "messagebird", "textlocal", "vonage")
FILES = frozenset({"signing_keys_path"})


def _below(prefix: str, target: str, names: str) -> dict[str, str]:
    """Keys that are called alike on both sides."""
    return {f"{prefix}{name}": f"{target}{name.upper()}" for name in names.split()}


NAMES: Mapping[str, str] = {
    "site_url": "GOTRUE_SITE_URL",
    "additional_redirect_urls": "GOTRUE_URI_ALLOW_LIST",
    "jwt_expiry": "GOTRUE_JWT_EXP",
    "jwt_issuer": "GOTRUE_JWT_ISSUER",
    "signing_keys_path": "GOTRUE_JWT_KEYS",
    "enable_signup": "!GOTRUE_DISABLE_SIGNUP",
    "enable_anonymous_sign_ins": "GOTRUE_EXTERNAL_ANONYMOUS_USERS_ENABLED",
    "enable_manual_linking": "GOTRUE_SECURITY_MANUAL_LINKING_ENABLED",
    "enable_refresh_token_rotation": "GOTRUE_SECURITY_REFRESH_TOKEN_ROTATION_ENABLED",
    "refresh_token_reuse_interval": "GOTRUE_SECURITY_REFRESH_TOKEN_REUSE_INTERVAL",
    "minimum_password_length": "GOTRUE_PASSWORD_MIN_LENGTH",
    **_below("rate_limit.", "GOTRUE_RATE_LIMIT_", "email_sent sms_sent anonymous_users token_refresh web3"),
    "rate_limit.sign_in_sign_ups": "GOTRUE_RATE_LIMIT_OTP",
    "rate_limit.token_verifications": "GOTRUE_RATE_LIMIT_VERIFY",
    **_below("captcha.", "GOTRUE_SECURITY_CAPTCHA_", "enabled provider secret"),
    "email.enable_signup": "GOTRUE_EXTERNAL_EMAIL_ENABLED",
    "email.double_confirm_changes": "GOTRUE_MAILER_SECURE_EMAIL_CHANGE_ENABLED",
    "email.enable_confirmations": "!GOTRUE_MAILER_AUTOCONFIRM",
    "email.secure_password_change": "GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_REAUTHENTICATION",
    "email.max_frequency": "GOTRUE_SMTP_MAX_FREQUENCY",
    "email.otp_length": "GOTRUE_MAILER_OTP_LENGTH",
    "email.otp_expiry": "GOTRUE_MAILER_OTP_EXP",
    **_below("email.smtp.", "SMTP_", "host port user sender_name"),
    "email.smtp.pass": "SMTP_PASSWORD",
    "email.smtp.admin_email": "SMTP_SENDER_EMAIL",
    "email.template.<name>.subject": "GOTRUE_MAILER_SUBJECTS_<NAME>",
    "email.template.<name>.content": "GOTRUE_MAILER_TEMPLATES_<NAME>",
    "email.template.<name>.content_path": "GOTRUE_MAILER_TEMPLATES_<NAME>",
    "email.notification.<name>.enabled": "GOTRUE_MAILER_NOTIFICATIONS_<NAME>_ENABLED",
    "email.notification.<name>.subject": "GOTRUE_MAILER_SUBJECTS_<NAME>_NOTIFICATION",
    "email.notification.<name>.content": "GOTRUE_MAILER_TEMPLATES_<NAME>_NOTIFICATION",
    "email.notification.<name>.content_path": "GOTRUE_MAILER_TEMPLATES_<NAME>_NOTIFICATION",
    "sms.enable_signup": "GOTRUE_EXTERNAL_PHONE_ENABLED",
    "sms.enable_confirmations": "!GOTRUE_SMS_AUTOCONFIRM",
    **_below("sms.", "GOTRUE_SMS_", "template max_frequency test_otp"),
    **_below("sms.twilio.", "GOTRUE_SMS_TWILIO_", "account_sid message_service_sid auth_token"),
    **_below("sms.messagebird.", "GOTRUE_SMS_MESSAGEBIRD_", "originator access_key"),
    **_below("sms.textlocal.", "GOTRUE_SMS_TEXTLOCAL_", "sender api_key"),
    **_below("sms.vonage.", "GOTRUE_SMS_VONAGE_", "from api_key api_secret"),
    **_below("sessions.", "GOTRUE_SESSIONS_", "timebox inactivity_timeout"),
    **{f"hook.<name>.{name}": f"GOTRUE_HOOK_<NAME>_{name.upper()}" for name in ("enabled", "uri", "secrets")},
    "mfa.max_enrolled_factors": "GOTRUE_MFA_MAX_ENROLLED_FACTORS",
    **_below("mfa.totp.", "GOTRUE_MFA_TOTP_", "enroll_enabled verify_enabled"),
    **_below("mfa.phone.", "GOTRUE_MFA_PHONE_", "enroll_enabled verify_enabled otp_length template max_frequency"),
    **_below("mfa.web_authn.", "GOTRUE_MFA_WEB_AUTHN_", "enroll_enabled verify_enabled"),
    "passkey.enabled": "GOTRUE_PASSKEY_ENABLED",
    **_below("webauthn.", "GOTRUE_WEBAUTHN_", "rp_id rp_display_name rp_origins"),
    **{
        f"external.<name>.{name}": f"GOTRUE_EXTERNAL_<NAME>_{name.upper()}"
        for name in ("enabled", "client_id", "secret", "redirect_uri", "url", "skip_nonce_check", "email_optional")
    },
    "web3.<name>.enabled": "GOTRUE_EXTERNAL_WEB3_<NAME>_ENABLED",
    "oauth_server.enabled": "GOTRUE_OAUTH_SERVER_ENABLED",
    "oauth_server.authorization_url_path": "GOTRUE_OAUTH_SERVER_AUTHORIZATION_PATH",
    "oauth_server.allow_dynamic_registration": "GOTRUE_OAUTH_SERVER_ALLOW_DYNAMIC_REGISTRATION",
}
