"""Logs of agents: their records, the calls in them, and the plans that are followed through them."""
