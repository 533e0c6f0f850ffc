"""The Agent Client Protocol as it travels: its shapes, messages, logs, and what version 1 lacks."""
