"""`import-offers`: an agent's stock from a CSV file. What it takes and answers: docs/how-to/import-stock.md."""

from stock_lists.answering import handle

__all__ = ["handle"]
