"""Settings of passkeys and of security keys as second factors."""

from __future__ import annotations

from functools import cached_property

from pydantic import Field

from minato.config.base import RoomSettings


class WebAuthnSettings(RoomSettings):
    """`GOTRUE_WEBAUTHN_*`, `GOTRUE_PASSKEY_*`, `GOTRUE_MFA_WEB_AUTHN_*`."""

    webauthn_rp_id: str | None = Field(
        None, description="Domain that passkeys and security keys are bound to; default the site URL's."
    )
    webauthn_rp_display_name: str = Field("Minato", description="Name an authenticator shows for this service.")
    webauthn_rp_origins: str = Field(
        "", description="Origins whose pages may use passkeys, comma-separated; default the site URL's."
    )
    webauthn_challenge_expiry_duration: int = Field(
        300, ge=1, description="Seconds in which a passkey ceremony must be finished."
    )
    passkey_enabled: bool = Field(False, description="Users may sign in with passkeys.")
    passkey_max_passkeys_per_user: int = Field(10, ge=1, description="Passkeys an account may have.")
    mfa_web_authn_enroll_enabled: bool = Field(False, description="Users may enroll a security key.")
    mfa_web_authn_verify_enabled: bool = Field(False, description="Users may prove a security key.")

    @cached_property
    def webauthn_origins(self) -> tuple[str, ...]:
        """The origins of `webauthn_rp_origins`."""
        return tuple(item.strip().rstrip("/") for item in self.webauthn_rp_origins.split(",") if item.strip())
