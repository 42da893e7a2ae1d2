"""Settings of sessions and their refresh tokens, and of the OAuth 2.1 server that gives them to other applications."""

from __future__ import annotations

from functools import cached_property

from pydantic import Field

from minato.config.base import RoomSettings, Seconds


class SessionSettings(RoomSettings):
    """`GOTRUE_SECURITY_REFRESH_TOKEN_*`, `GOTRUE_SESSIONS_*`."""

    security_refresh_token_rotation_enabled: bool = Field(
        True, description="A reused refresh token ends every token of its session."
    )
    security_refresh_token_reuse_interval: int = Field(
        10, ge=0, description="Seconds in which a used refresh token is still honoured."
    )
    security_refresh_token_algorithm_version: int = Field(
        1, ge=0, le=2, description="0 and 1: a row for each refresh token; 2: a signed counter in the session."
    )
    security_refresh_token_upgrade_percentage: int = Field(
        0, ge=0, le=100, description="Share of version 1 sessions whose next refresh gives a version 2 token."
    )
    security_refresh_token_allow_reuse: bool = Field(
        False, description="A used refresh token of version 2 is honoured for ever."
    )
    sessions_timebox: Seconds | None = Field(None, ge=1, description="Seconds after which a session ends in any case.")
    sessions_inactivity_timeout: Seconds | None = Field(None, ge=1, description="Seconds without refresh that end one.")
    sessions_allow_low_aal: Seconds | None = Field(
        None, ge=1, description="Seconds a session may last without the second factor its user has."
    )
    sessions_single_per_user: bool = Field(False, description="Only the session refreshed last stays alive.")
    sessions_tags: str = Field("", description="Kinds of sessions that are single each, comma-separated.")

    @cached_property
    def session_tags(self) -> tuple[str, ...]:
        """The kinds of `sessions_tags`."""
        return tuple(item.strip() for item in self.sessions_tags.split(",") if item.strip())


class OAuthServerSettings(RoomSettings):
    """`GOTRUE_OAUTH_SERVER_*`."""

    oauth_server_enabled: bool = Field(False, description="Other applications may sign users in through this server.")
    oauth_server_allow_dynamic_registration: bool = Field(False, description="Applications may register themselves.")
    oauth_server_authorization_path: str = Field(
        "/oauth/consent", description="Page of the site that asks the user, given ?authorization_id=…."
    )
    oauth_server_authorization_ttl: Seconds = Field(600, ge=1, description="Seconds a user has to decide.")
    oauth_server_default_scope: str = Field("email", description="Scope of an application that asks for none.")
