"""Putting our entries into an agent's settings, and taking them out again without a trace."""
