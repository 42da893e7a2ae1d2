"""`fresh`: a project outside the repository, with the examples, the packed npm package and what it stands beside."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from tests.support.command import REPOSITORY, environment

PACKAGE = REPOSITORY / "packages" / "minato-test"
TOOLS = REPOSITORY / "web" / "node_modules"


@pytest.fixture(scope="session")
def packed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package as it would be published, unpacked."""
    folder = tmp_path_factory.mktemp("packed")
    link = REPOSITORY / "packages" / "node_modules"
    if not link.exists():
        link.symlink_to(Path("..", "web", "node_modules"))
    command = ["npm", "pack", "--silent", "--pack-destination", str(folder)]
    subprocess.run(command, cwd=PACKAGE, check=True, capture_output=True)
    with tarfile.open(next(folder.glob("*.tgz"))) as archive:
        archive.extractall(folder, filter="data")
    return folder / "package"


@pytest.fixture
def fresh(packed: Path, tmp_path: Path) -> Path:
    """The project's folder."""
    return project_in(tmp_path / "app", packed)


def project_in(folder: Path, packed: Path) -> Path:
    """The same, in a folder that is not there yet."""
    shutil.copytree(PACKAGE / "examples", folder)
    (folder / "package.json").write_text('{"type": "module"}')
    modules = folder / "node_modules"
    modules.mkdir()
    for name in [*TOOLS.iterdir()]:
        (modules / name.name).symlink_to(name)
    shutil.copytree(packed, modules / "minato-test")
    return folder


def variables(**settings: str) -> dict[str, str]:
    """The environment of somebody who has `minato` on the PATH."""
    path = os.pathsep.join([str(Path(sys.executable).parent), str(TOOLS / ".bin"), os.environ["PATH"]])
    return environment(PATH=path, **settings)
