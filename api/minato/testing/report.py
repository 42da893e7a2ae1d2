"""What became of a branch whose test has ended: a report of what it did, and whether it stays."""

from __future__ import annotations

from minato.testing.branch import Branch
from minato.testing.control import MinatoError, Told, wish_to_keep

MOST = 20
KEPT_FOR = "1h"
# A server that keeps no journal, or is gone, has nothing to say; the test's own failure is what counts.
SILENCE = (MinatoError, OSError)


def report(branch: Branch) -> str:
    """The last requests, newest first, with why they were refused, and the messages and faults between them."""
    try:
        events = branch.events("request,message,fault,webhook,cron", limit=MOST)
    except SILENCE as error:
        return f"Nothing is known of {branch.url}: {error}"
    lines = [line for event in events for line in _lines(branch, event)]
    return "\n".join([f"{branch.url}, the last {len(events)} events, newest first:", *lines])


def keeps(is_failed: bool) -> bool:
    """Whether MINATO_KEEP, `failed` or `all`, asks for the branch to stay."""
    wanted = wish_to_keep()
    return wanted == "all" or (wanted == "failed" and is_failed)


def keep(branch: Branch) -> str:
    """Let it stay; a sentence that says where it is."""
    branch.keep(KEPT_FOR)
    return f"Kept while its server runs, for {KEPT_FOR} after its last request: {branch.url}"


def _lines(branch: Branch, event: Told) -> list[str]:
    said = [f"  {event['title']}"]
    if event["kind"] == "request" and event["level"] != "info":
        try:
            said.append(f"    why: {branch.why_of(event['id'])['sentence']}")
        except (*SILENCE, KeyError):
            pass
    return said
