"""The X-Robots-Tag header that may come with an upload and goes out with every download."""

from __future__ import annotations

from minato.storage.errors import StorageError

RULES = frozenset({"all", "noindex", "nofollow", "none", "nosnippet", "indexifembedded", "notranslate", "noimageindex"})
VALUED = ("max-snippet", "max-image-preview", "max-video-preview", "unavailable_after")
DEFAULT = "none"


def require_robots_tag(header: str) -> None:
    """Raise unless every comma-separated rule is one a crawler knows; a rule may name the bot it is for."""
    if header.strip().lower().startswith("unavailable_after:") or ", unavailable_after:" in header.lower():
        # The date has a comma of its own.
        header = header[: header.lower().index("unavailable_after:")].rstrip(", ")
    for rule in filter(None, (part.strip() for part in header.split(","))):
        if not _is_rule(rule.lower()):
            raise StorageError(
                400,
                "InvalidRequest",
                f'Invalid X-Robots-Tag header: Invalid X-Robots-Tag rule: "{rule}"',
                "invalid_x_robots_tag",
            )


def _is_rule(rule: str) -> bool:
    name, colon, value = rule.partition(":")
    if name in VALUED:
        return bool(value.strip())
    return rule in RULES or bool(colon and name.strip() and _is_rule(value.strip()))
