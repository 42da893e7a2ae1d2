"""The platform knows nothing of the project it serves: none of its tables, functions, words or addresses."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

from minato.project.folder import Project
from minato.project.minato_toml import DEFAULT_WEB

ROOT = Path(__file__).parents[3]
MARKETPLACE = Project(ROOT / "migrations" / "marketplace")
MADE = re.compile(r"create (?:table|view) (?:if not exists )?(?:public|private)\.(\w+)", re.IGNORECASE)


# What the backend had of it before: names that must not come back under another value either.
FORMER = ("DEMO_ADMIN", "EXAMPLE_ADMIN")


def words_of_the_marketplace() -> set[str]:
    """The names its page has for settings, who its administrator is in development, and who else can sign in."""
    file = tomllib.loads((MARKETPLACE.folder / "minato.toml").read_text())
    # What a page of any project is told has a name of the platform's.
    names = set(file["web"]) - set(DEFAULT_WEB)
    values = {value for value in file["development"].values() if isinstance(value, str) and "@" in value}
    accounts = json.loads((MARKETPLACE.seeds_folder / "demo" / "accounts.json").read_text())
    return names | values | {account["email"] for account in accounts} | {*FORMER}


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


def test_no_word_of_the_marketplace_is_in_the_platform() -> None:
    words = words_of_the_marketplace()
    assert {"adminEmail", "demoMode", "adminSignup", "admin@minato.example", "DEMO_ADMIN"} <= words
    said = re.compile(rf"(?<![\w@.])(?:{'|'.join(map(re.escape, sorted(words)))})(?!\w)")
    files = [
        *platform_files(),
        *(path for path in (ROOT / "api").rglob("*") if path.suffix in (".toml", ".html", ".js")),
    ]
    found = {f"{file.relative_to(ROOT)}: {word}" for file in files for word in said.findall(file.read_text())}
    assert found == set()


def test_no_folder_of_the_marketplace_is_named_in_the_platform() -> None:
    folder = str(MARKETPLACE.folder.parent.relative_to(ROOT))
    assert folder == "migrations/marketplace"
    assert [file.name for file in platform_files() if folder in file.read_text()] == []
