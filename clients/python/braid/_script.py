"""Operations that are sent together."""

from __future__ import annotations

from typing import Any, Dict, Iterable, List, Mapping, Optional, TypeVar

from ._text import Text, decode, encode, escape, unescape

Columns = Dict[Text, Text]
S = TypeVar("S", bound="Operations")


def columns_of(shown: Mapping[str, Any]) -> Columns:
    return {unescape(name): decode(value) for name, value in shown.items()}


def on_row(op: str, table: str, row: Text) -> Dict[str, Any]:
    return {"op": op, "table": table, "row": escape(row)}


def values(op: str, table: str, row: Text, columns: Mapping[Any, Optional[Text]]) -> Dict[str, Any]:
    shown = {escape(name): encode(value) for name, value in columns.items()}
    return {**on_row(op, table, row), "columns": shown}


def names(op: str, table: str, row: Text, columns: Iterable[Text]) -> Dict[str, Any]:
    shown = [escape(name) for name in columns]
    return {**on_row(op, table, row), **({"columns": shown} if shown else {})}


class Operations:
    """Gathers operations; all of them are done, or nothing."""

    def __init__(self) -> None:
        self.operations: List[Dict[str, Any]] = []

    def get(self: S, table: str, row: Text, *columns: Text) -> S:
        self.operations.append(names("get", table, row, columns))
        return self

    def set(self: S, table: str, row: Text, columns: Mapping[Any, Optional[Text]]) -> S:
        """Sets columns; None deletes."""
        self.operations.append(values("set", table, row, columns))
        return self

    def delete(self: S, table: str, row: Text, *columns: Text) -> S:
        self.operations.append(names("delete", table, row, columns))
        return self

    def expect(self: S, table: str, row: Text, columns: Mapping[Any, Optional[Text]]) -> S:
        """Goes on only if columns have these values; None: no value."""
        self.operations.append(values("expect", table, row, columns))
        return self

    @staticmethod
    def results(answer: Mapping[str, Any]) -> List[Columns]:
        return [columns_of(each["columns"]) for each in answer.get("results", ()) if "columns" in each]
