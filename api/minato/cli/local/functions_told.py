"""What `start` and `status` tell of each function, on standard error: data formats have FUNCTIONS_URL alone."""

from __future__ import annotations

from pathlib import Path

from minato.cli.local.data_folder import State
from minato.cli.local.plan import say


def say_of_functions(state: State) -> None:
    """Which functions are served, which are not, and why; nothing where a project has none."""
    if not state.settings.get("MINATO_PROJECT") or not (Path(state.workdir) / "supabase" / "functions").is_dir():
        return
    # Brings the settings along: most projects have no functions.
    from minato.config import Settings
    from minato.functions.command import SENTENCE, find_deno
    from minato.functions.discovery import Functions
    from minato.functions.folders import functions_folder

    settings = Settings.of(state.settings)
    folder = functions_folder(settings)
    names = Functions(folder, settings.functions).names() if folder is not None else []
    off = sorted(name for name, given in settings.functions.config.items() if not given.enabled)
    if names and "api.functions_url" in state.values:
        say(f"Edge Functions: {', '.join(names)}")
    elif names:
        is_on = settings.functions.enabled and find_deno(settings.functions.deno) is None
        why = SENTENCE if is_on else "Edge Functions are switched off"
        say(f"{why}\n  Not served: {', '.join(names)}")
    for name in off:
        say(f"Skipped serving Function: {name}")
