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

__all__ = [
    "Attempt",
    "BadRequest",
    "Braid",
    "BraidError",
    "ConditionFailed",
    "Conflict",
    "Expired",
    "Forbidden",
    "HeldByGroup",
    "NotFound",
    "OutcomeUnknown",
    "Row",
    "Script",
    "TooMuch",
    "Transaction",
    "Unavailable",
]
