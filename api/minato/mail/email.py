"""One message, as the room that sends it sees it."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Email:
    """A mail with what a test or a person wants to find in it without parsing HTML.

    `type` is the kind of mail (`signup`, `recovery`, …); `link`, `token` and `token_hash` are the way to confirm,
    `unsubscribe` the page where the reader can switch such mails off, which a POST does at once (RFC 8058). `reference`
    is the same for every try to deliver one mail. `source` is the whole message, of a mail that another program wrote.
    """

    to: str
    subject: str
    html: str = field(repr=False)
    text: str = field(repr=False)
    type: str
    sender: str = ""
    link: str | None = field(default=None, repr=False)
    token: str | None = field(default=None, repr=False)
    token_hash: str | None = field(default=None, repr=False)
    unsubscribe: str | None = field(default=None, repr=False)
    reference: str | None = None
    source: bytes | None = field(default=None, repr=False)

    def as_json(self) -> dict[str, object]:
        """The mail as `/_dev/outbox` gives it."""
        return {
            "to": self.to,
            "from": self.sender,
            "subject": self.subject,
            "type": self.type,
            "html": self.html,
            "text": self.text,
            "link": self.link,
            "token": self.token,
            "token_hash": self.token_hash,
            "unsubscribe": self.unsubscribe,
        }
