"""The parameters of one statement. Every value goes through here; each is sent as text and typed by PostgreSQL."""

from __future__ import annotations


class Parameters:
    """Collects values; what it returns stands in their place in the SQL text.

    >>> parameters = Parameters()
    >>> parameters.typed("3", "integer"), parameters.text("x"), parameters.values
    ('($1::text)::integer', '$2::text', ['3', 'x'])
    """

    def __init__(self) -> None:
        self.values: list[str | bytes] = []

    def text(self, value: str) -> str:
        """A placeholder of type text."""
        self.values.append(value)
        return f"${len(self.values)}::text"

    def typed(self, value: str, type_name: str | None) -> str:
        """A placeholder read as a value of `type_name`, with the errors PostgreSQL has for a literal of that type."""
        if type_name is None or type_name == "text":
            return self.text(value)
        return f"({self.text(value)})::{type_name}"

    def json(self, value: str) -> str:
        self.values.append(value)
        return f"${len(self.values)}::json"

    def bytes(self, value: bytes) -> str:
        self.values.append(value)
        return f"${len(self.values)}::bytea"
