"""`minato storage ls|cp|mv|rm` at a running project. What is told was compared with the Supabase CLI's own words."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from minato.cli.local.data_folder import DataFolder
from minato.cli.local.prompts import Console
from minato.cli.local.start import running_state
from minato.cli.objects.change import move, remove
from minato.cli.objects.listing import all_paths, names
from minato.cli.objects.service import ObjectService, UploadOptions, object_service
from minato.cli.objects.upload import upload_all
from minato.project.config_file import read_config
from minato.project.workdir import find_workdir

from tests.support.local_project import LocalProject, local_project

CONFIG = """
[storage.buckets.pictures]
objects_path = "./pictures"

[storage.buckets.docs]
public = true
file_size_limit = "1KiB"
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalProject]:
    with local_project(tmp_path_factory.mktemp("objects"), migration=None, config=CONFIG) as project:
        project.write("pictures/a.txt", "hello")
        project.start()
        for name, text in {"tree/one.txt": "one", "tree/LICENSE": "plain", "tree/sub/two.json": "2"}.items():
            (project.root / name).parent.mkdir(parents=True, exist_ok=True)
            (project.root / name).write_text(text)
        yield project


@pytest.fixture
def service(project: LocalProject) -> Iterator[ObjectService]:
    state = running_state(DataFolder(project.data))
    assert state is not None
    with object_service(state) as service:
        yield service


def told(project: LocalProject, *arguments: str) -> list[str]:
    """What a command that works says, standard output first."""
    ended = project.minato("storage", *arguments)
    assert ended.returncode == 0, ended.stderr
    return (ended.stdout + ended.stderr).replace(f"{project.root}/", "").splitlines()


def test_a_file_goes_there_and_back_and_is_never_written_over(project: LocalProject, service: ObjectService) -> None:
    assert told(project, "ls") == ["pictures/", "docs/"]
    assert told(project, "cp", "tree/one.txt", "ss:///pictures/b/") == []
    assert told(project, "ls", "-r", "ss:///pictures") == ["/pictures/a.txt", "/pictures/b/one.txt"]
    again = project.minato("storage", "cp", "tree/one.txt", "ss:///pictures/b/one.txt")
    assert (again.returncode, "Error status 400: " in again.stderr, "Duplicate" in again.stderr) == (1, True, True)
    assert told(project, "cp", "ss:///pictures/b/one.txt", ".") == []
    assert (project.root / "one.txt").read_text() == "one"
    (project.root / "one.txt").write_text("mine")
    again = project.minato("storage", "cp", "ss:///pictures/b/one.txt", "one.txt")
    assert (again.returncode, again.stderr.splitlines()[0]) == (
        1,
        f"failed to create file: {project.root}/one.txt exists",
    )
    assert (project.root / "one.txt").read_text() == "mine"
    moved = "Moving object: /pictures/b/one.txt => /pictures/c.txt"
    assert told(project, "mv", "ss:///pictures/b/one.txt", "ss:///pictures/c.txt") == [moved, "Successfully moved"]
    unsaid = "Confirm deleting files in bucket pictures? [y/N] "
    assert told(project, "rm", "ss:///pictures/c.txt") == [unsaid]
    assert list(names(service, "/pictures/")) == ["a.txt", "c.txt"]
    assert told(project, "rm", "ss:///pictures/c.txt", "ss:///pictures/none", "--yes") == [
        f"{unsaid}y",
        "Deleting objects: [c.txt none]",
        "Object not found: none",
    ]
    assert list(names(service, "/pictures/")) == ["a.txt"]


