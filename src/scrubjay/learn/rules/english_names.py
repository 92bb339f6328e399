# ruff: noqa: E501, SIM905 - tables read better with one alternative list a line
"""English: how a clause becomes the name of a note, and when a note should be opened."""

from __future__ import annotations

from scrubjay.learn.rules.english_rules import rx

PREFACE = rx(
    r"""(?:
      (?:please|pls|plz|kindly|so|and|but|also|just|again|ok|honestly|actually|now|then|first|well|yeah|yep|sorry|simply|really|seriously|hm+)\b[\s,]+ | (?:yes|no)\b\s*[,.]+\s*
    | (?:(?:since|from|starting|as\s+of)\s+(?:today|tomorrow|(?:next\s+)?(?:mon|tues|wednes|thurs|fri|satur|sun)day|this\s+week|next\s+week)(?:\s+on(?:wards?)?)?)\b[\s,]+ | u\s+(?=never|always|don'?t)
    | (?:from\s+(?:now|here|today)\s+on|going\s+forward|in\s+(?:the\s+)?future|as\s+of\s+(?:now|today)|in\s+general|as\s+a\s+rule|by\s+the\s+way|btw|fyi|nb|heads\s?up|for\s+the\s+record|for\s+(?:your\s+)?(?:orientation|information|later|reference))\b[\s,:-]*
    | (?:remember|note|keep\s+in\s+mind|bear\s+in\s+mind|mind|know|be\s+aware|good\s+to\s+know|worth\s+knowing|you\s+should\s+know|i\s+must\s+tell\s+you|i\s+have\s+to\s+say)\b(?:\s+(?:this|one))?(?:\s+that\b)?[\s,:]+
    | (?:careful|be\s+careful|watch\s+out|beware|pay\s+attention|caution|take\s+care)\b(?:\s+(?:with|of|for|when|about)\b)?[\s,:]+
    | (?:(?:i\s+(?:said|told\s+you)|as\s+i\s+(?:said|told\s+you))\b(?:\s+(?:once|before|already|last\s+\w+))?)[\s,:]+
    | (?:i|we)(?:'ve|\s+have|\s+had)?\s+(?:already\s+)?(?:tried|decided|agreed|settled|chosen|picked|opted)\b(?:\s+(?:that|on|for|with|to\s+(?:use|have)|in\s+\w+\s+(?:yesterday\s+)?that))?\s+
    | i\s+(?:(?:really|always|usually|much|generally|strongly)\s+)?(?:prefer|like|want|need|expect|love|appreciate)\s+(?:to\s+(?:see|have|get|read)\s+)?
    | i'?(?:d)?\s+(?:rather|sooner)\s+(?:have|see|read)\s+
    | i(?:'m|\s+am|m)\s+(?:(?:an?|on|also|quite|very|partly)\s+)*
    | (?:we(?:'re|\s+are)?\s+(?:going|go|went|stay(?:ing)?|stick(?:ing)?)\s+(?:with|on|to)|it'?s|it\s+is|been\s+there:?|what\s+i\s+do\s+know\s+is\s+that|i\s+(?:wasted|lost|spent)\s+[\w\s]{0,30}\s(?:on|with)|(?:to\s+)?write\s+(?:this\s+|that\s+|it\s+)?down(?:\s+for\s+\w+)?)\b[\s,:]+
    | we\s+(?:all\s+|only\s+|always\s+|usually\s+|generally\s+|also\s+|mostly\s+)*(?:use|have|run|are\s+on|go\s+with|went\s+with|stay\s+on|stay\s+with|stick\s+to|stick\s+with|prefer|do)\s+
    | we\s+(?=(?:\w+\s+)?(?:don't|do\s+not|never|always|only|name|write|keep|put|call|store|test|support|target|measure|tag|pin)\b)(?:(?:all|only|always|usually|also)\s+)*
    | (?:don't|do\s+not|never|stop|no\s+need\s+to)\s+(?:ever\s+)?(?:suggest\w*|propos\w*|recommend\w*|bring\w*(?:\s+up)?|com(?:e|ing)\s+(?:back\s+)?with|offer\w*|pitch\w*|mention\w*|try(?:ing)?)\s+
    | there(?:'s|\s+is|\s+are)\s+
    | (?:in|on|for|with)\s+(?=(?:this|our)\s+(?:repo|project|codebase|team|house)\b)(?:this|our)\s+\w+[\s,]+
    | (?:the|a|an|our|my|your|its|all|every|each|any|this|that|these|those)\s+
    )"""
)
"""`match` again and again at the start: what a name does without."""

