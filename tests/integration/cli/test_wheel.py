"""The wheel holds one package and all it needs: it serves from any folder, with no checkout around it."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import httpx
import pytest

from tests.support.command import REPOSITORY, environment, served
from tests.support.waiting import PATIENCE


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with nothing but what the wheel installs."""
    folder, into = tmp_path_factory.mktemp("wheel"), tmp_path_factory.mktemp("installed")
    build = (sys.executable, "-m", "pip", "wheel", "--quiet", "--no-build-isolation", "--no-deps", "--wheel-dir")
    subprocess.run([*build, str(folder), str(REPOSITORY)], check=True, capture_output=True, env=environment())
    [wheel] = folder.glob("minato-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(into)
    return into


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