def test_a_folder_makes_its_bucket_as_the_configuration_says_and_goes_whole(project: LocalProject) -> None:
    assert told(project, "rm", "-r", "ss:///docs", "--yes")[1:] == ["Deleting bucket: docs", "Successfully deleted"]
    assert told(project, "--experimental", "cp", "-r", "tree", "ss:///docs/new", "-j", "3") != []
    assert told(project, "ls", "ss:///docs/n") == ["new/"]
    public = f"{project.values()['API_URL']}/storage/v1/object/public/docs/new"
    answers = {name: httpx.get(f"{public}/{name}") for name in ("one.txt", "LICENSE", "sub/two.json")}
    assert {name: answer.headers["content-type"] for name, answer in answers.items()} == {
        "one.txt": "text/plain",
        "LICENSE": "text/plain; charset=utf-8",
        "sub/two.json": "application/json",
    }
    (project.root / "large.txt").write_text("x" * 2000)
    assert "EntityTooLarge" in project.minato("storage", "cp", "large.txt", "ss:///docs/large.txt").stderr
    # What is there takes a copy in; what begins with the same letters is something else.
    assert "Uploading: tree/one.txt => /docs/new/tree/one.txt" in told(project, "cp", "-r", "tree", "ss:///docs/new")
    told(project, "cp", "tree/one.txt", "ss:///docs/newest.txt")
    assert len(told(project, "cp", "-r", "ss:///docs/new", "back")) == 6
    assert sorted(str(path.relative_to(project.root)) for path in (project.root / "back").rglob("*.*")) == [
        "back/one.txt",
        "back/sub/two.json",
        "back/tree/one.txt",
        "back/tree/sub/two.json",
    ]
    assert told(project, "mv", "-r", "ss:///docs/new/tree", "ss:///docs/tree")[-1].endswith(
        " => /docs/tree/sub/two.json"
    )
    told(project, "rm", "-r", "ss:///docs/new/", "--yes")
    assert told(project, "ls", "-r", "ss:///docs/") == [
        "/docs/newest.txt",
        "/docs/tree/LICENSE",
        "/docs/tree/one.txt",
        "/docs/tree/sub/two.json",
    ]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("ls pictures", "URL must match pattern ss:///bucket/[prefix]"),
        ("ls ss://pictures/a", "URL must match pattern ss:///bucket/[prefix]"),
        ("ls ss:///a ss:///b", "accepts at most 1 arg(s), received 2"),
        ("ls --linked", "Cannot find project ref. Have you run supabase link?"),
        ("cp ss:///a/b ss:///b/c", "Copying between buckets is not supported"),
        ("cp a b", "Unsupported operation"),
        ("cp tree ss:///pictures/tree", "{root}/tree is a folder."),
        ("cp -r none ss:///pictures", "{root}/none does not exist."),
        ("cp -r ss:///pictures/none back", "Object not found: /pictures/none"),
        ("cp ss:///pictures/none none", "Error status 400: "),
        ("mv ss:///pictures ss:///pictures", "You must specify an object path"),
        ("mv ss:///pictures/a.txt ss:///docs/a.txt", "Moving between buckets is unsupported"),
        ("mv -r ss:///pictures/none ss:///pictures/b", "Object not found: /pictures/none/"),
        ("rm", "You must specify -r flag to delete directories."),
        ("rm ss:///pictures/b/", "You must specify -r flag to delete directories."),
        ("rm -r ss:///", "You must specify a bucket to delete."),
        # The CLI would leave out what follows the mark, and delete something else.
        ("rm ss:///pictures/a.txt?b --yes", "URL must match pattern ss:///bucket/[prefix]"),
        ("rm -r ss:///pictures/none --yes", "Object not found: pictures/none/"),
    ],
)
def test_what_can_not_be_done_is_said_and_changes_nothing(
    project: LocalProject, service: ObjectService, arguments: str, sentence: str
) -> None:
    before = list(names(service, "/pictures/"))
    ended = project.minato("storage", *arguments.split())
    assert ended.returncode == 1
    assert any(line.startswith(sentence.format(root=project.root)) for line in ended.stderr.splitlines()), ended.stderr
    assert list(names(service, "/pictures/")) == before
    assert not (project.root / "none").exists()


def test_more_than_a_page_is_listed_moved_and_deleted(
    project: LocalProject, service: ObjectService, tmp_path: Path
) -> None:
    for number in range(205):
        (tmp_path / f"{number:03}.txt").write_text("x")
    config = read_config(find_workdir(project.root, {}, project.root), {})
    upload_all(service, tmp_path, "/many/a b/", UploadOptions(), config, jobs=8)
    assert len(list(all_paths(service, "/many/a b/"))) == 205
    move(service, "/many/a b", "/many/a?b", recursive=True)
    assert list(all_paths(service, "/many/a?b/")) == [f"/many/a?b/{number:03}.txt" for number in range(205)]
    remove(service, {"many": [""]}, recursive=True, console=Console(yes=True))
    assert "many/" not in list(names(service, "/"))
