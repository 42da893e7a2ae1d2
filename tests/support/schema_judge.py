"""What ajv says of JSON and schemas: the judge of pg_jsonschema."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO, Any

from tests.support.command import REPOSITORY

FOLDER = REPOSITORY / "tests" / "judges"


@dataclass(frozen=True)
class SchemaJudge:
    """A process that answers line by line."""

    questions: IO[str]
    answers: IO[str]

    def verdicts(self, draft: int, schema: Any, instances: list[Any]) -> list[bool] | str | None:
        """Whether each instance matches; None where ajv runs in circles, a message where the schema is none."""
        self.questions.write(json.dumps([draft, schema, instances]) + "\n")
        self.questions.flush()
        found: list[bool] | str | None = json.loads(self.answers.readline())
        return found


@contextmanager
def schema_judge() -> Iterator[SchemaJudge]:
    """One that is there for the block."""
    assert (FOLDER / "node_modules").exists(), "the judges are not installed: run make .state/judges"
    command = ["node", "judge_schemas.mjs"]
    with subprocess.Popen(command, cwd=FOLDER, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        yield SchemaJudge(process.stdin, process.stdout)
        process.stdin.close()
