"""The table of `start` and `status`: a box for each group that has something to show."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping

GROUPS: tuple[tuple[str, tuple[tuple[str, str], ...]], ...] = (
    ("🔧 Development Tools", (("Studio", "studio.url"), ("Mailpit", "mailpit.url"), ("MCP", "api.mcp_url"))),
    (
        "🌐 APIs",
        (
            ("Project URL", "api.url"),
            ("REST", "api.rest_url"),
            ("GraphQL", "api.graphql_url"),
            ("Edge Functions", "api.functions_url"),
        ),
    ),
    ("⛁ Database", (("URL", "db.url"),)),
    ("🔑 Authentication Keys", (("Publishable", "auth.publishable_key"), ("Secret", "auth.secret_key"))),
    (
        "📦 Storage (S3)",
        (
            ("URL", "api.storage_s3_url"),
            ("Access Key", "storage.s3_access_key_id"),
            ("Secret Key", "storage.s3_secret_access_key"),
            ("Region", "storage.s3_region"),
        ),
    ),
)
BOLD, GREEN, CYAN, YELLOW, PLAIN = "\033[1m", "\033[32m", "\033[36m", "\033[33m", "\033[0m"


def render_boxes(values: Mapping[str, str], coloured: bool) -> str:
    """A box a group, an empty line after each; rows without a value and groups without a row are left out."""
    boxes = []
    for title, rows in GROUPS:
        shown = [(label, key, values[key]) for label, key in rows if values.get(key)]
        if shown:
            boxes.append("\n".join(_box(title, shown, coloured)) + "\n\n")
    return "".join(boxes)


def _box(title: str, rows: list[tuple[str, str, str]], coloured: bool) -> Iterator[str]:
    left = max(_width(label) for label, _, _ in rows) + 2
    right = max(_width(value) for _, _, value in rows) + 2
    inner = max(left + right + 1, _width(title) + 2)
    right = inner - left - 1
    yield f"╭{'─' * inner}╮"
    yield f"│ {_painted(title, BOLD, coloured)}{' ' * (inner - 1 - _width(title))}│"
    yield f"├{'─' * left}┬{'─' * right}┤"
    for label, key, value in rows:
        start = f"│ {_painted(label, GREEN, coloured)}{' ' * (left - 1 - _width(label))}"
        yield f"{start}│ {_painted(value, _colour(key), coloured)}{' ' * (right - 1 - _width(value))}│"
    yield f"╰{'─' * left}┴{'─' * right}╯"


def _colour(key: str) -> str:
    return CYAN if key.endswith("url") else "" if key.endswith("region") else YELLOW


def _painted(text: str, colour: str, coloured: bool) -> str:
    return f"{colour}{text}{PLAIN}" if coloured and colour else text


def _width(text: str) -> int:
    """Columns in a terminal: pictures take two."""
    return sum(2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in text)
