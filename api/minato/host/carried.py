"""What a backend has beside its database and its files, as a snapshot keeps it: the time, the outbox, and how far the
draws of a seed have come."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import asdict
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import orjson

from minato.backend import Backend
from minato.clock import Clock
from minato.database.sql_clock import SqlClock
from minato.entropy import Entropy, SeededEntropy
from minato.mail.email import Email
from minato.mail.outbox import OutboxEntry
from minato.sms.sender import TextMessage

CARRIED = "carried.json"
# What stands in a mail as bytes.
BYTES = "base64"
# Links of mails lead there.
AUTH = "/auth/v1/"


def carried(backend: Backend) -> bytes:
    """All of it, as JSON."""
    told = {
        "url": backend.public_url,
        "clock": _clock_told(backend),
        "mails": [_told(entry) for entry in backend.outbox.find()],
        "sms": [_told(entry) for entry in backend.sms_outbox.find()],
        "draws": _draws_told(backend.entropy),
    }
    return orjson.dumps(told, option=orjson.OPT_NON_STR_KEYS)


async def carry(told: bytes | None, backend: Backend) -> None:
    """Let the backend have it, and nothing else; None is the real time and an empty outbox. Links in mails lead to this
    backend then. Raises CONNECTION_ERRORS."""
    kept: dict[str, Any] = orjson.loads(told) if told is not None else {}
    former, present = kept.get("url", "") + AUTH, backend.public_url + AUTH
    backend.outbox.hold([_entry(Email, each, former, present) for each in kept.get("mails", [])])
    backend.sms_outbox.hold([_entry(TextMessage, each, former, present) for each in kept.get("sms", [])])
    _go_on(backend.entropy, kept.get("draws"))
    # Of several workers each has a clock of its own, so there nobody moves one.
    if backend.machine is None:
        await _put_clock(backend, kept.get("clock"))


def _clock_told(backend: Backend) -> dict[str, object]:
    clock = backend.clock
    sql = SqlClock(backend.database, backend.sql_clock_mark)
    stands_at = clock.now().isoformat() if clock.frozen else None
    return {"offset_s": clock.offset.total_seconds(), "stands_at": stands_at, "sql": sql.is_on}


async def _put_clock(backend: Backend, kept: Mapping[str, Any] | None) -> None:
    clock, sql = backend.clock, SqlClock(backend.database, backend.sql_clock_mark)
    clock.reset()
    if kept is not None:
        _set(clock, kept)
    if kept is not None and kept["sql"] and await sql.is_available():
        await sql.follow(clock.now() if clock.frozen else clock.offset)
    else:
        await sql.restore()


def _set(clock: Clock, kept: Mapping[str, Any]) -> None:
    if kept["stands_at"] is not None:
        clock.freeze()
        clock.put(datetime.fromisoformat(kept["stands_at"]))
    elif kept["offset_s"]:
        clock.put(clock.now() + timedelta(seconds=kept["offset_s"]))


def _draws_told(entropy: Entropy) -> dict[str, object] | None:
    if not isinstance(entropy, SeededEntropy):
        return None
    return {"seed": entropy.seed, "drawn": entropy.drawn}


def _go_on(entropy: Entropy, kept: Mapping[str, Any] | None) -> None:
    """Draw what follows: an id that was drawn before stands in the database already."""
    if kept is not None and isinstance(entropy, SeededEntropy) and entropy.seed == kept["seed"]:
        entropy.go_on({int(count): drawn for count, drawn in kept["drawn"].items()})


def _told(entry: OutboxEntry[Any]) -> dict[str, object]:
    fields = asdict(entry.message).items()
    message = {name: {BYTES: base64.b64encode(v).decode()} if isinstance(v, bytes) else v for name, v in fields}
    return {"id": entry.id, "created_at": entry.created_at, "message": message}


def _entry(make: Any, told: Mapping[str, Any], former: str, present: str) -> OutboxEntry[Any]:
    message = {name: _value(value, former, present) for name, value in told["message"].items()}
    return OutboxEntry(UUID(told["id"]), datetime.fromisoformat(told["created_at"]), make(**message))


def _value(value: object, former: str, present: str) -> object:
    match value:
        case {"base64": str(text)}:
            return base64.b64decode(text)
        case str():
            return value.replace(former, present)
    return value
