"""The parameters of one statement. Every value goes through here; each is sent as text and typed by PostgreSQL."""

from __future__ import annotations


class Parameters:
    """Collects values; what it returns stands in their place in the SQL text.

    >>> parameters = Parameters()
    >>> parameters.literal("3"), parameters.typed("4", "integer"), parameters.text("x"), parameters.values
    ('$1', '($2::text)::integer', '$3::text', ['3', '4', 'x'])
    """

    def __init__(self) -> None:
        self.values: list[str | bytes] = []

    def literal(self, value: str) -> str:
        """A placeholder without a type: PostgreSQL reads the value as what stands beside it, as it does a literal."""
        self.values.append(value)
        return f"${len(self.values)}"

    def text(self, value: str) -> str:
        """A placeholder of type text."""
        return f"{self.literal(value)}::text"

    def typed(self, value: str, type_name: str | None) -> str:
        """A placeholder read as a value of `type_name`, with the errors PostgreSQL has for a literal of that type."""
        if type_name is None or type_name == "text":
            return self.text(value)
        return f"({self.text(value)})::{type_name}"

    def json(self, value: str) -> str:
        return f"{self.literal(value)}::json"

    def bytes(self, value: bytes) -> str:
        self.values.append(value)
        return f"${len(self.values)}::bytea"
