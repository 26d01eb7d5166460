"""Keys and values as they stand in JSON."""

from __future__ import annotations

import base64
import re
from typing import Any, Mapping, Union

Text = Union[str, bytes]

_ESCAPE = re.compile(r"\\(?:x([0-9A-Fa-f]{2})|\\)")


def escape(key: Text) -> str:
    """A key, as the server reads it: a byte that is no text is written \\xNN."""
    if isinstance(key, str):
        return key.replace("\\", "\\\\")
    try:
        return escape(key.decode("utf-8"))
    except UnicodeDecodeError:
        return "".join(_byte(byte) for byte in key)


def _byte(byte: int) -> str:
    if byte == 0x5C:
        return "\\\\"
    return chr(byte) if 0x20 <= byte < 0x7F else f"\\x{byte:02X}"


def unescape(shown: str) -> Text:
    """A key as the server shows it; bytes if it is no text."""
    out = bytearray()
    end = 0
    for found in _ESCAPE.finditer(shown):
        out += shown[end : found.start()].encode("utf-8")
        out += bytes([int(found.group(1), 16)]) if found.group(1) else b"\\"
        end = found.end()
    out += shown[end:].encode("utf-8")
    try:
        return out.decode("utf-8")
    except UnicodeDecodeError:
        return bytes(out)


def encode(value: Union[Text, None]) -> Any:
    """A value for JSON; None deletes."""
    if isinstance(value, bytes):
        return {"base64": base64.b64encode(value).decode("ascii")}
    if value is None or isinstance(value, str):
        return value
    raise TypeError(f"A value is str or bytes, not {type(value).__name__}.")


def decode(value: Any) -> Text:
    """A value from JSON."""
    if isinstance(value, Mapping):
        return base64.b64decode(value["base64"])
    return str(value)
