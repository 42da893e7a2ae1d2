"""Names near a mistyped one, as the reference's library finds them: its own documented examples, and what it drops."""

from __future__ import annotations

import pytest
from minato.rest.plan.suggestions import nearest, ranked

STATES = """Alabama Alaska American_Samoa Arizona Arkansas California Colorado Connecticut Delaware
District_of_Columbia Florida Georgia Guam Hawaii Idaho Illinois Indiana Iowa Kansas Kentucky Louisiana Maine
Maryland Massachusetts Michigan Minnesota Mississippi Missouri Montana Nebraska Nevada New_Hampshire New_Jersey
New_Mexico New_York North_Carolina North_Dakota Northern_Marianas_Islands Ohio Oklahoma Oregon Pennsylvania
Puerto_Rico Rhode_Island South_Carolina South_Dakota Tennessee Texas Utah Vermont Virginia Virgin_Islands
Washington West_Virginia Wisconsin Wyoming""".split()
NAMES = [state.replace("_", " ") for state in STATES]


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ("Burger Islands", ["Virgin Islands", "Rhode Island", "Northern Marianas Islands", "Maryland"]),
        ("Why-oh-me-ing", ["Wyoming"]),
        ("Connect a cat", ["Connecticut"]),
        ("Transylvania", ["Pennsylvania", "California", "Arkansas", "Kansas"]),
        ("CanOfSauce", ["Kansas"]),
        ("Alaska", ["Alaska"]),
        ("Alaskanbraskansas", ["Arkansas", "Kansas", "Alaska", "Alabama", "Nebraska"]),
    ],
)
def test_near_names_are_those_of_the_library(wanted: str, found: list[str]) -> None:
    assert sorted(name for _, name in ranked(wanted, NAMES, 0.33)) == sorted(found)
    assert nearest(wanted, NAMES, 0.33) == found[0]


def test_an_underscore_makes_no_names_alike() -> None:
    assert nearest("a_x", ["b_y", "c_z"], 0.33) is None
    assert nearest("q_", ["p_"], 0.33) is None


def test_of_names_equally_near_the_last_one_is_told() -> None:
    assert nearest("car", ["care", "cars"], 0.33) == "cars"


def test_a_name_too_short_for_a_gram_is_near_to_none() -> None:
    assert nearest("", ["a", "b"], 0.0) is None
