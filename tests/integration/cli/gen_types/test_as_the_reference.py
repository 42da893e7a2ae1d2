"""To the byte what postgres-meta's generator prints: of the marketplace, of every oddity, of schemas made by chance."""

from __future__ import annotations

import asyncio
from random import Random

import pytest
from minato.cli.gen_types.collation import collation_key

from tests.integration.cli.gen_types.conftest import FAMILIES, Databases, ours
from tests.support.types_judge import Job, judged, ordered_by_english

NAMES = tuple(family.name for family in FAMILIES)
ODD = ("odd", "other")
# What is generated of which of the databases.
CASES: dict[str, tuple[str, Job]] = {
    **{
        f"the marketplace in {one}": ("marketplace", Job("", ["public"], one)) for one in ("typescript", "python", "go")
    },
    "the marketplace in swift": ("marketplace", Job("", ["public"], "swift", access_control="public")),
    "the platform's schemas": ("marketplace", Job("", ["storage", "auth", "realtime", "public"])),
    "the platform's schemas in python": ("marketplace", Job("", ["storage", "auth"], "python")),
    "no schema that there is": ("marketplace", Job("", ["nowhere"])),
    "the oddities": ("oddities", Job("", ["odd"])),
    "the oddities of two schemas": ("oddities", Job("", [*ODD, "public"])),
    "a schema that refers to one left out": ("oddities", Job("", ["other"])),
    "a schema with an odd name and an empty one": ("oddities", Job("", ["odd", "Odd Schema", "zeta_empty"])),
    "the oddities for PostgREST 9": ("oddities", Job("", ["odd"], one_to_one=False)),
    "the oddities of a hosted project": ("oddities", Job("", ["odd"], postgrest_version="14.1")),
    "the oddities in go": ("oddities", Job("", ODD, "go")),
    "the oddities in swift": ("oddities", Job("", ODD, "swift")),
    **{name: ("families", Job("", [name])) for name in NAMES},
    "all families": ("families", Job("", NAMES)),
    **{f"all families in {language}": ("families", Job("", NAMES, language)) for language in ("python", "go", "swift")},
}


@pytest.fixture(scope="module")
async def verdicts(databases: Databases) -> dict[str, tuple[Job, str]]:
    """Each case's job and what the judge makes of it."""
    jobs = {case: on(databases, *found) for case, found in CASES.items()}
    outputs = await asyncio.to_thread(judged, list(jobs.values()))
    return {case: (job, output) for (case, job), output in zip(jobs.items(), outputs, strict=True)}


def on(databases: Databases, database: str, job: Job) -> Job:
    return Job(**{**vars(job), "url": getattr(databases, database)})


@pytest.mark.parametrize("case", CASES)
async def test_types_are_those_of_the_reference(verdicts: dict[str, tuple[Job, str]], case: str) -> None:
    job, expected = verdicts[case]
    assert ours(job) == expected


def test_names_are_in_the_order_of_an_english_collator() -> None:
    draw = Random(3)
    letters = "".join(map(chr, range(32, 127))) + "éèüñßøæçåÀÉÖ" + "αβγΑ" + "жшяЖ"
    lists = [["".join(draw.choices(letters, k=draw.randrange(1, 5))) for _ in range(40)] for _ in range(50)]
    assert [sorted(names, key=collation_key) for names in lists] == ordered_by_english(lists)
