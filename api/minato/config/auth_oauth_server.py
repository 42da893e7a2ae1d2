"""Settings of the OAuth 2.1 server: other applications that sign in our users."""

from __future__ import annotations

from pydantic import Field

from minato.config.base import RoomSettings
from minato.config.durations import Seconds


class OAuthServerSettings(RoomSettings):
    """`GOTRUE_OAUTH_SERVER_*`."""

    oauth_server_enabled: bool = Field(False, description="Other applications may sign users in through this server.")
    oauth_server_allow_dynamic_registration: bool = Field(False, description="Applications may register themselves.")
    oauth_server_authorization_path: str = Field(
        "/oauth/consent", description="Page of the site that asks the user, given ?authorization_id=…."
    )
    oauth_server_authorization_ttl: Seconds = Field(600, ge=1, description="Seconds a user has to decide.")
    oauth_server_default_scope: str = Field("email", description="Scope of an application that asks for none.")
