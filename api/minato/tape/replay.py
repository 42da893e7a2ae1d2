"""Asks again what a tape holds, of another server, and compares. Only what reads is sent unless writes are allowed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urlsplit

import httpx

from minato.tape.compare import GRADES, Difference, Names, differences, holds_a_secret
from minato.tape.entry import ANON, COMPARED, SERVICE, Entry, kept_body, kept_path

SECONDS: Final = 30.0
_RPC: Final = re.compile(r"/rest/v1(/rpc/[^?]+)")
# POST that only reads.
_LISTS: Final = re.compile(r"/storage/v1/object/(list|list-v2)/")


@dataclass(frozen=True)
class Other:
    """The server that is asked: what it is called, and what opens it. `token` is for what users asked."""

    url: str
    anon_key: str = field(repr=False)
    service_key: str | None = field(default=None, repr=False)
    token: str | None = field(default=None, repr=False)

    @property
    def ref(self) -> str:
        """What its writes are allowed by: a hosted project's ref, else the host."""
        host = urlsplit(self.url).hostname or ""
        return host.partition(".")[0] if host.endswith((".supabase.co", ".supabase.in")) else host

    def keys(self, caller: str) -> tuple[str, str] | None:
        """`apikey` and token of a caller; None where they are not known."""
        if caller == ANON:
            return self.anon_key, self.anon_key
        if caller == SERVICE:
            return (self.service_key, self.service_key) if self.service_key is not None else None
        return (self.anon_key, self.token) if self.token is not None else None


@dataclass(frozen=True)
class Replayed:
    """One entry and what became of it; `skipped` is the reason why it was not sent."""

    entry: Entry
    found: Sequence[Difference] = ()
    skipped: str = ""

    @property
    def grade(self) -> str:
        """The worst of its differences; empty without one."""
        return min((each.grade for each in self.found), default="")


def worst(replayed: Sequence[Replayed]) -> str:
    """The worst grade of all; empty where nothing differs."""
    return min((each.grade for each in replayed if each.grade), default="")


def fails(replayed: Sequence[Replayed], grade: str) -> bool:
    """Whether anything is as bad as `grade`, S1 being the worst."""
    return worst(replayed) in GRADES[: GRADES.index(grade) + 1]


def replay(entries: Sequence[Entry], other: Other, writes: bool) -> Iterator[Replayed]:
    """Each entry in its turn. Raises httpx.HTTPError where the server does not answer."""
    names = Names()
    with httpx.Client(base_url=other.url, timeout=SECONDS, trust_env=False, follow_redirects=False) as client:
        stable = _stable_functions(client, other) if any(_RPC.match(each.path) for each in entries) else set()
        for entry in entries:
            reason = _reason(entry, other, stable, writes)
            if reason:
                yield Replayed(entry, skipped=reason)
            else:
                yield Replayed(entry, differences(entry, _asked(client, entry, other, names), names))


def _reason(entry: Entry, other: Other, stable: set[str], writes: bool) -> str:
    """Why an entry is not sent; empty where it is."""
    if other.keys(entry.caller) is None:
        return (
            "there is no --service-key" if entry.caller == SERVICE else f"it is {entry.caller}'s: there is no --token"
        )
    if holds_a_secret(entry):
        return "it holds a secret, which no tape keeps"
    if entry.method in ("GET", "HEAD") or writes or _LISTS.match(entry.path):
        return ""
    function = _RPC.match(entry.path)
    if function is not None:
        return "" if function[1] in stable else "the function is not known to be stable"
    return "it writes: --allow-writes"


def _stable_functions(client: httpx.Client, other: Other) -> set[str]:
    """The functions that the other server calls by GET, too: those which change nothing."""
    key = other.service_key or other.anon_key
    answer = client.get("/rest/v1/", headers={"apikey": key, "authorization": f"Bearer {key}"})
    try:
        paths = answer.json()["paths"]
        return {path for path, methods in paths.items() if path.startswith("/rpc/") and "get" in methods}
    except (ValueError, KeyError, TypeError, AttributeError):
        return set()


def _asked(client: httpx.Client, entry: Entry, other: Other, names: Names) -> Entry:
    keys = other.keys(entry.caller)
    assert keys is not None
    headers = {**entry.sent, "apikey": keys[0], "authorization": f"Bearer {keys[1]}"}
    body = None if entry.body is None else names.told_there(entry.body).encode()
    answer = client.request(entry.method, names.told_there(entry.path), headers=headers, content=body)
    return Entry(
        number=entry.number,
        method=entry.method,
        path=entry.path,
        caller=entry.caller,
        status=answer.status_code,
        headers={name: kept_path(answer.headers[name]) for name in COMPARED if name in answer.headers},
        answer=kept_body(answer.content, answer.headers.get("content-type", "")),
    )
