"""What Mailpit says of messages, as JSON: its own names in its own cases, lists that are empty instead of absent."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from datetime import datetime

from minato.mailpit.letter import Address, Letter
from minato.mailpit.parts import Part

JSON = dict[str, object]


def listed(letters: Sequence[Letter], found: Sequence[Letter], page: Sequence[Letter], start: int) -> JSON:
    """MessagesSummary: a page of what was `found` among all `letters`."""
    return {
        "total": len(letters),
        "unread": _unread(letters),
        "count": len(page),
        "messages_count": len(found),
        "messages_unread": _unread(found),
        "start": start,
        "tags": tags(letters),
        "messages": [summary(letter) for letter in page],
    }


def summary(letter: Letter) -> JSON:
    """MessageSummary."""
    return {
        "ID": letter.id,
        "MessageID": letter.message_id,
        "Read": letter.is_read,
        **_people(letter),
        "Subject": letter.subject,
        "Created": moment(letter.created, milliseconds=True),
        "Username": "",
        "Tags": letter.tags,
        "Size": len(letter.source),
        "Attachments": len(letter.parts.attachments),
        "Snippet": letter.snippet,
    }


def full(letter: Letter) -> JSON:
    """Message: everything but the bytes of what is attached."""
    return {
        "ID": letter.id,
        "MessageID": letter.message_id,
        **_people(letter),
        "ReturnPath": letter.header("Return-Path").strip("<>") or (letter.sender.address if letter.sender else ""),
        "Subject": letter.subject,
        "ListUnsubscribe": _unsubscribe(letter),
        "Date": moment(letter.date),
        "Tags": letter.tags,
        "Username": "",
        "Text": letter.parts.text,
        "HTML": letter.parts.html,
        "Size": len(letter.source),
        "Inline": [_attachment(part) for part in letter.parts.inlines if part.shown_name],
        "Attachments": [_attachment(part) for part in letter.parts.attachments if part.shown_name],
    }


def tags(letters: Sequence[Letter]) -> list[str]:
    """Every tag in use."""
    return sorted({tag for letter in letters for tag in letter.tags})


def moment(given: datetime, milliseconds: bool = False) -> str:
    """RFC 3339 as Go writes it: no more digits of a second than it takes, `Z` for UTC.

    >>> moment(datetime(2026, 1, 2, 3, 4, 5, 120999), milliseconds=True)
    '2026-01-02T03:04:05.12Z'
    """
    micro = given.microsecond - given.microsecond % 1000 if milliseconds else given.microsecond
    fraction = f".{micro:06d}".rstrip("0").rstrip(".")
    offset = given.strftime("%z")
    zone = f"{offset[:3]}:{offset[3:5]}" if given.utcoffset() else "Z"
    return f"{given:%Y-%m-%dT%H:%M:%S}{fraction}{zone}"


def _unread(letters: Sequence[Letter]) -> int:
    return sum(not letter.is_read for letter in letters)


def _people(letter: Letter) -> JSON:
    return {
        "From": _person(letter.sender) if letter.sender else None,
        "To": _persons(letter, "To"),
        "Cc": _persons(letter, "Cc"),
        "Bcc": _persons(letter, "Bcc"),
        "ReplyTo": _persons(letter, "Reply-To"),
    }


def _persons(letter: Letter, header: str) -> list[JSON]:
    return [_person(person) for person in letter.addresses(header)]


def _person(person: Address) -> JSON:
    return {"Name": person.name, "Address": person.address}


def _unsubscribe(letter: Letter) -> JSON:
    header = letter.header("List-Unsubscribe")
    return {
        "Header": header,
        "Links": re.findall(r"<((?:https?://|mailto:)[^<>\s]+)>", header),
        "Errors": "",
        "HeaderPost": letter.header("List-Unsubscribe-Post"),
    }


def _attachment(part: Part) -> JSON:
    sums = {name: hashlib.new(name.lower(), part.content, usedforsecurity=False) for name in ("MD5", "SHA1", "SHA256")}
    return {
        "PartID": part.id,
        "FileName": part.shown_name,
        "ContentType": part.media_type,
        "ContentID": part.content_id,
        "Size": len(part.content),
        "Checksums": {name: found.hexdigest() for name, found in sums.items()},
    }
