"""The conditions of a request: on the object that is read, and on the one that a write replaces."""

from __future__ import annotations

from datetime import UTC
from email.utils import parsedate_to_datetime

from minato.storage.errors import no_such_key, not_implemented
from minato.storage.object_reply import modified, named_tags, names_tag
from minato.storage.objects import StoredObject
from minato.storage.request import Request
from minato.storage.s3_wire.errors import precondition_failed


def require_match(request: Request, row: StoredObject) -> None:
    """Raise PreconditionFailed unless the object is the one that If-Match or If-Unmodified-Since means."""
    wanted = request.headers.get("if-match")
    if wanted is not None:
        holds = names_tag(wanted, row.etag)
    else:
        holds = not _changed_since(row, request.headers.get("if-unmodified-since", ""))
    if not holds:
        raise precondition_failed()


def _changed_since(row: StoredObject, date: str) -> bool:
    try:
        since = parsedate_to_datetime(date)
        return modified(row).replace(microsecond=0) > since.replace(tzinfo=since.tzinfo or UTC)
    except (ValueError, OverflowError):
        return False


def only_creates(request: Request) -> bool:
    """Whether the write must replace nothing. Raises NotImplemented for what else If-None-Match can say of a write."""
    header = request.headers.get("if-none-match")
    if header not in (None, "*"):
        raise not_implemented("If-None-Match with a tag at a write")
    return header is not None


def replaced_tags(request: Request) -> frozenset[str] | None:
    """Tags of which the object that is replaced must have one, empty for any; None without such a condition."""
    header = request.headers.get("if-match")
    if header is None:
        return None
    return frozenset() if header.strip() == "*" else named_tags(header)


def require_replaceable(request: Request, before: StoredObject | None) -> None:
    """Raise unless the write may take the place of the object that is there, or of none."""
    wanted = request.headers.get("if-match")
    if only_creates(request) and before is not None:
        raise precondition_failed()
    if wanted is None:
        return
    if before is None:
        raise no_such_key()
    if not names_tag(wanted, before.etag):
        raise precondition_failed()
