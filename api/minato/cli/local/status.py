"""`minato status`: what runs, in the formats of the Supabase CLI."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from minato.cli.errors import CommandError
from minato.cli.local.data_folder import DataFolder
from minato.cli.local.plan import Place, load_config
from minato.cli.local.process_lock import lock_holder
from minato.cli.local.show import require_format, show_status


def is_of_a_project(data: Path) -> bool:
    """Whether `minato start` serves the data in this folder, not `minato serve`."""
    return lock_holder(DataFolder(data).lock) is not None


def show_project(place: Place, environment: Mapping[str, str], form: str, overrides: Sequence[str]) -> None:
    """Print it. Raises `CommandError` when nothing runs, or is not ready yet."""
    require_format(form)
    holder = lock_holder(place.folder.lock)
    if holder is None:
        name = f"supabase_db_{load_config(place.workdir, environment).project_id}"
        raise CommandError(
            f"failed to inspect container health: No such container: {name}\nThe project does not run: minato start."
        )
    state = place.folder.read_state(holder.pid)
    if state is None:
        name = f"supabase_db_{load_config(place.workdir, environment).project_id}"
        raise CommandError(f"{name} container is not ready: starting")
    show_status(state, form, overrides)
