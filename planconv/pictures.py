"""The characters that must not reach a page or a terminal, and what is shown in their place."""

from __future__ import annotations

import re
from types import MappingProxyType

UNSAFE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
"""A control character, but for tab and line feed, or half of a UTF-16 pair, which UTF-8 cannot hold."""

PICTURES = MappingProxyType(
    {code: 0x2400 + code for code in range(0x20) if chr(code) not in "\t\n"}
    | {0x7F: 0x2421}
    | dict.fromkeys((*range(0x80, 0xA0), *range(0xD800, 0xE000)), 0xFFFD)
)
"""What is shown for each of them (for :meth:`str.translate`): ``␛``, or U+FFFD if it has no picture."""
