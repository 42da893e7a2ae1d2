"""Which names buckets and objects may have; supabase/storage storage/limits.ts.

A key never becomes a path: files are found by their version, so no name can escape a folder or be too long for one.
"""

from __future__ import annotations

import re

from minato.storage.errors import invalid_bucket_name, invalid_key

BUCKET_ID = re.compile(r"[A-Za-z0-9_!.*'() &$=@;:+,?-]{1,100}")
KEY = re.compile(r"[A-Za-z0-9_/!.*'() &$=@;:+,?-]+")
STEPS = frozenset({".", ".."})
TABLES_SUFFIX = "--table-s3"
EMPTY_FOLDER = ".emptyFolderPlaceholder"


def require_bucket_name(name: str) -> None:
    """Raise unless `name` may be the name of a new bucket."""
    if not BUCKET_ID.fullmatch(name) or name != name.strip() or name.endswith(TABLES_SUFFIX):
        raise invalid_bucket_name()


def require_key(key: str) -> None:
    """Raise unless `key` may name an object."""
    if not KEY.fullmatch(key) or not STEPS.isdisjoint(key.split("/")):
        raise invalid_key(key)


def is_empty_folder(key: str) -> bool:
    """Whether the object only keeps a folder visible; it must have no bytes and may have any type."""
    return key.endswith(EMPTY_FOLDER)
