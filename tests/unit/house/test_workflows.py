"""The workflows and the action name commands, options, files and variables that there are."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import typer.main
import yaml
from minato.cli.app import app
from minato.cli.local.options import EXCLUDABLE
from minato.cli.local.values import NAMES

ROOT = Path(__file__).parents[3]
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
HOW_TO = ROOT / "docs/how-to/bring-your-project.md"


def loaded(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(path.read_text())
    return found


def steps() -> list[dict[str, Any]]:
    found = [step for path in WORKFLOWS for job in loaded(path)["jobs"].values() for step in job["steps"]]
    found += loaded(ROOT / "action.yml")["runs"]["steps"]
    for block in re.findall(r"```yaml\n(.*?)```", HOW_TO.read_text(), re.S):
        found += yaml.safe_load(block)["steps"]
    return found


def commands() -> list[list[str]]:
    """What is run of ours, a list of words each."""
    lines = [line for step in steps() for line in step.get("run", "").splitlines()]
    ours = (re.search(r'(?:^|&& )"?\$?minato"? (.+?)(?: \||$)', line.strip()) for line in lines)
    return [shlex.split(found[1]) for found in ours if found]


def test_every_command_and_option_of_ours_exists() -> None:
    known = typer.main.get_command(app).commands  # type: ignore[attr-defined]
    assert len(commands()) >= 6
    for words in commands():
        if words == ["--version"]:
            continue
        options = {name for parameter in known[words[0]].params for name in parameter.opts}
        own = words[1 : words.index("--")] if "--" in words else words[1:]
        asked = set(re.findall(r"(?<!\S)--?[a-z][a-z-]*", " ".join(own)))
        assert asked <= options, words


def test_every_make_target_and_file_exists() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.M))
    matrix = loaded(ROOT / ".github/workflows/ci.yml")["jobs"]["make"]["strategy"]["matrix"]["target"]
    run = " ".join(step.get("run", "") for step in steps())
    assert {*matrix, *re.findall(r"^make ([a-z]+)", run, re.M)} <= targets
    files = re.findall(r"\.github/scripts/\w+\.py", run)
    assert files
    assert [file for file in files if not (ROOT / file).is_file()] == []


def test_the_variables_that_are_read_are_told_by_status() -> None:
    told = {name for name, _ in NAMES.values()}
    read = re.findall(r'os\.environ\["(\w+)"\]', (ROOT / ".github/scripts/reach.py").read_text())
    assert read
    assert set(read) <= told


def test_only_services_that_can_be_left_out_are_left_out() -> None:
    excluded = [step["with"]["exclude"] for step in steps() if "exclude" in step.get("with", {})]
    assert excluded
    assert {name for names in excluded for name in names.split(",")} <= EXCLUDABLE.keys()


def test_every_input_of_the_action_is_used_and_no_other() -> None:
    action = loaded(ROOT / "action.yml")
    used = set(re.findall(r"inputs\.([a-z-]+)", (ROOT / "action.yml").read_text()))
    assert used == set(action["inputs"])
    given = {name for step in steps() if step.get("uses", "").startswith(("./", "OWNER/")) for name in step["with"]}
    assert given <= used


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_every_job_ends_by_itself_and_waits_for_jobs_that_are_there(path: Path) -> None:
    jobs = loaded(path)["jobs"]
    for name, job in jobs.items():
        assert job["timeout-minutes"] <= 60, name
        assert {job["needs"]} <= jobs.keys() if "needs" in job else True
        assert all(("uses" in step) != ("run" in step) for step in job["steps"])


def test_every_machine_that_is_promised_is_tried() -> None:
    matrix = loaded(ROOT / ".github/workflows/platforms.yml")["jobs"]["runs"]["strategy"]["matrix"]
    assert len(matrix["os"]) == 4
    promised = re.findall(r"Python :: (3\.\d+)\"", (ROOT / "pyproject.toml").read_text())
    assert matrix["python"] == promised
