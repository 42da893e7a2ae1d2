"""A Python function's process begins: what it is told, what it may, and a folder of its own to write in."""

from __future__ import annotations

from pathlib import Path

from minato.backend import Backend
from minato.config.functions import FunctionsSettings
from minato.functions.child import BootFailed, Child, Orders, launch
from minato.functions.discovery import Function
from minato.functions.environment import function_environment
from minato.functions.folders import make_temporary
from minato.functions.log_file import FunctionLog
from minato.functions.python_process import (
    NOT_INSTALLED,
    UNCONFINED,
    python_arguments,
    python_orders,
    python_program,
    this_confinement,
)


async def launch_python(
    backend: Backend, settings: FunctionsSettings, function: Function, work: Path, packages: Path, log: FunctionLog
) -> Child:
    """A process that boots, unless it could not be confined where it has to be. Raises `BootFailed`."""
    program = python_program(function, packages)
    if program is None:
        raise BootFailed(NOT_INSTALLED)
    kind = this_confinement(development=backend.development, allowed=settings.python_unconfined)
    if kind == "refused":
        raise BootFailed(UNCONFINED)
    if kind == "unconfined":
        backend.log.warning(UNCONFINED, function=function.name)
    variables = function_environment(backend, settings, function)
    try:
        temporary = make_temporary(work, function.name)
    except OSError as error:
        raise BootFailed(f"the function has no folder to write in: {error}") from None
    more = python_orders(function, temporary, list(variables), confine=kind == "confined")
    more |= {"cpu_limit": settings.cpu_limit, "memory_mb": settings.memory_mb}
    orders = Orders(str(function.entrypoint), backend.entropy.bytes(32).hex(), backend.development, more)
    return await launch(program, python_arguments(), variables, orders, log, temporary)
