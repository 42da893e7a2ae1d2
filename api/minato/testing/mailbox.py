"""Mails and text messages that a branch would have sent."""

from __future__ import annotations

from dataclasses import dataclass, field

from minato.testing.control import Told, call, with_query

PATIENCE = "5s"


@dataclass(frozen=True)
class Message:
    """`code` and `link` are empty where it has none; `type` is signup, recovery, magiclink, …"""

    id: str
    to: str
    type: str
    text: str
    code: str = field(repr=False)
    link: str = field(repr=False)
    created_at: str
    sender: str = ""
    subject: str = ""
    html: str = field(default="", repr=False)
    token_hash: str = field(default="", repr=False)


class Mailbox:
    """Messages of one kind. Nobody reads yesterday's code: what `wait_for` has given, and what was before, is over."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._seen: dict[str, str] = {}

    def list(self, to: str | None = None, type: str | None = None) -> list[Message]:
        """All that are kept, newest first."""
        return [_message(told) for told in call("GET", with_query(self._url, to=to, type=type))]

    def wait_for(self, to: str, type: str | None = None, timeout: float | str = PATIENCE) -> Message:
        """The newest message to somebody that came since the last one given. Raises `MinatoError` `no_message`."""
        asked = with_query(self._url, to=to, type=type, since=self._seen.get(to), wait=timeout, required="true")
        newest = _message(call("GET", asked)[0])
        self._seen[to] = newest.id
        return newest


def _message(told: Told) -> Message:
    told = {**told, "sender": told.get("from")}
    return Message(**{name: told.get(name) or "" for name in Message.__dataclass_fields__})
