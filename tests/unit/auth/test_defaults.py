"""The defaults of auth beside those of GoTrue and of the Supabase CLI's local stack, setting by setting.

GoTrue: supabase/auth, internal/conf/configuration.go (defaults and ApplyDefaults) at bc32168e of 2026-08-20. The CLI:
supabase/cli, pkg/config/templates/config.toml and internal/start/start.go at 1d1e7191 of 2026-06-01.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest
from minato.auth.messages.mail_templates import DEFAULTS, TEXTS
from minato.cli.local.settings import Ports, ProjectFiles, project_settings
from minato.config import Settings
from minato.config.auth import AuthSettings
from minato.project.config_file import read_config
from minato.project.workdir import Workdir

# GoTrue's values under our names, where ours are the same.
AS_GOTRUE: Final[dict[str, object]] = {
    "disable_signup": False,
    "uri_allow_list": "",
    "external_email_enabled": True,
    "external_email_authorized_addresses": "",
    "external_email_magic_link_enabled": True,
    "external_phone_enabled": False,
    "external_anonymous_users_enabled": False,
    "external_redirect_url": "",
    "external_ios_bundle_id": "",
    "external_flow_state_expiry_duration": 300,
    "external_web3_solana_enabled": False,
    "external_web3_solana_maximum_validity_duration": 600,
    "external_web3_ethereum_enabled": False,
    "external_web3_ethereum_maximum_validity_duration": 600,
    "custom_oauth_enabled": True,
    "custom_oauth_max_providers": 0,
    "saml_enabled": False,
    "saml_relay_state_validity_period": 120,
    "saml_rate_limit_assertion": 15,
    "api_max_request_duration": 10,
    "db_cleanup_enabled": False,
    "audit_log_disable_postgres": False,
    "experimental_create_email_identity_on_password_set_enabled": False,
    "jwt_exp": 3600,
    "jwt_admin_group_name": "admin",
    "jwt_admin_roles": "service_role,supabase_admin",
    "mailer_autoconfirm": False,
    "mailer_allow_unverified_email_sign_ins": False,
    "mailer_secure_email_change_enabled": True,
    "mailer_otp_length": 6,
    "mailer_urlpaths_confirmation": "",
    "mailer_urlpaths_invite": "",
    "mailer_urlpaths_recovery": "",
    "mailer_urlpaths_email_change": "",
    "mailer_subjects_invite": "You've been invited",
    "mailer_subjects_confirmation": "Confirm your email address",
    "mailer_subjects_recovery": "Reset your password",
    "mailer_subjects_magic_link": "Your sign-in link",
    "mailer_subjects_email_change": "Confirm your new email address",
    "mailer_subjects_reauthentication": "{{ .Token }} is your verification code",
    "mailer_subjects_password_changed_notification": "Your password was changed",
    "mailer_subjects_email_changed_notification": "Your email address was changed",
    "mailer_subjects_phone_changed_notification": "Your phone number was changed",
    "mailer_subjects_identity_linked_notification": "A new sign-in method was linked to your account",
    "mailer_subjects_identity_unlinked_notification": "A sign-in method was removed from your account",
    "mailer_subjects_mfa_factor_enrolled_notification": "A new verification method was added to your account",
    "mailer_subjects_mfa_factor_unenrolled_notification": "A verification method was removed from your account",
    "mailer_notifications_password_changed_enabled": False,
    "mailer_notifications_email_changed_enabled": False,
    "mailer_notifications_phone_changed_enabled": False,
    "mailer_notifications_identity_linked_enabled": False,
    "mailer_notifications_identity_unlinked_enabled": False,
    "mailer_notifications_mfa_factor_enrolled_enabled": False,
    "mailer_notifications_mfa_factor_unenrolled_enabled": False,
    "sms_autoconfirm": False,
    "sms_otp_exp": 60,
    "sms_otp_length": 6,
    "sms_template": "Your code is {{ .Code }}",
    "sms_test_otp": "",
    "sms_test_otp_valid_until": None,
    "sms_provider": None,
    "password_min_length": 6,
    "password_required_characters": "",
    "security_manual_linking_enabled": False,
    "security_update_password_require_reauthentication": False,
    "security_update_password_require_current_password": False,
    "security_refresh_token_rotation_enabled": True,
    "security_refresh_token_upgrade_percentage": 0,
    "security_refresh_token_allow_reuse": False,
    "security_captcha_enabled": False,
    "security_captcha_provider": "hcaptcha",
    "security_captcha_timeout": 10,
    "sessions_timebox": None,
    "sessions_inactivity_timeout": None,
    "sessions_allow_low_aal": None,
    "sessions_single_per_user": False,
    "sessions_tags": "",
    "mfa_totp_enroll_enabled": True,
    "mfa_totp_verify_enabled": True,
    "mfa_phone_enroll_enabled": False,
    "mfa_phone_verify_enabled": False,
    "mfa_phone_otp_length": 6,
    "mfa_phone_template": "Your code is {{ .Code }}",
    "mfa_web_authn_enroll_enabled": False,
    "mfa_web_authn_verify_enabled": False,
    "mfa_max_enrolled_factors": 10,
    "mfa_max_verified_factors": 10,
    "mfa_factor_expiry_duration": 300,
    "mfa_challenge_expiry_duration": 300,
    "mfa_rate_limit_challenge_and_verify": 15,
    "passkey_enabled": False,
    "passkey_max_passkeys_per_user": 10,
    "webauthn_challenge_expiry_duration": 300,
    "webauthn_rp_origins": "",
    "rate_limit_header": "",
    "rate_limit_verify": 30,
    "rate_limit_token_refresh": 150,
    "rate_limit_otp": 30,
    "rate_limit_anonymous_users": 30,
    "rate_limit_sso": 30,
    "rate_limit_web3": 30,
    "rate_limit_passkey": 30,
    "rate_limit_oauth_dynamic_client_register": 10,
    "oauth_server_enabled": False,
    "oauth_server_allow_dynamic_registration": False,
    "oauth_server_authorization_ttl": 600,
    "oauth_server_default_scope": "email",
}
# GoTrue's value and ours; why stands in docs/compatibility.md.
NOT_AS_GOTRUE: Final[dict[str, tuple[object, object]]] = {
    "site_url": ("required", None),
    "external_allowed_id_token_issuers": ("https://appleid.apple.com,https://accounts.google.com", ""),
    "jwt_aud": ("", "authenticated"),
    "jwt_default_group_name": ("", "authenticated"),
    "jwt_issuer": ("", None),
    "mailer_otp_exp": (86400, 3600),
    "smtp_max_frequency": (60, None),
    "sms_max_frequency": (60, None),
    "mfa_phone_max_frequency": (60, None),
    "rate_limit_email_sent": ("30", None),
    "rate_limit_sms_sent": ("30", None),
    "security_refresh_token_reuse_interval": (0, 10),
    "security_refresh_token_algorithm_version": (0, 1),
    "webauthn_rp_id": ("", None),
    "webauthn_rp_display_name": ("", "Minato"),
    "oauth_server_authorization_path": ("", "/oauth/consent"),
}
# Settings that GoTrue has no such thing for, but for what each of its providers and hooks has alike.
OURS: Final = re.compile(
    "external|external_(allowed_id_token_client_ids|link_unverified_emails|private_networks)|"
    "security_(keep_first_sign_up|hide_accounts|tell_banned|code_tries|factor_tries|factor_tries_hourly|totp_reuse|"
    "password_tries|password_queue|captcha_url)|oauth_server_unbound_tokens|rate_limit_(peers|addresses)|"
    "hook_.*|sms_(twilio|messagebird|textlocal|vonage)_.*|mailer_templates_.*|mailer_urlpaths_verify|"
    "mailer_token_hash_paths|saml_private_key|security_captcha_secret"
)
# What `supabase start` tells GoTrue for a config.toml that says nothing, and so does `minato start`.
AS_THE_CLI: Final[dict[str, object]] = {
    "site_url": "http://127.0.0.1:3000",
    "uri_allow_list": "https://127.0.0.1:3000",
    "disable_signup": False,
    "jwt_exp": 3600,
    "external_email_enabled": True,
    "external_anonymous_users_enabled": False,
    "external_phone_enabled": False,
    "mailer_secure_email_change_enabled": True,
    "mailer_autoconfirm": True,
    "mailer_otp_length": 6,
    "mailer_otp_exp": 3600,
    "smtp_max_frequency": 1,
    "sms_autoconfirm": True,
    "sms_max_frequency": 5,
    "sms_otp_exp": 6000,
    "sms_otp_length": 6,
    "sms_template": "Your code is {{ .Code }}",
    "password_min_length": 6,
    "password_required_characters": "",
    "security_refresh_token_rotation_enabled": True,
    "security_refresh_token_reuse_interval": 10,
    "security_manual_linking_enabled": False,
    "security_update_password_require_reauthentication": False,
    "security_update_password_require_current_password": False,
    "mfa_phone_enroll_enabled": False,
    "mfa_phone_verify_enabled": False,
    "mfa_totp_enroll_enabled": False,
    "mfa_totp_verify_enabled": False,
    "mfa_web_authn_enroll_enabled": False,
    "mfa_web_authn_verify_enabled": False,
    "mfa_max_enrolled_factors": 10,
    "rate_limit_anonymous_users": 30,
    "rate_limit_token_refresh": 150,
    "rate_limit_otp": 30,
    "rate_limit_verify": 30,
    "rate_limit_sms_sent": "30",
    "rate_limit_web3": 30,
    "mailer_token_hash_paths": "",
}
# Sentences of GoTrue's own mails: the heading, and what a suite may look for.
SENTENCES: Final[dict[str, tuple[str, ...]]] = {
    "invite": (
        "You've been invited",
        "You've been invited to create an account. Follow the link below to accept.",
        "Accept invitation",
    ),
    "confirmation": (
        "Confirm your email address",
        "Follow the link below to confirm this email address and finish signing up.",
    ),
    "recovery": (
        "Reset your password",
        "We received a request to reset your password. Follow the link below to choose a new one.",
        "If you didn't request this, you can safely ignore this email.",
    ),
    "magic_link": (
        "Your sign-in link",
        "Follow the link below to sign in. This link expires shortly and can only be used once.",
        "Sign in",
    ),
    "email_change": (
        "Confirm your new email address",
        "Follow the link below to confirm {{ .NewEmail }} as your new email address.",
        "If you didn't request this change, you can safely ignore this email.",
    ),
    "reauthentication": (
        "Your verification code",
        "Use the code below to verify your identity. It expires shortly.",
    ),
    "password_changed_notification": (
        "Your password was changed",
        "The password for your account was recently changed.",
        "If you didn't make this change, reset your password and contact support immediately.",
    ),
    "email_changed_notification": (
        "Your email address was changed",
        "The email address for your account was changed from {{ .OldEmail }} to {{ .Email }}.",
        "If you didn't make this change, contact support immediately.",
    ),
    "phone_changed_notification": (
        "Your phone number was changed",
        "The phone number for your account was changed from {{ .OldPhone }} to {{ .Phone }}.",
    ),
    "identity_linked_notification": (
        "A new sign-in method was linked",
        "Your {{ .Provider }} account was linked as a new sign-in method for {{ .Email }}.",
    ),
    "identity_unlinked_notification": (
        "A sign-in method was removed",
        "Your {{ .Provider }} account was removed as a sign-in method for {{ .Email }}.",
    ),
    "mfa_factor_enrolled_notification": (
        "A new verification method was added",
        "Sign-in verification method {{ .FactorType }} was added to your account.",
    ),
    "mfa_factor_unenrolled_notification": (
        "A verification method was removed",
        "Sign-in verification method {{ .FactorType }} was removed from your account.",
    ),
}


def test_every_setting_is_compared_or_ours() -> None:
    compared = {*AS_GOTRUE, *NOT_AS_GOTRUE}
    rest = {name for name in AuthSettings.model_fields if name not in compared and not OURS.fullmatch(name)}
    assert rest == set()
    assert {name for name in compared if OURS.fullmatch(name)} == set()


@pytest.mark.parametrize("name", AS_GOTRUE)
def test_a_default_is_gotrues(name: str) -> None:
    assert getattr(AuthSettings(), name) == AS_GOTRUE[name]


@pytest.mark.parametrize("name", NOT_AS_GOTRUE)
def test_a_default_differs_as_it_is_written_down(name: str) -> None:
    theirs, ours = NOT_AS_GOTRUE[name]
    assert getattr(AuthSettings(), name) == ours != theirs


def test_a_project_that_says_nothing_has_the_settings_of_the_clis_local_stack(tmp_path: Path) -> None:
    workdir = Workdir(tmp_path)
    workdir.supabase.mkdir()
    workdir.config_file.write_text("")
    files = ProjectFiles(workdir, read_config(workdir, {}))
    auth = Settings.of(project_settings(files, tmp_path / "data", {}, Ports())).auth
    assert {name: getattr(auth, name) for name in AS_THE_CLI} == AS_THE_CLI
    # The CLI says 360,000 an hour where no SMTP server is configured; here there is no limit while developing.
    assert auth.rate_limit_email_sent is None


@pytest.mark.parametrize("kind", DEFAULTS)
def test_a_mail_says_what_gotrues_says_in_its_html_and_in_its_text(kind: str) -> None:
    for sentence in SENTENCES[kind]:
        assert sentence in DEFAULTS[kind]
        assert sentence in TEXTS[kind]
    assert "&#x27;" not in DEFAULTS[kind]
