"""What initdb makes, made once for all commands of a test process: a copy takes a tenth of its work.

Clusters of copies have the same system identifier and the same superuser's password; nothing else tells them apart from
what initdb would have made. Whatever starts PostgreSQL outside a copy (`tests.support.copies`) runs initdb itself.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path
from unittest.mock import patch

from minato.postgres import cluster
from minato.postgres.account import give_files
from minato.postgres.binaries import PostgresBinaries
from minato.postgres.initialize import initialize_steps
from minato.postgres.layout import Layout
from minato.postgres.log_file import open_log
from minato.postgres.process import Surroundings
from minato.postgres.waiting import Steps

CLUSTER = "cluster"
PASSWORD = "password"


def use_kept_clusters(folder: Path) -> None:
    """From now on clusters of this process are copies of one in `folder`, the first of which is kept there."""

    def steps(layout: Layout, binaries: PostgresBinaries, surroundings: Surroundings, durable: bool) -> Steps:
        kept = folder / hashlib.sha256(os.fsencode(binaries.folder)).hexdigest()
        if kept.exists():
            _take(kept, layout, surroundings)
            return
        yield from initialize_steps(layout, binaries, surroundings, durable)
        _keep(layout, kept)

    patch.object(cluster, "initialize_steps", steps).start()


def _keep(layout: Layout, kept: Path) -> None:
    """Whoever was quicker is right."""
    made = Path(tempfile.mkdtemp(dir=kept.parent))
    shutil.copytree(layout.cluster, made / CLUSTER)
    shutil.copy2(layout.password, made / PASSWORD)
    with suppress(OSError):
        made.rename(kept)
    shutil.rmtree(made, ignore_errors=True)


def _take(kept: Path, layout: Layout, surroundings: Surroundings) -> None:
    """Into the data folder, in one rename as initdb's."""
    shutil.rmtree(layout.unfinished_cluster, ignore_errors=True)
    with open_log(layout.log, anew=True):
        shutil.copytree(kept / CLUSTER, layout.unfinished_cluster)
    shutil.copy2(kept / PASSWORD, layout.password)
    give_files(layout.unfinished_cluster, surroundings.account)
    layout.unfinished_cluster.rename(layout.cluster)
