"""`project`: a folder with one migration, in which a test gives commands."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.local_project import LocalProject, local_project


@pytest.fixture
def project(tmp_path: Path) -> Iterator[LocalProject]:
    with local_project(tmp_path) as project:
        yield project
