"""What keeps tests quick: folders in memory where there is room, commands that import nothing, and a quick run that
finds what a change touches."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

import httpx
import pytest
from minato.cli.options import load_settings

from tests.support import folders
from tests.support.command import REPOSITORY
from tests.support.isolation import REQUEST_SECONDS
from tests.support.touched import integration_tests, module_of, web_files


def test_who_names_a_folder_gets_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(tempfile, "tempdir", None)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    assert folders.temporary_folder() == tmp_path


def test_memory_is_left_alone_when_it_is_short_or_missing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert not folders.has_room(tmp_path / "missing")
    monkeypatch.setattr(folders, "ROOM_NEEDED", 2**60)
    assert not folders.has_room(tmp_path)


def test_a_changed_module_brings_the_tests_that_import_it() -> None:
    found = list(integration_tests(["api/minato/postgres/layout.py", "docs/rest.md"]))
    assert "tests/security/test_ctrl_c.py" in found
    assert "tests/security/test_races.py" not in found
    assert list(integration_tests(["tests/security/test_races.py", "Makefile"])) == ["tests/security/test_races.py"]
    assert module_of("api/minato/rest/__init__.py") == "minato.rest"
    assert module_of("web/src/app.tsx") == ""


def test_a_changed_source_of_the_web_app_is_named_as_its_tools_name_it() -> None:
    assert list(web_files(["web/src/app/app.tsx", "web/README.md", "api/minato/main.py"])) == ["src/app/app.tsx"]


def test_settings_of_the_person_who_tests_stay_outside(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("MINATO_PORT=1\nGOTRUE_SITE_URL=https://elsewhere.example\n")
    monkeypatch.chdir(tmp_path)
    assert load_settings().server.port != 1


def test_clients_of_tests_wait_for_a_machine_with_other_things_to_do() -> None:
    with httpx.Client() as client:
        assert client.timeout.read == client.timeout.connect == REQUEST_SECONDS


# Signals while it imports, whose child it is and what Python makes of an output are what these are about, or they serve
# tests that are.
IMPORTS = {
    *("tests/integration/cli/test_serve.py", "tests/integration/cli/local/test_exec.py"),
    "tests/integration/cli/local/test_warm_start.py",
    *("tests/security/test_standard_output.py", "tests/support/starts.py", "tests/support/copies.py"),
    "tests/support/with_server.py",
}


def test_commands_are_copies_wherever_imports_are_not_what_is_tested() -> None:
    started = re.compile(r'"-m", "minato"|\*COMMAND\b')
    files = (
        file for kind in ("integration", "security", "support") for file in (REPOSITORY / "tests" / kind).rglob("*.py")
    )
    assert {str(file.relative_to(REPOSITORY)) for file in files if started.search(file.read_text())} <= IMPORTS


def test_programs_of_debian_are_there_before_two_targets_run_at_a_time() -> None:
    makefile = (REPOSITORY / "Makefile").read_text()
    programs = set(re.findall(r"^([a-z-]+):\n(?:\t.*\n)*?\t.*\$\(call debian", makefile, re.MULTILINE))
    [before] = re.findall(r"^test: (.*) pure served ##", makefile, re.MULTILINE)
    assert programs == set(before.split()) != set()
