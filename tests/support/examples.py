"""The examples of hypothesis: the same ones in every run and on every machine, new and more of them in `make fuzz`."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers
from hypothesis.internal.constants_ast import Constants

# How many examples a test of a profile has; a test that names a number of its own takes a share of it.
STEADY = 100
EXPLORING = 1000


def use_steady_examples() -> None:
    """Let a test's examples depend on nothing but the test; `--hypothesis-profile=exploring` draws new ones."""
    settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
    patient = settings.get_profile("patient")
    settings.register_profile("exploring", patient, max_examples=EXPLORING, derandomize=False)
    settings.register_profile("steady", patient, max_examples=STEADY, derandomize=True)
    settings.load_profile("steady")
    # It also draws numbers and strings out of the modules that are loaded, and which these are depends on the tests
    # that ran before. It has no setting for that.
    pytest.MonkeyPatch().setattr(providers, "_get_local_constants", _constants(providers._get_local_constants))


def of_hundred(examples: int) -> int:
    """`examples` in a steady run, in proportion more in an exploring one: `@settings(max_examples=of_hundred(12))`."""
    return examples * settings().max_examples // STEADY


def _constants(of_modules: Callable[[], Constants]) -> Callable[[], Constants]:
    return lambda: Constants() if settings().derandomize else of_modules()
