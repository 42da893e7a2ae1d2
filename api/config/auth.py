"""Settings of the auth room: GoTrue's, as the Supabase CLI starts it, except that addresses are confirmed."""

from __future__ import annotations

from pydantic import Field
from pydantic_settings import SettingsConfigDict

from api.config.base import RoomSettings


class AuthSettings(RoomSettings):
    """`GOTRUE_*`."""

    model_config = SettingsConfigDict(env_prefix="GOTRUE_", env_file=".env", extra="ignore", frozen=True)

    site_url: str | None = Field(None, description="Where links lead when nothing else is asked; default: this server.")
    uri_allow_list: list[str] = Field([], description="Globs of further addresses that links may lead to.")
    api_external_url: str | None = Field(None, description="What mails call this service; default: its public URL.")
    disable_signup: bool = Field(False, description="Nobody may sign up.")
    external_email_enabled: bool = Field(True, description="Sign-up and sign-in by email.")
    external_phone_enabled: bool = Field(False, description="Sign-up and sign-in by phone; needs an SMS provider.")
    external_anonymous_users_enabled: bool = Field(False, description="Sign-in without any credential.")
    mailer_autoconfirm: bool = Field(False, description="Take email addresses for confirmed without a mail.")
    mailer_secure_email_change_enabled: bool = Field(True, description="A new address is confirmed by the old one too.")
    mailer_otp_length: int = Field(6, ge=6, le=10, description="Digits of a mailed code.")
    mailer_otp_exp: int = Field(3600, ge=1, description="Seconds a mailed code or link lives.")
    mailer_token_hash_paths: list[str] = Field(
        ["/email-confirmed"],
        description="Paths of pages that read ?token_hash=…&type=… themselves; mails link them directly.",
    )
    mailer_subjects: dict[str, str] = Field({}, description="Subjects by kind of mail; kinds as in the templates.")
    mailer_templates: dict[str, str] = Field({}, description="HTML by kind of mail, with GoTrue's {{ .Variables }}.")
    smtp_max_frequency: int = Field(1, ge=0, description="Seconds between two mails of a kind to one user.")
    rate_limit_email_sent: int = Field(0, ge=0, description="Mails per hour of the whole service; 0 switches it off.")
    password_min_length: int = Field(6, ge=6, description="Shortest password.")
    password_required_characters: list[str] = Field([], description="Sets of which a password needs a character each.")
    security_refresh_token_rotation_enabled: bool = Field(True, description="A reused token ends its session.")
    security_refresh_token_reuse_interval: int = Field(10, ge=0, description="Seconds a used token may be used again.")
    security_update_password_require_reauthentication: bool = Field(
        False, description="Changing the password of an older session needs a mailed code."
    )
    security_update_password_require_current_password: bool = Field(
        True, description="Changing the password needs the current one."
    )
    sessions_timebox: int = Field(0, ge=0, description="Seconds until a session ends; 0: never.")
    sessions_inactivity_timeout: int = Field(0, ge=0, description="Seconds without refresh until it ends; 0: never.")
    sessions_single_per_user: bool = Field(False, description="A newer sign-in ends the older ones.")
    jwt_exp: int = Field(3600, ge=1, description="Seconds an access token lives.")
    jwt_aud: str = Field("authenticated", description="Audience of users and their tokens.")
    jwt_issuer: str | None = Field(None, description="Issuer claim; default: <public URL>/auth/v1.")
    jwt_admin_roles: list[str] = Field(["service_role", "supabase_admin"], description="Roles that may use /admin.")
    jwt_default_group_name: str = Field("authenticated", description="Role of new users.")
    flow_state_expiry_duration: int = Field(300, ge=300, description="Seconds a PKCE flow stays open.")
