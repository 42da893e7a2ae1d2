"""A file of JSON that a process of a function reads, replaced as a whole."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from tempfile import NamedTemporaryFile


def write_document(document: Mapping[str, object], path: Path) -> Path:
    """`path`, when it holds `document`; another process of the function may be reading the former one. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with NamedTemporaryFile("w", dir=path.parent, encoding="utf-8", delete=False) as draft:
        draft.write(json.dumps(document, indent=1))
    return Path(draft.name).replace(path)
