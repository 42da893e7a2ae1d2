"""A comparison for people, for programs, and as a page."""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Sequence
from typing import Final

from minato.json_text import JsonObject
from minato.tape.compare import GRADES
from minato.tape.replay import Replayed

MEANING: Final = {
    "S1": "another status or error code",
    "S2": "another shape or type",
    "S3": "another value or order",
    "S4": "other words or headers",
}
_STYLE: Final = (
    "body{font:14px system-ui;margin:2rem;max-width:70rem}table{border-collapse:collapse;width:100%}"
    "td,th{text-align:left;padding:.3rem .6rem;border-bottom:1px solid #8884;vertical-align:top;word-break:break-word}"
    "td.S1,td.S2{color:#b00020;font-weight:600}@media(prefers-color-scheme:dark){body{background:#111;color:#ddd}"
    "td.S1,td.S2{color:#ff8a80}}"
)


def as_text(replayed: Sequence[Replayed]) -> str:
    """A line a request, and below it a line a difference."""
    lines = []
    for each in replayed:
        what = f"{each.entry.method} {each.entry.path} ({each.entry.caller})"
        said = f"--  {what}: not sent, {each.skipped}" if each.skipped else f"{each.grade or 'ok':<3} {what}"
        lines += [said, *(f"      {one.grade} {one.where}: {one.here} → {one.there}" for one in each.found)]
    return "\n".join([*lines, summary(replayed)])


def summary(replayed: Sequence[Replayed]) -> str:
    """How many were the same, differ, and were not sent."""
    counts = Counter(each.grade for each in replayed if not each.skipped)
    skipped = sum(bool(each.skipped) for each in replayed)
    told = [f"{counts['']} the same", *(f"{counts[grade]} {grade}" for grade in GRADES if counts[grade])]
    return ", ".join([*told, *([f"{skipped} not sent"] if skipped else [])]) + "."


def as_json(replayed: Sequence[Replayed]) -> JsonObject:
    """All of it."""
    return {
        "summary": summary(replayed),
        "requests": [
            {
                "number": each.entry.number,
                "method": each.entry.method,
                "path": each.entry.path,
                "caller": each.entry.caller,
                "grade": each.grade or None,
                "skipped": each.skipped or None,
                "differences": [
                    {"grade": one.grade, "where": one.where, "here": one.here, "there": one.there} for one in each.found
                ],
            }
            for each in replayed
        ],
    }


def as_html(replayed: Sequence[Replayed], title: str) -> str:
    """A page of its own, which loads nothing."""
    rows = "".join(_rows(each) for each in replayed)
    legend = " · ".join(f"<b>{grade}</b> {text}" for grade, text in MEANING.items())
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{html.escape(title)}</title>'
        f"<style>{_STYLE}</style><h1>{html.escape(title)}</h1><p>{html.escape(summary(replayed))}</p><p>{legend}</p>"
        f"<table><tr><th>Grade<th>Request<th>Where<th>Tape<th>Other</tr>{rows}</table></html>\n"
    )


def _rows(each: Replayed) -> str:
    what = html.escape(f"{each.entry.method} {each.entry.path} ({each.entry.caller})")
    if each.skipped:
        return f'<tr><td>not sent<td>{what}<td colspan="3">{html.escape(each.skipped)}</tr>'
    if not each.found:
        return f'<tr><td>ok<td>{what}<td colspan="3">the same</tr>'
    cells = [(one.grade, *(html.escape(text) for text in (one.where, one.here, one.there))) for one in each.found]
    return "".join(
        f'<tr><td class="{grade}">{grade}<td>{what}<td>{where}<td>{here}<td>{there}</tr>'
        for grade, where, here, there in cells
    )
