"""Where functions lie, and what belongs to them."""

from __future__ import annotations

from pathlib import Path

from minato.config import Settings


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
