"""The wheel holds one package and all it needs: it serves from any folder, with no checkout around it."""

from __future__ import annotations

import json
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import httpx
import pytest
from minato import __version__

from tests.release.wheel import build, faults
from tests.support.command import environment, served
from tests.support.local_project import local_project
from tests.support.waiting import PATIENCE


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The sdist, and the wheel made of it."""
    return build(tmp_path_factory.mktemp("dist"))


@pytest.fixture(scope="module")
def installed(built: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with nothing but what the wheel installs."""
    into = tmp_path_factory.mktemp("installed")
    with zipfile.ZipFile(built[1]) as archive:
        archive.extractall(into)
    return into


@pytest.fixture(scope="module")
def clean(built: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The `minato` command of an environment of its own, into which the wheel was installed.

    Its dependencies are those of the environment the tests run in: nothing is fetched.
    """
    folder = tmp_path_factory.mktemp("clean") / "venv"
    venv.create(folder, with_pip=False)
    [packages] = folder.glob("lib/python3*/site-packages")
    (packages / "dependencies.pth").write_text(site_packages())
    pip = [sys.executable, "-m", "pip", "--python", str(folder), "install", "--quiet", "--no-index", "--no-deps"]
    ignored = ["--ignore-installed", "--disable-pip-version-check"]
    subprocess.run([*pip, *ignored, str(built[1])], check=True, capture_output=True, env=environment())
    return folder / "bin" / "minato"


def site_packages() -> str:
    return sysconfig.get_path("purelib")


def test_what_make_wheel_builds_may_be_published(built: tuple[Path, Path]) -> None:
    assert faults(*built) == []


def test_a_build_of_the_same_sources_is_the_same_to_the_byte(built: tuple[Path, Path], tmp_path: Path) -> None:
    again = build(tmp_path)
    assert [path.read_bytes() for path in again] == [path.read_bytes() for path in built]


def test_the_command_of_a_clean_environment_runs_in_a_strangers_folder(clean: Path, tmp_path: Path) -> None:
    (tmp_path / "api").mkdir()
    (tmp_path / "api" / "__init__.py").write_text("raise ImportError('this is not Minato')")
    shown = subprocess.run(
        [clean, "--version"], check=True, capture_output=True, text=True, cwd=tmp_path, env=without_checkout()
    )
    assert shown.stdout == f"{__version__}\n"
    where = subprocess.run(
        [clean.parent / "python", "-c", "import minato; print(minato.__file__)"],
        check=True,
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=without_checkout(),
    )
    assert where.stdout.startswith(str(clean.parents[1]))


def test_a_project_starts_from_a_clean_environment(clean: Path, tmp_path: Path) -> None:
    with local_project(tmp_path, config='project_id = "shop"') as project:
        (project.root / "api").mkdir()
        (project.root / "api" / "__init__.py").write_text("raise ImportError('this is not Minato')")
        environment = {**project.environment(), **without_checkout(), "XDG_STATE_HOME": str(project.state)}

        def minato(*arguments: str) -> str:
            ended = subprocess.run(
                [clean, *arguments], check=False, capture_output=True, text=True, cwd=project.root, env=environment
            )
            assert ended.returncode == 0, ended.stderr
            return ended.stdout

        minato("start", "--port", "0")
        values = json.loads(minato("status", "-o", "json"))
        rows = httpx.get(f"{values['REST_URL']}/notes", headers={"apikey": values["SECRET_KEY"]}, timeout=30)
        assert rows.json() == []
        assert "notes: {" in minato("gen", "types", "typescript", "--local")
        assert "class PublicNotes" in minato("gen", "types", "--lang", "python", "--local")
        minato("db", "reset")
        assert minato("db", "diff").strip() == ""
        assert httpx.get(f"{values['MAILPIT_URL']}/api/v1/messages").json()["messages"] == []
        minato("stop", "--no-backup")


def without_checkout() -> dict[str, str]:
    """As on a machine that has no checkout of ours."""
    return {name: value for name, value in environment().items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}


def test_the_wheel_installs_one_name(installed: Path) -> None:
    [information] = installed.glob("*.dist-info")
    assert {path.name for path in installed.iterdir()} == {"minato", information.name}
    assert not [path for path in installed.rglob("*") if "marketplace" in path.name]


def test_it_serves_the_platform_beside_a_project_that_has_an_api_package(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "api").mkdir()
    (tmp_path / "api" / "__init__.py").write_text("raise ImportError('this is not Minato')")
    with served(tmp_path / "data", cwd=tmp_path, PYTHONPATH=str(installed)) as server:
        headers = {
            "apikey": server.info["service_role_key"],
            "authorization": f"Bearer {server.info['service_role_key']}",
        }
        found = httpx.get(f"{server.info['url']}/rest/v1/", headers=headers, timeout=PATIENCE)
        assert found.status_code == 200
        assert "/profiles" not in found.json()["paths"]
        health = httpx.get(f"{server.info['url']}/auth/v1/health", headers=headers, timeout=PATIENCE)
        assert health.status_code == 200
