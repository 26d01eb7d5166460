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
from ._fast import Fast, Versioned
from ._groups import Group, GroupScript
from ._jobs import Jobs
from ._observers import Observers
from ._stores import Store

__all__ = [
    "Attempt",
    "BadRequest",
    "Braid",
    "BraidError",
    "ConditionFailed",
    "Conflict",
    "Expired",
    "Fast",
    "Forbidden",
    "Group",
    "GroupScript",
    "HeldByGroup",
    "Jobs",
    "NotFound",
    "Observers",
    "OutcomeUnknown",
    "Row",
    "Script",
    "Store",
    "TooMuch",
    "Transaction",
    "Unavailable",
    "Versioned",
]
