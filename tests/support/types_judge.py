"""What `@supabase/postgres-meta` generates, which `supabase gen types` runs: the judge of `minato gen types`."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from tests.support.command import REPOSITORY

FOLDER = REPOSITORY / "tests" / "judges"
LIMIT = 180


@dataclass(frozen=True)
class Job:
    """One generation; `url` is of the session that reads the catalogue."""

    url: str
    schemas: Sequence[str]
    language: str = "typescript"
    one_to_one: bool = True
    postgrest_version: str | None = None
    access_control: str = "internal"


def judged(jobs: Sequence[Job]) -> list[str]:
    """The outputs, by one process for all."""
    assert (FOLDER / "node_modules").exists(), "the judges are not installed: run make .state/judges"
    ended = subprocess.run(
        ["node", "generate_types.mjs"],
        cwd=FOLDER,
        input=json.dumps([asdict(job) for job in jobs]),
        capture_output=True,
        text=True,
        timeout=LIMIT,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    outputs: list[str] = json.loads(ended.stdout)
    return outputs


def ordered_by_english(lists: Sequence[Sequence[str]]) -> list[list[str]]:
    """Each list as JavaScript's English collator sorts it, which the generator uses."""
    program = """
        const sorted = JSON.parse(require('fs').readFileSync(0, 'utf8'))
          .map((list) => list.sort(new Intl.Collator('en').compare))
        process.stdout.write(JSON.stringify(sorted))
    """
    ended = subprocess.run(
        ["node", "-e", program], input=json.dumps(lists), capture_output=True, text=True, timeout=LIMIT, check=True
    )
    outputs: list[list[str]] = json.loads(ended.stdout)
    return outputs
