"""Extensions in the wrong place, or older than what the server has."""

from __future__ import annotations

from collections.abc import Iterator

from minato.advisors.finding import Finding, Level, Lint
from minato.advisors.snapshot import Extension, Snapshot
from minato.database.identifiers import quote_identifier

IN_PUBLIC = Lint(
    "extension_in_public",
    "Extension in Public",
    Level.WARN,
    "SECURITY",
    "What an extension makes in a schema of the API can be called through the API.",
)
OUTDATED = Lint(
    "extension_versions_outdated",
    "Extension Versions Outdated",
    Level.WARN,
    "SECURITY",
    "The server has a newer version of the extension, with what was mended since.",
)


def in_public(snapshot: Snapshot) -> Iterator[Finding]:
    """Extensions in exposed schemas."""
    for extension in snapshot.extensions:
        if extension.schema in snapshot.exposed:
            detail = f"Extension {extension.name} is in the schema {extension.schema}."
            mend = ("create schema if not exists extensions", *_moved(extension))
            yield Finding(IN_PUBLIC, "extension", "", extension.name, "", detail, mend)


def _moved(extension: Extension) -> tuple[str, ...]:
    """One that can't be moved is made anew, which PostgreSQL refuses while anything needs it."""
    name = quote_identifier(extension.name)
    if extension.is_relocatable:
        return (f"alter extension {name} set schema extensions",)
    return (f"drop extension {name}", f"create extension {name} with schema extensions")


def outdated(snapshot: Snapshot) -> Iterator[Finding]:
    """Extensions whose newest version here is another than the installed one."""
    for extension in snapshot.extensions:
        if extension.newest is not None and extension.newest != extension.version:
            detail = f"Extension {extension.name} is at {extension.version}, the server has {extension.newest}."
            mend = (f"alter extension {quote_identifier(extension.name)} update",)
            yield Finding(OUTDATED, "extension", "", extension.name, "", detail, mend)
