"""Which migrations are to be run: the files and a database's history, side by side."""

from __future__ import annotations

from pathlib import Path

import pytest
from minato.project.errors import ProjectError
from minato.project.folder import Migration, Project
from minato.project.history import find_pending


def files(*versions: str) -> list[Migration]:
    return [Migration(Path(f"supabase/migrations/{version}_x.sql"), version, "x") for version in versions]


def versions(found: list[Migration]) -> list[str]:
    return [file.version for file in found]


@pytest.mark.parametrize(
    ("local", "applied", "pending"),
    [
        ((), (), []),
        (("1", "2"), (), ["1", "2"]),
        (("1", "2", "3"), ("1", "2"), ["3"]),
        (("1", "2"), ("1", "2"), []),
        # Versions are texts, as they stand in the history.
        (("10", "9"), ("10",), ["9"]),
    ],
)
def test_what_comes_after_the_last_one_is_pending(
    local: tuple[str, ...], applied: tuple[str, ...], pending: list[str]
) -> None:
    assert versions(find_pending(files(*local), applied)) == pending


@pytest.mark.parametrize(
    ("local", "applied", "left_out", "all_of_them"),
    [
        (("0", "1"), ("1",), ["0"], ["0"]),
        (("0", "1", "2", "3", "4"), ("2", "4"), ["0", "1", "3"], ["0", "1", "3"]),
        (("0", "2", "4"), ("2",), ["0"], ["0", "4"]),
    ],
)
def test_what_was_left_out_is_run_only_when_all_is_asked_for(
    local: tuple[str, ...], applied: tuple[str, ...], left_out: list[str], all_of_them: list[str]
) -> None:
    with pytest.raises(ProjectError) as refused:
        find_pending(files(*local), applied)
    assert str(refused.value) == (
        "Found local migration files to be inserted before the last migration on remote database."
    )
    paths = "\n".join(f"supabase/migrations/{version}_x.sql" for version in left_out)
    assert refused.value.suggestion == (
        f"\nRerun the command with --include-all flag to apply these migrations:\n{paths}\n"
    )
    assert versions(find_pending(files(*local), applied, include_all=True)) == all_of_them


@pytest.mark.parametrize(
    ("local", "applied", "unknown"),
    [((), ("0",), "0"), (("1", "3"), ("0", "2", "3"), "0 2"), (("1",), ("1", "2", "3"), "2 3")],
)
@pytest.mark.parametrize("include_all", [False, True])
def test_a_version_without_a_file_stops_everything(
    local: tuple[str, ...], applied: tuple[str, ...], unknown: str, include_all: bool
) -> None:
    with pytest.raises(ProjectError) as refused:
        find_pending(files(*local), applied, include_all)
    assert str(refused.value) == "Remote migration versions not found in local migrations directory."
    assert f"\nsupabase migration repair --status reverted {unknown}\n" in refused.value.suggestion
    assert "\nsupabase db pull\n" in refused.value.suggestion


def test_files_that_are_no_migrations_are_named(tmp_path: Path) -> None:
    project = Project(tmp_path)
    project.migrations_folder.mkdir(parents=True)
    for name in ("20211208000000_init.sql", "20220101000000_a.sql", "20220102000000_init.sql", "draft.sql"):
        (project.migrations_folder / name).touch()
    (project.migrations_folder / "old").mkdir()
    assert versions(project.migrations()) == ["20220101000000", "20220102000000"]
    assert project.skipped_migrations() == [
        'Skipping migration 20211208000000_init.sql... (replace "init" with a different file name to apply this '
        "migration)",
        'Skipping migration draft.sql... (file name must match pattern "<timestamp>_name.sql")',
    ]
