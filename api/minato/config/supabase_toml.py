"""`supabase/config.toml`: what `minato serve` reads of it, as settings of ours; the names of `[auth]` map one to one.

`python -m minato.config.supabase_toml > docs/supabase-config.md` writes the table of names.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from minato.config.supabase_functions import functions_config
from minato.config.third_party import REQUIRED, SECTION, SETTING, issuer_of_section
from minato.renamed_keys import of_today

_FROM_ENVIRONMENT = re.compile(r"env\((\w+)\)")
INTRODUCTION = """\
# Settings from `supabase/config.toml`

`minato serve --config supabase/config.toml` reads `[auth]`, `[functions.<name>]` and `[edge_runtime]` as the
Supabase CLI does: this table is of `[auth]`, the others are in [Edge Functions](how-to/edge-functions.md). What it says
counts as if it stood in the environment; a variable that is really there wins. `env(NAME)` is replaced by the variable,
files are looked for beside the file and in the folder above it. What has no counterpart here is named at start and left
out.

Written by `python -m minato.config.supabase_toml`.

| `config.toml` | setting | |
|---|---|---|
"""
_LOWER, _UPPER, _DIGITS = "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789"
_SYMBOLS = "!@#$%^&*()_+-=[]{};'\\\\:\"|<>?,./`~"
PASSWORD_REQUIREMENTS: Mapping[str, str] = {
    "letters_digits": f"{_LOWER}{_UPPER}:{_DIGITS}",
    "lower_upper_letters_digits": f"{_LOWER}:{_UPPER}:{_DIGITS}",
    "lower_upper_letters_digits_symbols": f"{_LOWER}:{_UPPER}:{_DIGITS}:{_SYMBOLS}",
}
SMS_PROVIDERS = ("twilio", "messagebird", "textlocal", "vonage")
FILES = frozenset({"signing_keys_path"})
# Read together: what they name is one issuer.
THIRD_PARTY = frozenset(
    f"{SECTION}.{name}.{key}" for name, (_, keys) in REQUIRED.items() for key in ("enabled", *keys)
) | {f"{SECTION}.auth0.tenant_region"}


@dataclass
class SupabaseConfig:
    """The settings by environment name, the secrets of functions by theirs, and the keys that have no counterpart."""

    settings: dict[str, str] = field(default_factory=dict)
    unknown: list[str] = field(default_factory=list)
    secrets: dict[str, str] = field(default_factory=dict, repr=False)


def supabase_config(document: Mapping[str, Any], folder: Path, environment: Mapping[str, str]) -> SupabaseConfig:
    """Translate `[auth]`, `[edge_runtime]` and `[functions]` of a file in `folder`; `environment` has what it refers
    to. Raises ValueError in one sentence for what nobody could read like this, and where an issuer is switched on that
    is not named as it must be.
    """
    section = _filled(document.get("auth", {}), environment)
    found = auth_settings(_of_today(dict(_flatten(section if isinstance(section, dict) else {}))), folder)
    _drop_disabled(found, section)
    functions = functions_config(_filled(document, environment), folder)
    found.settings |= functions.settings
    found.secrets = functions.secrets
    found.unknown += functions.unknown
    return found


def _filled(value: Any, environment: Mapping[str, str]) -> Any:
    """`value` with each `env(NAME)` in it replaced by the variable; one that is not there is empty."""
    if isinstance(value, dict):
        return {key: _filled(each, environment) for key, each in value.items()}
    if isinstance(value, list):
        return [_filled(each, environment) for each in value]
    if isinstance(value, str):
        return _FROM_ENVIRONMENT.sub(lambda match: environment.get(match[1], ""), value)
    return value


def auth_settings(values: Mapping[str, Any], folder: Path) -> SupabaseConfig:
    """Translate keys below `[auth]`; files are looked for in `folder` and in the one above it.

    Raises ValueError where an issuer that is switched on is not named as it must be.
    """
    found = SupabaseConfig()
    for key, value in values.items():
        _translate(found, folder, key, value)
    issuer = issuer_of_section(values)
    if issuer is not None:
        found.settings[SETTING] = issuer
    return found


def _flatten(table: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in table.items():
        key = f"{prefix}{name}"
        if isinstance(value, dict) and key != "sms.test_otp":
            yield from _flatten(value, f"{key}.")
        else:
            yield key, value


def _of_today(values: Mapping[str, Any]) -> dict[str, Any]:
    """The keys by their names of today; where a file has both names, that one counts."""
    named = {key: ".".join(of_today(("auth", *key.split(".")))[1:]) for key in values}
    return {named[key]: value for key, value in values.items() if named[key] == key or named[key] not in values}


def _translate(found: SupabaseConfig, folder: Path, key: str, value: Any) -> None:
    if key == "enabled" or key in THIRD_PARTY:
        return
    if key == "password_requirements":
        found.settings["GOTRUE_PASSWORD_REQUIRED_CHARACTERS"] = PASSWORD_REQUIREMENTS.get(str(value), "")
    elif (provider := re.fullmatch(r"sms\.(\w+)\.enabled", key)) and provider[1] in SMS_PROVIDERS:
        if value is True:
            found.settings["GOTRUE_SMS_PROVIDER"] = provider[1]
    elif (name := environment_name(key)) is None:
        found.unknown.append(f"auth.{key}")
    elif key in FILES or key.endswith(".content_path"):
        found.settings[name] = f"@{_existing(folder, str(value))}"
    elif name.startswith("!"):
        found.settings[name[1:]] = _text(value is not True)
    else:
        found.settings[name] = _text(value)


def environment_name(key: str) -> str | None:
    """The setting for a key below `[auth]`; a leading `!` says that it means the opposite.

    >>> environment_name("site_url"), environment_name("email.enable_confirmations")
    ('GOTRUE_SITE_URL', '!GOTRUE_MAILER_AUTOCONFIRM')
    >>> environment_name("external.github.secret")
    'GOTRUE_EXTERNAL_GITHUB_SECRET'
    """
    for pattern, name in NAMES.items():
        match = re.fullmatch(re.escape(pattern).replace("<name>", r"(\w+)"), key)
        if match is not None:
            return name.replace("<NAME>", match[1].upper()) if match.groups() else name
    return None


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return ",".join(_text(item) for item in value)
    if isinstance(value, dict):
        return ",".join(f"{name}:{_text(item)}" for name, item in value.items())
    return str(value)


def _existing(folder: Path, given: str) -> Path:
    """The file, as older and newer versions of the CLI look for it."""
    beside, above = folder / given, folder.parent / given
    return above.absolute() if above.exists() and not beside.exists() else beside.absolute()


def _drop_disabled(found: SupabaseConfig, section: Any) -> None:
    """An SMTP server that is switched off is not configured, and without one the CLI does not limit mail."""
    smtp = section.get("email", {}).get("smtp") if isinstance(section, dict) else None
    if not isinstance(smtp, dict) or smtp.get("enabled") is False:
        for name in [name for name in found.settings if name.startswith("SMTP_")]:
            del found.settings[name]
        found.settings.pop("GOTRUE_RATE_LIMIT_EMAIL_SENT", None)


def render_table() -> str:
    """The table of names, in Markdown."""
    rows = [*NAMES.items(), ("password_requirements", "GOTRUE_PASSWORD_REQUIRED_CHARACTERS")]
    rows += [(f"sms.{provider}.enabled", "GOTRUE_SMS_PROVIDER") for provider in SMS_PROVIDERS]
    rows += [(key, SETTING) for key in THIRD_PARTY]
    lines = [f"| `auth.{key}` | `{name.removeprefix('!')}` | {_remark(key, name)} |" for key, name in sorted(rows)]
    return INTRODUCTION + "\n".join(lines) + "\n"


def _remark(key: str, name: str) -> str:
    if name.startswith("!"):
        return "the opposite"
    if key in FILES or key.endswith(".content_path"):
        return "a file"
    if key in THIRD_PARTY:
        return "the issuer it stands for"
    if key == "password_requirements":
        return "the sets of characters it stands for"
    return f"`{key.split('.')[1]}` when true" if name == "GOTRUE_SMS_PROVIDER" else ""


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
    "email.enabled": "GOTRUE_EXTERNAL_EMAIL_ENABLED",
    "email.double_confirm_changes": "GOTRUE_MAILER_SECURE_EMAIL_CHANGE_ENABLED",
    "email.enable_confirmations": "!GOTRUE_MAILER_AUTOCONFIRM",
    "email.secure_password_change": "GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_REAUTHENTICATION",
    "email.require_current_password": "GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_CURRENT_PASSWORD",
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
    "sms.enabled": "GOTRUE_EXTERNAL_PHONE_ENABLED",
    "sms.enable_confirmations": "!GOTRUE_SMS_AUTOCONFIRM",
    **_below("sms.", "GOTRUE_SMS_", "template max_frequency test_otp otp_length"),
    "sms.otp_expiry": "GOTRUE_SMS_OTP_EXP",
    **_below("sms.twilio.", "GOTRUE_SMS_TWILIO_", "account_sid message_service_sid content_sid auth_token"),
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


if __name__ == "__main__":
    sys.stdout.write(render_table())
