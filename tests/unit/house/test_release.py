"""What a release says of itself is true: its licences, its version, the workflows that prove it."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path

import pytest
from minato import __version__

from tests.release.notices import EXTENSIONS, npm_notices, python_notices, render

ROOT = Path(__file__).parents[3]


def test_the_notices_are_those_of_the_locks() -> None:
    said = "run python -m tests.release.notices > THIRD-PARTY-NOTICES.md"
    assert (ROOT / "THIRD-PARTY-NOTICES.md").read_text() == render(), said


def test_every_package_has_a_licence_that_may_be_passed_on() -> None:
    found = python_notices((ROOT / "requirements.lock").read_text())
    found += npm_notices((ROOT / "web/package-lock.json").read_text())
    assert len(found) > 150
    assert [notice.name for notice in found if not re.fullmatch(r"[A-Za-z0-9.+ ()-]+", notice.licence)] == []
    # A library under the LGPL may be passed on as it is; beside one under the GPL this could not be Apache-2.0.
    assert [notice.name for notice in found if re.search(r"(?<![L])GPL", notice.licence)] == []


@pytest.mark.parametrize(
    ("script", "digest"),
    [
        ("pgtap--1.3.5.sql", "92ee8ada9672e6201105a78614be8d07b8a76e5c17c85b42c279f6e48c84da68"),
        ("pgmq--1.13.0.sql", "bf7e66c75ed771df0c5f7cb2b9f0123ca77992daacd56e3911d1894a3efa99de"),
    ],
)
def test_a_work_of_others_is_unchanged_and_has_its_licence_and_origin(script: str, digest: str) -> None:
    head, _, work = (EXTENSIONS / script).read_text().partition(f"\n{'-' * 60}\n")
    assert hashlib.sha256(work.encode()).hexdigest() == digest
    for words in ("Origin: https://", "Copyright (c) ", "Permission to use, copy, modify", "NO EVENT SHALL"):
        assert words in head


def test_the_licence_is_whole_and_the_package_says_so() -> None:
    licence = (ROOT / "LICENSE").read_text()
    assert "Version 2.0, January 2004" in licence
    assert "END OF TERMS AND CONDITIONS" in licence


def test_the_version_is_said_in_one_place() -> None:
    assert re.fullmatch(r"\d+\.\d+\.\d+", __version__)
    assert not re.search(r"^version *=", (ROOT / "pyproject.toml").read_text(), re.M)


def test_the_npm_package_has_the_version_of_the_server() -> None:
    package = json.loads((ROOT / "packages/minato-test/package.json").read_text())
    assert package["version"] == __version__
    assert "dependencies" not in package
