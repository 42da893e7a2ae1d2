"""Writes `.env.example` out of the settings themselves, so that it can't be older than they are.

`python -m minato.config.example > .env.example`
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import fields
from textwrap import wrap
from typing import Any

from pydantic import AliasChoices
from pydantic.fields import FieldInfo

from minato.config import Settings
from minato.config.base import RoomSettings

INTRODUCTION = """\
# Every setting with its default. Copy to .env and uncomment what you change; the environment wins over .env.
# Written by `python -m minato.config.example`.
"""


def rooms() -> Iterator[tuple[str, Any]]:
    """Each room's name with its settings class."""
    for room in fields(Settings):
        yield room.name, room.default_factory


def environment_name(model: Any, name: str, field: FieldInfo) -> str:
    """What the setting is called in the environment."""
    alias = field.validation_alias
    if alias is not None:
        return str(alias.choices[0] if isinstance(alias, AliasChoices) else alias)
    return f"{model.model_config.get('env_prefix', '')}{name.upper()}"


def default_of(field: FieldInfo) -> object:
    """The default; None where it follows from other settings, which the description then says."""
    return None if field.default_factory_takes_validated_data else field.get_default(call_default_factory=True)


def shown_default(field: FieldInfo) -> str:
    """The default as one would write it in `.env`; nothing for a setting without one.

    >>> shown_default(FieldInfo(default=True))
    'true'
    >>> shown_default(FieldInfo(default=None))
    ''
    """
    default = default_of(field)
    if default is None or repr(default) == "PydanticUndefined":
        return ""
    if isinstance(default, bool):
        return str(default).lower()
    if isinstance(default, list | tuple | dict | set | frozenset):
        return repr(default).replace("'", '"')
    return str(default)


def render_example() -> str:
    """The whole file."""
    lines = [INTRODUCTION]
    for room, model in rooms():
        title = (model.__doc__ or "").strip().splitlines()[0].replace("`", "")
        lines.append(f"# ── {room} ── {title}\n")
        for name, field in model.model_fields.items():
            lines += _render_setting(environment_name(model, name, field), field)
    return "\n".join(lines)


def _render_setting(name: str, field: FieldInfo) -> list[str]:
    """One setting, or where it is a group for each provider, theirs."""
    nested = default_of(field)
    if isinstance(nested, dict) and all(isinstance(one, RoomSettings) for one in nested.values()):
        return [line for provider, one in nested.items() for line in _render_provider(name, provider, one)]
    described = [f"# {line}" for line in wrap(field.description or "", 116)]
    return [*described, f"# {name}={shown_default(field)}\n"]


def _render_provider(above: str, provider: str, settings: RoomSettings) -> list[str]:
    """The settings that every provider has, under the names of this one."""
    prefix = f"{above}_{provider.upper()}_"
    lines: list[str] = []
    for name, field in type(settings).model_fields.items():
        lines.append(f"# {(field.description or '').format(provider=provider)}")
        lines.append(f"# {prefix}{name.upper()}={'' if 'secret' == name else shown_default(field)}\n")
    return lines


if __name__ == "__main__":
    sys.stdout.write(render_example())
