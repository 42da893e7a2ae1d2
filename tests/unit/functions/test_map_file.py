"""Which file maps a function's imports: the nearest one above it, up to the folder of all functions."""

from __future__ import annotations

from pathlib import Path

import pytest
from minato.functions.map_file import map_file


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        (["deno.json"], "deno.json"),
        (["deno.jsonc"], "deno.jsonc"),
        (["deno.json", "import_map.json"], "import_map.json"),
        (["deno.json", "import_map.json", "cars/deno.jsonc"], "cars/deno.jsonc"),
        (["deno.json", "cars/deno.json", "cars/import_map.json"], "cars/deno.json"),
        (["deno.json", "cars/import_map.json", "cars/source/deno.json"], "cars/source/deno.json"),
        (["../deno.json", "../import_map.json"], None),
    ],
)
def test_the_nearest_file_counts_and_a_shared_one_for_all(
    tmp_path: Path, files: list[str], expected: str | None
) -> None:
    folder = tmp_path / "functions"
    (folder / "cars" / "source").mkdir(parents=True)
    for name in files:
        (folder / name).write_text("{}")
    found = map_file(folder, folder / "cars" / "source" / "index.ts", "")
    assert found == (folder / expected if expected else None)


def test_a_function_that_lies_elsewhere_has_the_shared_file(tmp_path: Path) -> None:
    folder = tmp_path / "functions"
    folder.mkdir()
    (folder / "deno.json").write_text("{}")
    assert map_file(folder, tmp_path / "elsewhere" / "index.ts", "") == folder / "deno.json"
