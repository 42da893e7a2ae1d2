"""From a function's file to the ASGI application that answers for it."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import sys
import traceback
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Final, cast

from starlette.types import ASGIApp

from minato.functions.python.serving import Handler, of_handler

_NOTHING: Final = (
    "The function serves nothing: give it an ASGI application app, or a function handle(request) that returns a "
    "response of Starlette's."
)


class Nothing(Exception):
    """The module holds nothing that answers."""


class SharedFolders(MetaPathFinder):
    """Folders beside the functions, such as `_shared`, are packages by their names."""

    def __init__(self, folders: Sequence[Path]) -> None:
        self._folders = {folder.name: folder for folder in folders}

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The folder called so."""
        folder = self._folders.get(fullname)
        if folder is None:
            return None
        if (own := folder / "__init__.py").is_file():
            return importlib.util.spec_from_file_location(fullname, own, submodule_search_locations=[str(folder)])
        spec = ModuleSpec(fullname, None, is_package=True)
        spec.submodule_search_locations = [str(folder)]
        return spec


def load(module: str, target: str, folder: Path, shared: Sequence[Path]) -> ASGIApp:
    """What `module` of `folder` serves: `target`, else `app` or `handle`. Raises `Nothing`, and whatever it raises."""
    sys.path.insert(0, str(folder))
    sys.meta_path.append(SharedFolders(shared))
    found = importlib.import_module(module)
    for name in [target] if target else ["app", "handle"]:
        value = _named(found, name)
        if callable(value):
            return of_handler(cast(Handler, value)) if _is_handler(value) else cast(ASGIApp, value)
    raise Nothing(f"{module} has no {target}" if target else _NOTHING)


def _named(module: ModuleType, name: str) -> object:
    value: object = module
    for part in name.split("."):
        value = getattr(value, part, None)
    return value


def _is_handler(value: object) -> bool:
    """Whether it takes a request: a function of one parameter, not of three as ASGI has it."""
    if not inspect.isfunction(value):
        return False
    return len([each for each in inspect.signature(value).parameters.values() if each.default is each.empty]) == 1


def told(error: BaseException, folders: Sequence[Path]) -> str:
    """The error as Python prints it, from the first line of the function's own."""
    trace = traceback.TracebackException.from_exception(error)
    frames = list(trace.stack)
    begins = (number for number, frame in enumerate(frames) if _is_below(frame.filename, folders))
    first = next(begins, 0 if not isinstance(error, SyntaxError | Nothing) else len(frames))
    trace.stack = traceback.StackSummary.from_list(frames[first:])
    text = "".join(trace.format()).strip()
    return f"{text}\n{advice}" if (advice := _advice(error)) else text


def _advice(error: BaseException) -> str:
    if not isinstance(error, ModuleNotFoundError):
        return ""
    return "A package is named in requirements.txt beside the function; minato functions cache installs it."


def _is_below(file: str, folders: Sequence[Path]) -> bool:
    return any(Path(file).is_relative_to(folder) for folder in folders)
