"""One message, as the room that sends it sees it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Email:
    """A mail with what a test or a person wants to find in it without parsing HTML.

    `type` is the kind of mail (`signup`, `recovery`, …); `link`, `token` and `token_hash` are the way to confirm.
    """

    to: str
    subject: str
    html: str
    text: str
    type: str
    sender: str = ""
    link: str | None = None
    token: str | None = None
    token_hash: str | None = None
