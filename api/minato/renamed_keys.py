"""Keys of `supabase/config.toml` that had other names before version 3 of the Supabase CLI. Both are read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

Name = tuple[str, ...]
# What they were, and what they are; what begins with the one begins with the other. Where a file has both, today's
# counts, as for the CLI.
RENAMED: Final[Mapping[Name, Name]] = {
    ("inbucket",): ("local_smtp",),
    ("auth", "email", "enable_signup"): ("auth", "email", "enabled"),
    ("auth", "sms", "enable_signup"): ("auth", "sms", "enabled"),
    ("experimental", "orioledb_version"): ("db", "orioledb_version"),
}


def of_today(name: Name) -> Name:
    """A key by its name of today.

    >>> of_today(("inbucket", "port")), of_today(("api", "port"))
    (('local_smtp', 'port'), ('api', 'port'))
    """
    return _replaced(name, RENAMED)


def of_before(name: Name) -> Name:
    """A key by the name that it had, the same one where it had no other.

    >>> of_before(("auth", "email", "enabled"))
    ('auth', 'email', 'enable_signup')
    """
    return _replaced(name, {today: before for before, today in RENAMED.items()})


def _replaced(name: Name, names: Mapping[Name, Name]) -> Name:
    return next((new + name[len(old) :] for old, new in names.items() if name[: len(old)] == old), name)
