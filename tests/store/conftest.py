"""A home of its own for each test, below pytest's temporary folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from scrubjay.home import Home


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    monkeypatch.setenv("HOME", str(tmp_path / "person"))
    monkeypatch.setenv("SCRUBJAY_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("SCRUBJAY_NOW", "2026-09-20T08:00:00Z")
    return Home(str(tmp_path / "home"))
