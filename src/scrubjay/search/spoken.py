"""Terms of the index back into the words that a person typed, for screens. Cold."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator
from itertools import groupby

from scrubjay.search.stem import stem
from scrubjay.search.tokens import chunks, components, identifier, is_cjk

_WORD = re.compile(r"[\w.'’-]+")  # one component: paths are cut at / : and @ as in `tokens`


def spoken(text: str, terms: Collection[str]) -> list[str]:
    """The words of `text` that gave these terms, as they stand there, in order, each once: `calc_proration` and not
    calc, prorat, calcproration. Terms that `text` doesn't give come last, as they are."""
    wanted = frozenset(terms)
    words: dict[str, str] = {}
    told: set[str] = set()
    for component in _WORD.findall(unicodedata.normalize("NFKC", text)):
        for cjk, letters in groupby(component, is_cjk):
            run = "".join(letters)
            for word, given in _run(run, wanted) if cjk else _identifier(run.strip("._'’-"), wanted):
                told |= given
                words.setdefault(word.casefold(), word)
    return [*words.values(), *(term for term in terms if term not in told)]


def _identifier(written: str, wanted: frozenset[str]) -> Iterator[tuple[str, set[str]]]:
    """The whole when it was asked for as a whole, else those of its parts that were."""
    for chunk in chunks(written):
        for component in components(chunk):
            parts, whole = identifier(component)
            stems = {part: stem(part) for part in parts}
            if whole in wanted or (not whole and wanted & set(stems.values())):
                yield written, {whole, *stems.values()}
            else:
                yield from ((part, {term}) for part, term in stems.items() if term in wanted)


def _run(run: str, wanted: frozenset[str]) -> Iterator[tuple[str, set[str]]]:
    """Neighbouring pairs of characters are told as one."""
    given = [{run[at : at + size] for size in (1, 2)} & wanted for at in range(len(run))]
    held = [bool(given[at]) or (at > 0 and run[at - 1 : at + 1] in wanted) for at in range(len(run))]
    for inside, places in groupby(range(len(run)), held.__getitem__):
        if inside:
            at = list(places)
            yield run[at[0] : at[-1] + 1], set().union(*(given[one] for one in at))
