"""A run that lands is the same run everywhere: hypothesis draws no other examples because of what ran before."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.examples import of_hundred


def drawn() -> list[tuple[int, str]]:
    seen: list[tuple[int, str]] = []

    @settings(max_examples=100)
    @given(st.integers(), st.text())
    def remember(number: int, text: str) -> None:
        seen.append((number, text))

    remember()
    return seen


def test_a_run_draws_the_examples_of_the_last_one() -> None:
    assert drawn() == drawn()


def test_a_module_that_was_loaded_meanwhile_changes_no_example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = drawn()
    meanwhile = ModuleType("meanwhile")
    meanwhile.__file__ = str(tmp_path / "meanwhile.py")
    (tmp_path / "meanwhile.py").write_text("\n".join(f"n{i} = {i + 10**9}; t{i} = 'text {i}'" for i in range(90)))
    monkeypatch.setitem(sys.modules, "meanwhile", meanwhile)
    assert drawn() == before


def test_exploring_draws_new_examples_and_ten_times_as_many() -> None:
    profile = settings.get_current_profile_name()
    settings.load_profile("exploring")
    try:
        assert drawn() != drawn()
        assert of_hundred(12) == 120
    finally:
        settings.load_profile(profile)
