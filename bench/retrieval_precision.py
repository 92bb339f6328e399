"""PrecisionMemBench (MIT): which beliefs come back, and only those. With the floor, among what the place may see.

The filters before the search are the product's: user, scope, active, not pinned (pinned ones are resident); open questions are
no memories.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from retrieval import Data, Metric, ids, indexed, note, percent

LIMIT = 10


def run(data: Data) -> Iterator[Metric]:
    """Exact sets (bar 49 of 75), precision and recall, and silence where nothing is wanted."""
    beliefs, cases = data.load("beliefs.seed.json"), data.load("retrieval.cases.json")
    exact = silent = unwanted = 0
    precision: list[float] = []
    recall: list[float] = []
    asked = [case for case in cases if "shouldOnlyInclude" in case["expect"].get("relevantBeliefs", {})]
    for case in asked:
        wanted = set(case["expect"]["relevantBeliefs"]["shouldOnlyInclude"])
        connection = indexed(
            note(one["_id"], one["content"], name=one["canonical_name"], aliases=tuple(one["aliases"]))
            for one in beliefs
            if _visible(one, case)
        )
        found = set(ids(connection, case["query"], LIMIT, floor=True))
        connection.close()
        exact += found == wanted
        if wanted:
            recall.append(len(found & wanted) / len(wanted))
        else:
            unwanted += 1
            silent += not found
        if found:
            precision.append(len(found & wanted) / len(found))
    yield Metric("exact_sets", exact, 49, len(asked))
    yield Metric("precision", percent(sum(precision), len(precision)), None, len(precision))
    yield Metric("recall", percent(sum(recall), len(recall)), None, len(recall))
    yield Metric("silent_when_nothing_is_wanted", silent, 26, unwanted)


def _visible(belief: dict[str, Any], case: dict[str, Any]) -> bool:
    return (
        belief["user_id"] == case.get("userId", "test-user")
        and belief["epistemic_status"] == "active"
        and belief["type"] != "open_question"
        and not belief["pinned"]
        and not belief.get("resolved_at")
        and bool(set(belief["scope"]) & {*case["scope"], "user:universal"})
    )
