"""The stored tree of a view's definition is read past whatever names it holds."""

from __future__ import annotations

import pytest
from minato.rest.schema_cache.view_columns import view_origins

TREE = r"({QUERY :rtable ({RTE :colnames (%s)}) :targetList ({TARGETENTRY :resno 1 :resorigtbl 4 :resorigcol 2}) :x 1})"


@pytest.mark.parametrize("name", ["plain", r"\{", r"\}", r"\(", r"a\ :targetList\ \(", r"a\\\)", r"\{\}\(\)"])
def test_brackets_in_a_name_end_nothing(name: str) -> None:
    assert view_origins(TREE % name) == {1: (4, 2)}
