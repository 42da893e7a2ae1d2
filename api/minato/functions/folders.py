"""Where functions lie, and what belongs to them."""

from __future__ import annotations

import tempfile
from pathlib import Path

from minato.config import Settings
from minato.folder_removal import remove_folder


def functions_folder(settings: Settings) -> Path | None:
    """The functions' sources; None without a project."""
    server, chosen = settings.server, settings.functions.folder
    if chosen is not None:
        return chosen.absolute()
    return server.project.absolute() / "supabase" / "functions" if server.project is not None else None


def packages_folder(settings: Settings, folder: Path) -> Path:
    """Deno's cache: the project's, so that it outlives a database."""
    chosen = settings.functions.cache
    return chosen.absolute() if chosen is not None else folder.parent / ".minato" / "deno"


def work_folder(settings: Settings) -> Path:
    """Logs, import maps, and what a developer asks for."""
    return settings.server.data_dir.absolute() / "functions"


def make_temporary(work: Path, name: str) -> Path:
    """An empty folder for one process of the function called so, by its real path: the only one that it may write in,
    and that goes with it. Raises OSError."""
    folder = _temporary(work)
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return Path(tempfile.mkdtemp(prefix=f"{name}-", dir=folder)).resolve()


def clear_temporary(work: Path) -> None:
    """Take away what processes left whose machine went down with them."""
    remove_folder(_temporary(work))


def _temporary(work: Path) -> Path:
    return work / "temporary"
