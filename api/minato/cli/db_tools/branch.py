"""Which branch messages name: GITHUB_HEAD_REF, else git's, else main."""

from __future__ import annotations

from pathlib import Path

from minato.cli.environment import process_environment


def git_branch(root: Path) -> str:
    """Read from `.git/HEAD`; git itself need not be there."""
    if named := process_environment().get("GITHUB_HEAD_REF"):
        return named
    for folder in (root, *root.parents):
        head = folder / ".git" / "HEAD"
        if head.is_file():
            text = head.read_text(encoding="utf-8").strip()
            return text.removeprefix("ref: refs/heads/") if text.startswith("ref: ") else "main"
    return "main"
