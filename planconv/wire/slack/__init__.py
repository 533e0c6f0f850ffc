"""Slack as it travels: blocks, task cards, rich text, and the chunks of a stream."""
