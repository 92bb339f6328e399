"""Tests against the real clients, offline: `make test-agents`."""
