"""What a server installs is locked apart from what its developers need besides."""

from __future__ import annotations

import re
from importlib.metadata import files
from pathlib import Path

from tests.support.command import REPOSITORY

DEVELOPMENT = {
    *("pytest", "mypy", "moto", "flask", "flask-cors", "boto3", "botocore", "supabase", "hypothesis", "ruff"),
    *("pip-tools", "import-linter", "tuspy", "pytest-xdist", "pytest-asyncio"),
}
# What moto brings for services that no test asks: a hundred megabytes of files.
OF_OTHER_SERVICES = {"docker", "sympy", "networkx", "cfn-lint", "graphql-core"}


def pins(name: str) -> dict[str, str]:
    lines = (REPOSITORY / name).read_text().splitlines()
    return dict(found.groups() for line in lines if (found := re.match(r"([a-z0-9._-]+)==(\S+)", line)))  # type: ignore[misc]


def test_no_package_of_development_is_in_the_lock_of_the_server() -> None:
    assert DEVELOPMENT & pins("requirements.lock").keys() == set()
    assert pins("requirements-dev.lock").keys() >= DEVELOPMENT


def test_no_more_is_installed_for_tests_than_the_one_service_they_ask() -> None:
    for name in ("requirements.lock", "requirements-dev.lock"):
        assert OF_OTHER_SERVICES & pins(name).keys() == set()


def test_what_a_server_installs_stays_small() -> None:
    installed = (Path(file.locate()) for name in pins("requirements.lock") for file in files(name) or ())
    sizes = [path.stat().st_size for path in installed if path.suffix != ".pyc" and path.is_file()]
    assert 100_000_000 < sum(sizes) < 300_000_000


def test_tests_run_on_the_versions_that_are_shipped() -> None:
    shipped, tested = pins("requirements.lock"), pins("requirements-dev.lock")
    assert {name: tested.get(name) for name in shipped} == shipped


def test_locks_hold_hashes_and_name_no_registry() -> None:
    for name in ("requirements.lock", "requirements-dev.lock"):
        text = (REPOSITORY / name).read_text()
        assert text.count("==") <= text.count("--hash=sha256:")
        assert not re.search(r"https?://|--index-url|--find-links", text)


def test_the_image_is_made_from_the_lock_of_the_server_alone() -> None:
    image = (REPOSITORY / "Dockerfile").read_text()
    assert re.findall(r"requirements\S*\.lock", image) == ["requirements.lock", "requirements.lock"]
