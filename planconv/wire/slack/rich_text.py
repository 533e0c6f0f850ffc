"""Slack's rich text, the one kind of text that details and output of a task may have, both ways.

:func:`write_rich_text` and :func:`read_rich_text` are exact inverses on Slack's normal form: neighbouring
texts of one style are one element, newlines have no style, a gap is ``\\n\\n``, a link shows its address by
having no text, lists that go on are one element, neighbouring sections are one. What a composer writes
otherwise looks the same in that form.
"""

from planconv.wire.slack.rich_text_read import read_rich_text
from planconv.wire.slack.rich_text_write import write_rich_text

__all__ = ["read_rich_text", "write_rich_text"]
