"""How long the web app takes on a slow phone: the landing page's largest paint, a sign-in form that can be filled in.

The built app is served by Minato and visited by Chromium (`web/scripts/measure-pages.mjs`). Only a machine with nothing
else to do says how long a person waits; the number of files and kilobytes holds on any.
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

from bench.servers import minato

WEB = Path(__file__).parents[1] / "web"
Figures = dict[str, dict[str, float]]

# Page, figure and the most milliseconds it may take.
TARGETS = (
    ("landing", "largest", 2500),
    ("auth", "ready", 3000),
    ("agent sign-in", "ready", 3000),
    ("importer sign-in", "ready", 3000),
)


def measure_web(folder: Path, rounds: int) -> Figures:
    """Medians of `rounds` first visits, page by page."""
    with minato(folder, {"MINATO_WEB_ROOT": str(WEB / "dist")}) as server:
        command = ["node", "scripts/measure-pages.mjs", server.base.removesuffix("/rest/v1"), str(rounds)]
        measured = subprocess.run(command, cwd=WEB, check=True, capture_output=True, text=True, timeout=900)
    figures: Figures = json.loads(measured.stdout)
    return figures


def describe_web(figures: Figures) -> list[str]:
    lines = [
        f"{page:18} first paint {of['first']:5.0f} ms  largest {of['largest']:5.0f} ms  ready {of['ready']:5.0f} ms  "
        f"shift {of['shift']:.2f}  {of['before']:.0f} kB until ready, {of['files']:.0f} files and "
        f"{of['kilobytes']:.0f} kB in all"
        for page, of in figures.items()
    ]
    for page, name, limit in TARGETS:
        took = figures[page][name]
        lines.append(f"{page}: {name} {took:.0f} ms, target {limit} ms: {'kept' if took <= limit else 'missed'}")
    return [*lines, f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"]
