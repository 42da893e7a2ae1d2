"""Which files of other functions a function leads to by its imports."""

from __future__ import annotations

from pathlib import Path

import pytest
from minato.functions.neighbours import Neighbours


def found(folder: Path, source: str) -> list[str]:
    """What `a/index.ts` with this text leads to, beside its own folder."""
    own = folder / "a"
    own.mkdir(parents=True, exist_ok=True)
    (own / "index.ts").write_text(source)
    return [str(path.relative_to(folder)) for path in Neighbours(folder).of(own / "index.ts", (own,))]


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