HEAD_END = rx(
    r"""[,;(!?\u2026]|:(?=\s|$)|\.(?=\s|$)|\s[-–—]+>?\s|\s(?:because|bc|since|so|otherwise|else|unless|but|as\s+(?:the|it|they|we)|which|that's|thats|if|when|whenever|while|instead|until|or\s+(?:else|the|it|they)|and\s+(?:we|i|it|the|then|they|never|always|not|don't|that)|rather\s+than|due\s+to|once|again\b|anymore|please|pls|from\s+now|in\s+(?:every|all|any)\s+(?:my\s+)?projects?|for\s+good)(?=\s|$)"""
)
"""`search`: where the head of a clause ends."""

TRAILING = frozenset(
    """belong belongs lasts last their whose the a an of to in on at by for with from as and or but so if than that this these those is are was were be been do does
    did has have had will would can could should must may might not no into onto over under about its our my your their via
    per only also just very too i we you they it he she who which when where while because before after until never always
    every each all any some gets get goes go stays stay lives live needs need uses use runs run takes take means there here
    own then now still already more most less please again we're it's don't doesn't isn't""".split()
)
"""A name does not end with these."""

VERBS = frozenset(
    """keep keeps kept need needs needed want wants goes going comes come came works work worked working tell tells told know
    knows look looks looked last year years already please give gives given gave put puts let lets said say says made making
    find found see sees seen saw think thinks tried try stay stays stayed live lives sit sits belong belongs start starts
    started end ends run runs ran running write writes written wrote read reads break breaks broke broken fail fails failed
    mean means happen happens ask asks asked send sends sent show shows take takes taken took call calls called change changes
    changed open opens close closes bring brings brought leave leaves left move moved moves turn turns turned return returns
    expect expects accept accepts hold holds own owns handle handles decide decides decided agreed review reviews approve
    approves sign signs listen listens wait waits drop drops lose loses cost costs count counts apply applies carry carries
    follow follows stick sticks prefer prefers hate hates love loves remember draw draws explain explains pick picks set sets
    tag ping put cut cuts hit hits kill kills hang hangs crash crashes overwrite overwrites overwritten generated picked settled
    done doing being having getting longer else enough never maybe instead first second next again ever today tomorrow yesterday
    touch anything something word words myself yourself whenever whatever mind thing reset goes
    careful pay attention check honestly late later fyi max minor bare plain together sorry seriously stop somebody
    week weeks day days month months good bad new old same right wrong real true false sure able less many much own otherwise
    directly always only gone back down out off over dont doesnt isnt cant wont everything anything nothing someone anyone nobody
    everyone thing things stuff way lot bit kind point case cases reason time times part parts them both either neither without
    within across along around behind beside toward towards upon except besides three four five six seven eight nine ten""".split()
)
"""Words that are no topic."""

OCCASIONS = (
    (rx(r"\b(?:draw|plot|chart|graph|figure|colou?r|palette|diagram|heat\s?map|blind)\w*\b"), "when drawing or plotting for this person"),
    (rx(r"\b(?:commit|push|merge|rebase|squash|sign)\w*\b.{0,40}\b(?:myself|me|i)\b|\bi\b.{0,30}\b(?:commit|push|merge|sign)"), "before committing for this person"),
    (rx(r"\b(?:shell|terminal|fish|zsh|nushell|bash|command|shortcut|editor|vim|emacs|vscode|keyboard|mouse|dvorak)\w*\b"), "when giving this person commands or places"),
    (rx(r"\b(?:diffs?|pull\s+requests?|prs?|patch(?:es)?|plan)\b"), "before handing this person a change"),
    (rx(r"\b(?:explain|explanation|learn|background|beginner|new\s+to|biologist|know|understand|teach|junior|reason)\w*\b"), "when explaining something to this person"),
)  # fmt: skip
"""For a preference: the first that is found in it says when to open it."""

WRITTEN = rx(
    r"\b(?:commits?|subjects?|messages?|comments?|tests?|code|branch(?:es)?|logs?|log\s+lines?|docs?|documentation|sql|names?|named|functions?|variables?|errors?|classes|files?|headers?|indent\w*|tabs|spaces|quotes|casing|prefix\w*|suffix\w*|imports?|types?|docstrings?|spelling|timestamps?|amounts?|migrations?)\b"
)
