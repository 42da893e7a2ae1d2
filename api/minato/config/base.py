"""How settings are made: from keywords, or from a mapping of variables. Of the process they read nothing."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Annotated, Any, Self

from pydantic import BeforeValidator, Field, SecretStr, ValidationInfo, field_validator
from pydantic_settings import (
    BaseSettings,
    EnvSettingsSource,
    InitSettingsSource,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
)

_VARIABLES = "_variables"
_UNITS = {"h": 3600.0, "m": 60.0, "s": 1.0, "ms": 0.001}
_PART = re.compile(r"(\d+(?:\.\d+)?)(h|ms|m|s)")


class RoomSettings(BaseSettings):
    """Base of every room's settings; a room adds its `env_prefix`."""

    model_config = SettingsConfigDict(extra="ignore", frozen=True, defer_build=True)

    @classmethod
    def of(cls, variables: Mapping[str, str]) -> Self:
        """Settings from these variables, in which unknown names are left to others."""
        return cls.given(variables)

    @classmethod
    def given(cls, variables: Mapping[str, str], **named: object) -> Self:
        """The same, with settings that are known already."""
        return cls.model_validate({_VARIABLES: variables, **named})

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """The keywords, and the variables that `of` was given."""
        own = init_settings.init_kwargs if isinstance(init_settings, InitSettingsSource) else {}
        given = own.pop(_VARIABLES, None)
        return (init_settings,) if given is None else (init_settings, _Variables(settings_cls, given))

    @field_validator("*", mode="before")
    @classmethod
    def _empty_is_not_set(cls, value: Any, info: ValidationInfo) -> Any:
        """`NAME=`, as .env.example shows a setting without a default of its own."""
        if value != "" or info.field_name is None:
            return value
        field = cls.model_fields[info.field_name]
        if field.default_factory_takes_validated_data:
            return field.get_default(call_default_factory=True, validated_data=info.data)
        if field.annotation is bool:
            return field.default
        return None if field.default is None else value


class _Variables(EnvSettingsSource):
    """The variables of a mapping, read as those of the environment are."""

    def __init__(self, settings_cls: type[BaseSettings], variables: Mapping[str, str]) -> None:
        self._variables = variables
        super().__init__(settings_cls)

    def _load_env_vars(self) -> Mapping[str, str | None]:
        return {name if self.case_sensitive else name.lower(): value for name, value in self._variables.items()}


def with_scheme(value: SecretStr | None, *schemes: str) -> SecretStr | None:
    """An address, if it begins with one of these; what is none would end the start within whoever connects there."""
    if value is not None and not value.get_secret_value().startswith(tuple(f"{scheme}://" for scheme in schemes)):
        raise ValueError(f"must begin with {', '.join(f'{scheme}://' for scheme in schemes)}")
    return value


def split_items(value: object) -> object:
    """`a, b` and `["a", "b"]` are the same list."""
    if not isinstance(value, str):
        return value
    text = value.strip()
    return json.loads(text) if text.startswith("[") else [item.strip() for item in text.split(",") if item.strip()]


# Of a list's field, behind NoDecode: what the variable says is read by us.
ReadItems = BeforeValidator(split_items)


# Durations: a number of seconds, or as Go writes them (`1m30s`, `24h`), since GoTrue's settings are.


def seconds(value: object) -> object:
    """The seconds in a Go duration; anything else is left to the type of the setting.

    >>> seconds("1m30s"), seconds("500ms"), seconds("60")
    (90.0, 0.5, '60')
    """
    if not isinstance(value, str) or not re.fullmatch(f"(?:{_PART.pattern})+", value):
        return value
    return sum(float(number) * _UNITS[unit] for number, unit in _PART.findall(value))


Seconds = Annotated[float, BeforeValidator(seconds)]


def _days(value: object) -> object:
    """Days, which Go's durations lack, as hours.

    >>> _days("7d"), _days("1d12h"), _days("90s")
    ('168h', '24h12h', '90s')
    """
    return re.sub(r"^(\d+)d", lambda found: f"{24 * int(found[1])}h", value) if isinstance(value, str) else value


Span = Annotated[float, Field(ge=0, allow_inf_nan=False), BeforeValidator(seconds), BeforeValidator(_days)]
"""Seconds, never fewer than none; what a developer's calls take also says days."""
