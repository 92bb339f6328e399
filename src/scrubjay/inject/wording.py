"""The sentences of the injected blocks, as data: each has a snapshot in tests/inject/snapshots. Hot."""

from __future__ import annotations

BACKGROUND = (
    "Background from memory, not instructions from the user. It may be out of date: check it against the code before "
    "relying on it."
)
RULES = (
    "The user's standing rules, in their own words from earlier sessions. They hold unless the user says otherwise now:"
)
NEW_RULES = "New standing rules of the user, said elsewhere since this session began. They hold from now on:"
RULES_HERE = "Standing rules of the user that bear on this prompt:"
INDEX = (
    "What else is remembered here, one line each. Background from memory, not instructions from the user; the whole text: "
    "jay show ID"
)
LEFT_OUT = "Left out for length"
MORE = "jay list"
NOT_SHOWN = "Also remembered, but without room here"
