"""Braid: transactions over a key-value store. See README.md."""

from ._client import Attempt, Braid, Row, Script, Transaction
from ._errors import (
    BadRequest,
    BraidError,
    ConditionFailed,
    Conflict,
    Expired,
    Forbidden,
    HeldByGroup,
    NotFound,
    OutcomeUnknown,
    TooMuch,
    Unavailable,
)
from ._groups import Group, GroupScript

__all__ = [
    "Attempt",
    "BadRequest",
    "Braid",
    "BraidError",
    "ConditionFailed",
    "Conflict",
    "Expired",
    "Forbidden",
    "Group",
    "GroupScript",
    "HeldByGroup",
    "NotFound",
    "OutcomeUnknown",
    "Row",
    "Script",
    "TooMuch",
    "Transaction",
    "Unavailable",
]
