"""Which files of other functions a function leads to by its imports."""

from __future__ import annotations

from pathlib import Path

import pytest
from minato.functions.neighbours import Neighbours


def found(folder: Path, source: str, import_map: Path | None = None) -> list[str]:
    """What `a/index.ts` with this text leads to, beside its own folder."""
    own = folder / "a"
    own.mkdir(parents=True, exist_ok=True)
    (own / "index.ts").write_text(source)
    return [str(path.relative_to(folder)) for path in Neighbours(folder).of(own / "index.ts", (own,), import_map)]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Functions `a` and `b`, and files outside of them."""
    folder = tmp_path / "functions"
    (folder / "b").mkdir(parents=True)
    for name in ("b/x.ts", "b/y.json", "b/z z.ts", "b/.env", "b/key.pem", "../out.ts"):
        (folder / name).write_text("import '../a/index.ts';")
    (folder / "b" / "link.ts").symlink_to(folder.parent / "out.ts")
    return folder


@pytest.mark.parametrize(
    ("source", "files"),
    [
        ("import { x } from '../b/x.ts'", ["b/x.ts"]),
        ('import{x}from"../b/x.ts"', ["b/x.ts"]),
        ("import '../b/x.ts'; export * from '../b/y.json'", ["b/x.ts", "b/y.json"]),
        ("await import('../b/x.ts'); import ( '../b/z%20z.ts?v=1')", ["b/x.ts", "b/z z.ts"]),
        ("// import '../b/x.ts'\n/* import '../b/x.ts'\n*/ /* import '../b/x.ts'", []),
        ("""const a = "import '../b/x.ts'"; const b = `import '../b/x.ts'`""", []),
        ("db.from('../b/x.ts'); db.import('../b/x.ts'); Array.from('../b/x.ts')", []),
        ("import '../b/.env'; import '../b/key.pem'; import '../b'; import '../b/none.ts'", []),
        ("import '../../out.ts'; import '../b/link.ts'; import '../b/%00.ts'", []),
    ],
)
def test_an_import_is_followed_inside_the_folder_of_functions_alone(
    folder: Path, source: str, files: list[str]
) -> None:
    assert found(folder, source) == files


MAP = """{
  // names of files, of folders, and of what is none of ours
  "imports": { "x": "../b/x.ts", "b/": "../b/", "zod": "npm:zod@3", "out": "../../out.ts", "up/": "../../" },
  "scopes": { "./": { "scoped": "../b/y.json" } },
}"""


@pytest.mark.parametrize(
    ("source", "files"),
    [
        ("import { x } from 'x'", ["b/x.ts"]),
        ("export * from 'b/x.ts'; import y from 'scoped'", ["b/x.ts", "b/y.json"]),
        ("await import('b/z%20z.ts')", ["b/z z.ts"]),
        ("import 'b'; import 'x/deep'; import 'zod'; import 'b/none.ts'; import 'constructor'", []),
        ("import 'out'; import 'up/out.ts'; import 'b/../../out.ts'; import 'b/.env'; import 'b/link.ts'", []),
        ("const a = \"import 'x'\"; // import 'x'", []),
    ],
)
def test_a_name_of_the_import_map_is_followed_as_the_path_that_it_stands_for(
    folder: Path, source: str, files: list[str]
) -> None:
    map_file = folder / "a" / "deno.json"
    map_file.parent.mkdir()
    map_file.write_text(MAP)
    assert found(folder, source, map_file) == files


@pytest.mark.parametrize("text", ["", "[", "[]", '{"imports": []}', '{"imports": {"x": 1}}', "[" * 100_000])
def test_a_map_that_is_none_names_nothing(folder: Path, text: str) -> None:
    (folder / "map.json").write_text(text)
    assert found(folder, "import 'x'; import '../b/x.ts'", folder / "map.json") == ["b/x.ts"]
    assert found(folder, "import 'x'", folder / "no-map.json") == []
