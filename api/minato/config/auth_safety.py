"""Where this server is stricter than GoTrue, and the way back to GoTrue's own behaviour."""

from __future__ import annotations

from pydantic import Field

from minato.config.base import RoomSettings


class SafetySettings(RoomSettings):
    """`GOTRUE_SECURITY_*` of this server's own."""

    security_keep_first_sign_up: bool = Field(
        False,
        description="An unconfirmed account keeps its first password and metadata whoever confirms it, as in GoTrue.",
    )
    security_hide_accounts: bool | None = Field(
        None,
        description="Answer {} to recover, otp, magiclink and resend before looking for the account; default in "
        "production. false answers as GoTrue does.",
    )
    security_tell_banned: bool = Field(
        False, description="Say user_banned to whoever tries any password of a banned account, as GoTrue does."
    )
    oauth_server_unbound_tokens: bool = Field(
        False, description="Tokens of OAuth clients may do here whatever their user may, as in GoTrue."
    )
