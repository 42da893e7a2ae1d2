"""Settings of the auth room, under the names GoTrue gives them.

Defaults are those of the local Supabase stack, with confirmation mails on. Durations are seconds; lists are
comma-separated.
"""

from __future__ import annotations

from functools import cached_property

from pydantic import Field, model_validator
from pydantic_settings import SettingsConfigDict

from minato.config.auth_external import ExternalSettings
from minato.config.auth_hooks import HookSettings
from minato.config.auth_limits import LimitSettings, SafetySettings
from minato.config.auth_mail import MailTemplateSettings
from minato.config.auth_sessions import OAuthServerSettings, SessionSettings
from minato.config.auth_sms import SmsSettings
from minato.config.auth_webauthn import WebAuthnSettings
from minato.config.base import Seconds


class AuthSettings(
    SessionSettings,
    MailTemplateSettings,
    SmsSettings,
    HookSettings,
    LimitSettings,
    WebAuthnSettings,
    ExternalSettings,
    OAuthServerSettings,
    SafetySettings,
):
    """`GOTRUE_*`."""

    model_config = SettingsConfigDict(env_prefix="GOTRUE_", extra="ignore", frozen=True)

    site_url: str | None = Field(None, description="Where mails lead when no redirect is asked; default public URL.")
    uri_allow_list: str = Field("", description="Globs of further allowed redirects, comma-separated.")
    disable_signup: bool = Field(False, description="Refuse new accounts.")
    external_email_enabled: bool = Field(True, description="Sign-in by email.")
    external_email_authorized_addresses: str = Field(
        "", description="The only addresses that mail is sent to, comma-separated; empty for any."
    )
    external_email_magic_link_enabled: bool = Field(True, description="Sign-in by mailed link or code.")
    external_phone_enabled: bool = Field(False, description="Sign-in by phone.")
    external_anonymous_users_enabled: bool = Field(False, description="Sign-in without any address.")

    api_max_request_duration: Seconds = Field(10.0, gt=0, description="Seconds a request may take.")
    db_cleanup_enabled: bool = Field(
        False, description="Remove revoked tokens, ended sessions, unverified factors and old anonymous users."
    )
    audit_log_disable_postgres: bool = Field(False, description="Keep no audit log in the database.")
    experimental_create_email_identity_on_password_set_enabled: bool = Field(
        False, description="A first password on a confirmed account also makes it an account by email."
    )

    jwt_exp: int = Field(3600, ge=1, description="Seconds an access token is good for.")
    jwt_aud: str = Field("authenticated", description="Audience of new accounts and their tokens.")
    jwt_default_group_name: str = Field("authenticated", description="Database role of new accounts.")
    jwt_admin_group_name: str = Field("admin", description="Role whose users may write their app_metadata.")
    jwt_admin_roles: str = Field("service_role,supabase_admin", description="Roles that may call /admin.")
    jwt_issuer: str | None = Field(None, description="iss of access tokens; default <public URL>/auth/v1.")

    mailer_autoconfirm: bool = Field(False, description="Accept email addresses without a confirmation mail.")
    mailer_allow_unverified_email_sign_ins: bool = Field(
        False, description="Users of other services may sign in with an address nobody has verified."
    )
    mailer_secure_email_change_enabled: bool = Field(True, description="Both mailboxes confirm a change of address.")
    mailer_otp_length: int = Field(6, ge=6, le=10, description="Digits of mailed codes.")
    mailer_otp_exp: int = Field(3600, ge=1, description="Seconds a mailed code or link is good for.")
    mailer_urlpaths_verify: str = Field("/auth/v1/verify", description="Path of the server's own verify link.")
    mailer_urlpaths_confirmation: str = Field("", description="The same for signup mails.")
    mailer_urlpaths_invite: str = Field("", description="The same for invitations.")
    mailer_urlpaths_recovery: str = Field("", description="The same for recovery and magic-link mails.")
    mailer_urlpaths_email_change: str = Field("", description="The same for change mails.")
    mailer_token_hash_paths: str = Field(
        "",
        description="Redirect paths whose mails link straight to the page with ?token_hash=…&type=email.",
    )
    smtp_max_frequency: Seconds | None = Field(
        None, ge=0, description="Seconds between two mails of a kind to one user; default 60, in development 0."
    )

    password_min_length: int = Field(6, ge=6, description="Shortest password, in bytes.")
    password_required_characters: str = Field(
        "", description="Sets a password needs one character of each, separated by colons."
    )
    security_manual_linking_enabled: bool = Field(False, description="Users may link and unlink identities.")
    security_update_password_require_reauthentication: bool = Field(
        False, description="A password change in a session older than a day needs a mailed nonce."
    )
    security_update_password_require_current_password: bool = Field(
        False, description="A password change needs the current password; a session opened by a mailed link does not."
    )
    mfa_totp_enroll_enabled: bool = Field(True, description="Users may enroll an authenticator app.")
    mfa_totp_verify_enabled: bool = Field(True, description="Users may prove an authenticator app.")
    mfa_max_enrolled_factors: int = Field(10, ge=0, description="Second factors an account may have.")
    mfa_max_verified_factors: int = Field(10, ge=0, description="Of them, how many may be proven.")
    mfa_factor_expiry_duration: Seconds = Field(
        300, ge=300, description="Seconds after which a factor that was never challenged makes room."
    )
    mfa_challenge_expiry_duration: int = Field(300, ge=1, description="Seconds in which a challenge must be answered.")

    @model_validator(mode="after")
    def _confirmation_is_wanted_or_not(self) -> AuthSettings:
        if self.mailer_autoconfirm and self.mailer_allow_unverified_email_sign_ins:
            names = "GOTRUE_MAILER_AUTOCONFIRM and GOTRUE_MAILER_ALLOW_UNVERIFIED_EMAIL_SIGN_INS"
            raise ValueError(f"cannot enable both {names}")
        return self

    @cached_property
    def allowed_redirects(self) -> tuple[str, ...]:
        """The globs of `uri_allow_list`."""
        return _items(self.uri_allow_list)

    @cached_property
    def authorized_addresses(self) -> frozenset[str]:
        """Lower-case addresses mail may go to; empty for any."""
        return frozenset(_items(self.external_email_authorized_addresses.lower()))

    @cached_property
    def admin_roles(self) -> frozenset[str]:
        return frozenset(_items(self.jwt_admin_roles))

    @cached_property
    def token_hash_paths(self) -> frozenset[str]:
        return frozenset(_items(self.mailer_token_hash_paths))

    @cached_property
    def required_characters(self) -> tuple[str, ...]:
        # GoTrue writes a literal colon as \:
        parts = self.password_required_characters.replace("\\:", "\0").split(":")
        return tuple(part.replace("\0", ":") for part in parts if part)


def _items(text: str) -> tuple[str, ...]:
    return tuple(item.strip() for item in text.split(",") if item.strip())
