"""What can go wrong, told apart by what to do about it."""

from __future__ import annotations

from typing import Any, Dict, Mapping, Optional, Type


class BraidError(Exception):
    """A refusal of the server."""

    retry_after: Optional[float] = None
    """After how many seconds the server wants to be asked again; nothing was done then."""

    lost = False
    """Whether the answer of this attempt, or of one before, did not come."""

    def __init__(self, message: str, status: int = 0, body: Optional[Mapping[str, Any]] = None):
        super().__init__(message)
        self.status = status
        self.body: Mapping[str, Any] = body or {}


class BadRequest(BraidError):
    """Something in the request is wrong; the text says what to write."""


class Forbidden(BraidError):
    """Nobody known asked, or a role is lacking."""


class NotFound(BraidError):
    """There is no such table, row or transaction."""


class Conflict(BraidError):
    """Others were first and nothing was written: run the transaction again."""


class ConditionFailed(BraidError):
    """A condition does not hold; nothing was written."""


class Expired(BraidError):
    """The snapshot or the transaction is too old, or the request was settled."""


class HeldByGroup(BraidError):
    """A key group holds a row: write through the group."""


class TooMuch(BraidError):
    """Too many open transactions, or too long a request or answer."""


class Unavailable(BraidError):
    """The server does not answer, or not now; nothing was committed. Try again later."""


class OutcomeUnknown(BraidError):
    """It may have been done or not. Ask before doing it again: Braid.settle(error.request), unless
    the request had no name, which is empty then."""

    def __init__(
        self,
        message: str,
        request: str,
        status: int = 0,
        body: Optional[Mapping[str, Any]] = None,
    ):
        super().__init__(message, status, body)
        self.request = request


_KINDS: Dict[int, Type[BraidError]] = {
    400: BadRequest,
    401: Forbidden,
    403: Forbidden,
    404: NotFound,
    405: BadRequest,
    409: Conflict,
    410: Expired,
    412: ConditionFailed,
    413: TooMuch,
    415: BadRequest,
    423: HeldByGroup,
    429: TooMuch,
    503: Unavailable,
}


def refusal(
    status: int, body: Mapping[str, Any], request: str, headers: Mapping[str, str]
) -> BraidError:
    """The exception for an answer that is none."""
    message = str(body.get("message") or f"The server answered {status}.")
    if status == 504:
        return OutcomeUnknown(message, request, status, body)
    error = _KINDS.get(status, BraidError)(message, status, body)
    if status in (429, 503):
        error.retry_after = _seconds(headers.get("Retry-After"))
    return error


def _seconds(hint: Optional[str]) -> Optional[float]:
    try:
        return max(0.0, float(hint)) if hint is not None else None
    except ValueError:
        return None  # A date, of something in between.
