"""The platform knows nothing of the project it serves: none of its tables, functions or addresses."""

from __future__ import annotations

import re
from pathlib import Path

from minato.project.folder import Project

ROOT = Path(__file__).parents[3]
MARKETPLACE = Project(ROOT / "migrations" / "marketplace")
MADE = re.compile(r"create (?:table|view) (?:if not exists )?(?:public|private)\.(\w+)", re.IGNORECASE)


def platform_files() -> list[Path]:
    return sorted([*(ROOT / "api").rglob("*.py"), *(ROOT / "migrations" / "platform").glob("*.sql")])


def test_no_table_of_the_marketplace_is_asked_in_the_platform() -> None:
    made = {name for file in MARKETPLACE.migrations() for name in MADE.findall(file.path.read_text())}
    assert len(made) > 20
    names = re.compile(
        rf"\b(?:from|into|join|update|table|public\.|private\.)\s*(?:public\.|private\.)?({'|'.join(made)})\b"
    )
    found = {
        f"{file.relative_to(ROOT)}: {name}" for file in platform_files() for name in names.findall(file.read_text())
    }
    assert found == set()


def test_the_platform_asks_nothing_of_the_marketplaces_private_schema() -> None:
    asks = re.compile(r"\bprivate\.\w")
    files = [file.name for file in platform_files() if file.suffix == ".py" and asks.search(file.read_text())]
    assert files == []
