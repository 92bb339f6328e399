# ruff: noqa: E501, SIM905 - tables read better with one alternative list a line
"""English: the words by which developers say what lasts, what is asked, and what is only for now.

Patterns see lower-case text with straight quotes; apostrophes may be missing, as people type.
"""

from __future__ import annotations

from scrubjay.learn.rules.english_evidence import (
    ANNOUNCE,
    BARE_PLURAL,
    BOOKISH,
    CLASH,
    DO_IT,
    ENDORSE,
    EVIDENCE,
    HOLLOW,
    KEPT_ORDER,
    LIMITS,
    LOCAL,
)
from scrubjay.learn.rules.english_names import HEAD_END, OCCASIONS, PREFACE, TRAILING, VERBS, WRITTEN
from scrubjay.learn.rules.english_rules import DATES, FAIL, RULES, rx
from scrubjay.learn.rules.language import Language

# Orders to the assistant. The second list holds words that are nouns as well: they need an object after them.
_VERBS = """
    abort adapt add address adjust align allow analy[sz]e append apply arrange assign attach avoid bind bring bundle calculate
    cancel capture continue cover crop debounce decrease demote derive dig embed emit encode encrypt enforce
    factor fold hoist introduce invert isolate iterate mention mirror mute narrow nest normali[sz]e omit
    parametri[sz]e partition prefetch preload provide purge quanti[sz]e rank reimplement rephrase rerun rescue
    retry revisit rotate sanitize shift specify split sum suppress tail teach tighten toggle truncate
    unblock unwrap vectori[sz]e visuali[sz]e widen bump clean clear clone close
    collect combine compile compute configure convert correct create cut declare decode delete describe detect
    disable discard display do download drop duplicate edit eliminate enable ensure escape evaluate examine exclude
    execute expand explain explore export expose extend extract fetch figure fill find finish fix flip focus forget
    format generate get give go grab grep guess have help hide identify implement import improve include increase
    initiali[sz]e inline insert inspect install integrate investigate join keep kill leave let list load look lower
    make merge migrate modify move open optimi[sz]e organi[sz]e pack parse paste pick point populate prepare
    prioriti[sz]e proceed propose prove pull push put re-?add re-?run read rebase rebuild recheck redo reduce
    refactor reformat refresh regenerate remove rename render reopen reorder replace reproduce reset resolve
    restart restore restructure resume revert rewrite roll save scroll seed select send separate serve shorten show
    shrink simplify simulate skip solve sort speed split squash start stash stay stick stop strip submit suggest
    summari[sz]e swap switch sync take tell throw tidy touch treat trim try tune turn undo uninstall unify unpin
    update upgrade upload use validate verify wait walk wire wrap write zip remember mind ask ping tag cc
    """.split()
_NOUN_VERBS = """
    answer back build cache call cap change check click comment commit copy count debug design document double
    draft draw dump estimate extract filter flag group guard handle hook hold kick label land launch lint log mark
    measure mock monitor name note order output override patch pause pin place plan play plot polish port post
    prefix print probe profile prototype publish query quote raise record release repeat reply report request
    return reuse review round run scan schedule script search see set setup ship step store stub talk target test
    time trace track transform trigger view warn watch work
    """.split()
_OBJECT = r"""(?:an?|the|this|that|these|those|it|them|me|us|all|both|every|each|any|some|my|your|our|its|his|her|their|only|up|out|down|in|on|at|to
    |with|from|for|off|over|into|through|again|also|how|what|where|why|whether|if|new|one|two|three|\d[\w.]*|`|"|'|\S*[_/.]\S*\w|[a-z]+ing|instead|first)"""
_STATES = r"(?:go|goes|are|is|carry|carries|live|lives|come|comes|start|starts|end|ends|stay|stays|explain|explains|belong|belongs|follow|follows|get|gets|look|say|says|have|has|must|use|uses|contain|contains|hold|holds|sit|sits|never|always|only|don'?t|need|needs|take|takes|begin|begins|keep|keeps|read|reads|run|runs|went|moved|was|were)"
_HEADS = "answer back build cache call change comment commit copy count debug design document draft draw dump estimate export file filter flag guard handle hook import index insert label launch lint list load log mark merge mock monitor name order output override patch plan plot port post prefix print probe profile prototype query quote record release reply report request return review run scan schedule script search seed set setup stage step store stub target test time token trace track transform trigger type upload download view wire".split()
# "commit titles go ...", "test names are ...": the first word of a noun, not an order.
_A_NOUN = rf"(?!(?:{'|'.join(_HEADS)})\s+(?:(?!the\b|that\b|if\b|all\b|an?\b|it\b|this\b|my\b|your\b|how\b|what\b|which\b|whether\b)[\w-]+\s+){{0,2}}[\w-]+\s+(?:below\s+\S+\s+|above\s+\S+\s+|here\s+)?{_STATES}\b)(?!(?:{'|'.join(_HEADS)})s\s+{_STATES}\b)(?!(?:{'|'.join(_HEADS)})\s+(?:for|of|in|from|on)\s+(?:[\w-]+\s+){{1,4}}(?:is|are|goes|comes|lives|belongs|must|has|stays)\b)"
IMPERATIVE = (
    _A_NOUN
    + r"(?:(?:please|pls|plz|just|now|then|first|next|maybe|simply|quickly|always|only|go\ ahead\ and|go\ and|feel\ free\ to|you\ can|so)\s+){0,3}(?:let's\s|lets\s|"
    rf"(?:{'|'.join(_VERBS)})(?!\s+(?:is|are|was|were|has|have|must|should|will|can|gets?)\b)(?![\w'-])"
    rf"|(?<=now\s)(?:{'|'.join(_NOUN_VERBS)})\s|(?:{'|'.join(_NOUN_VERBS)})\s+(?={_OBJECT}(?:\s|$|[`\"'(]))|(?:commit|push|ship|deploy|test|run|release|retry|review|check|deploy)[.!]*$)"
)
_ORDER_START = r"(?:look|check|fix|add|run|tell|show|open|put|read|write|rename|remove|do|make|start|see|use|give|find|move|delete|update|let)\b"
_PRONOUN = r"(?:i|we|you|he|she|they|it|this|that|these|those|there|the|my|your|our|an?|any(?:one|body|thing)?|some(?:one|body|thing)?|all|both|others?|people)"
_AUX = r"(?:is|are|was|were|do|does|did|has|have|had|can|could|should|would|will|shall|may|might|must|am|isn'?t|aren'?t|don'?t|doesn'?t|didn'?t|won'?t|can'?t|couldn'?t|shouldn'?t|wouldn'?t|haven'?t|hasn'?t)"
_QUESTION_START = rf"""(?:
      (?!do\s+(?:it|this|that|these|those|the|my|your|our|an?|all|both|some|not)\b){_AUX}\s+{_PRONOUN}\b | (?:is|are|does|did|should|would|could|was|were|isn'?t|aren'?t|doesn'?t|shouldn'?t)\s+(?!not\b)[\w`.@/-]+\s
    | do\s+(?:others|people|tests|they)\b
    | (?:what|where|who|why|how|when|which)(?:'?s|'?re|'?d)\b(?!\s+(?:works|counts|matters|who\b)) | (?:whats|wheres|hows|whos(?!\s+who))\b
    | what\s+(?:about|if|else|kind|sort|version|exactly|{_AUX})\b | (?:where|why)\s+(?:exactly\s+)?{_AUX}\b | (?:who|whom|whose)\s+(?!to\b|\w+:|(?:\w+\s+){1, 9}?(?:must|has\s+to|needs?\s+to)\b)\w | why\b(?!\s*:)
    | how\s+(?:{_AUX}|come|about|many|much|long|often|far|big|hard|to\b(?!.{{0,80}}:))\b | when\s+(?:{_AUX})\b | which\s+(?:{_AUX}|ones?|of|\w+\s+(?:{_AUX}))\b
    | any\s+(?:idea|ideas|thoughts|suggestions|chance|reason|way|clue|luck|opinion)\b | ideas\b | thoughts\b | (?:got\s+)?any\s+\w+\s+for\b
    | (?:can|could|would|will)\s+(?:you|u|we)\b | wdyt\b | (?:are|r)\s+(?:you|u)\b
    )"""

TABLE = Language(
    code="en",
    opener=rx(
        r"""(?:(?:ok(?:ay)?|k|and|also|but|oh|ah+|aha|hm+|uh|um|er|btw|by\ the\ way|hey|hi|hello|well|alright|all\ right|anyway|anyways|pls|plz|yo|lol|haha|ugh|cool
        |oh\ and|ok\ now|ok\ so|and\ now|plus|and\ you|on\ another\ note|unrelated|separately|aside|side\ note|sidenote|\^+)\b[\s,.!:…-]+(?!\d)
        |(?:[^:.!?`]{0,60}\b)?i\s+(?:\w+\s+)?(?:know|need\s+(?:this|it|that)|think\s+i\s+\w+|found|see|noticed|learn(?:ed|t)|figured|remember|forgot\s+to\s+(?:say|mention|tell)|have\s+to\s+(?:say|tell|add))\b[^:.`]{0,40}:\s+
        |(?:no+|nope|nah|yes|yep|yeah|sure|right|fine|nice|great|good|perfect|thanks|thank\ you|thx|ty|stop|wait|hold\ on|look|listen|now|then|so|again|please|first|second|next|finally|lastly|actually|correction|sorry|morning|good\ morning|another\ thing
        |(?:and\ )?one\ (?:more|last|other|small)(?:\ thing)?|last\ thing|two\ things|some\ dates|dates|never|wrong|exactly|true|agreed|again|update|news|good\ news|bad\ news|quick\ note|small\ thing|important)(?:[,!.:…]+|\s-+)\s+
        |(?:i|we)\ (?:need|want)\ [\w-]+(?:\ [\w-]+)?:\s+|(?:[\w]+,\s+)?so\ (?:that\ )?you\ (?:can|know)\b[^:.]{0,30}:\s+|[\^>.,!:;-]+\s+)"""
    ),
    shift=rx(
        r"(?:(?:ok(?:ay)?|oh|and|ah|hm+|so)[\s,]+)*(?:btw|by\ the\ way|also\b|another\ (?:thing|one)|(?:and\ )?one\ (?:more|last|other)|oh\ and|then:|next[:,]|unrelated|separately|on\ another|side\ ?note|and\ you:|plus[\s,]|second(?:ly)?[,:]|finally,|lastly,|what\ i\ did|now\ to\b|as\ for|about\ the|regarding)"
    ),
    split=rx(
        rf"""\s+[-–—]{{1,2}}\s+|(?<=\S);\s+|(?:(?<=forget\sthat)|(?<=ignore\sthat)|(?<=strike\sthat)|(?<=scratch\sthat)|(?<=forget\sit)|(?<=ignore\sit)|(?<=drop\sthat)|(?<=never\smind)),\s+|\u2026\s*|\.{{3,}}\s*
        |,?\s+(?:and|but|then)\s+(?:also\s+|yeah\s+|so\s+)?(?=(?:please|pls|can\ you|could\ you|let'?s|for\ now|i'll|i\ will|should\s|what\s|{_ORDER_START})\b)
        |,\s+(?=(?:can|could|would|should|will)\ (?:you|we|i)\b|please\b|pls\b|what\ (?:do|is|are|does)\b|how\ (?:do|is|are|does|can)\b|why\ (?:do|is|are|does)\b|where\ (?:do|is|are|does|can|did)\b|which\ (?:one|file|of)\b|who\ (?:do|is|does|can)\b|no,|forget\b|scratch\b|strike\b|never\ ?mind|but\ for\ now|for\ now\b|(?!do\ (?:it|that)\b){_AUX}\ (?:i|we|you|it|they|that)\b)
        |,?\s+and\s+(?=(?:remember(?!\s+(?:its|their|his|her|the\s+[\w-]+\s*$)\b)|note|never|always|keep\s+in\s+mind|from\s+now\s+on|in\s+general|whenever|please\s+(?:never|always))\b)
        |,\s+and\s+(?=(?:is|are|does|did|can|could|should|was)\s)
        |,?\s+(?=btw\b|by\ the\ way\b)"""
    ),
    aside=rx(r",\s+(?=(?:that's|thats|that\ is)\ `|we\ (?:do\ not|don't|dont|never|always|only|stay|stick|keep|use)\b|(?:our|bare|plain)\ )"),
    noise=rx(
        r"""(?>(?:ok(?:ay)?|k|thanks?|thx|ty|you|great|good|nice|cool|fine|perfect|right|sure|yes|yep|yeah|yup|no+|nope|nah|hi|hey|hello|bye|cheers|lol|haha+|wow
        |awesome|excellent|sounds|got|it|i|see|makes|sense|thought|so|done|never\s?mind|whatever|go|ahead|do|continue|proceed|next|again|job|well|love|not|bad|later|morning|night
        |evening|too|much|a|lot|then|now|that|that's|works|lgtm|ship|please|pls|don'?t|dont|worry|worries|problem|np|hm+|ah+|oh|for|man|mate|guys|everyone|all|as|always|usual
        |will|looks|exactly|amazing|brilliant|correct|agreed|true|same|here|very|really|the|work|keep|going|there|we|way|better|this|is|was|just|what|wanted|needed|one|my)\b[\s,.!:)…]*+)++"""
    ),
    question=rx(
        rf"""^{_QUESTION_START} | (?:what\s+do\s+you\s+(?:think|say|suggest)|do\s+you\s+(?:think|know)|what\ about|wdyt|any\s+(?:ideas?|thoughts?))\b | [,;]\s*(?:right|no|ok|correct|agreed|isn'?t\ it|don'?t\ we|yes)\s*$(?<=\?) | ,\s*(?:right|correct|isn'?t\s+it|don'?t\s+we|doesn'?t\s+it|or\s+not|or\s+what|no\?)\W*$
        | \b(?:i\s+wonder|wondering|curious|no\s+idea|not\s+sure|unsure|(?:i\s+)?(?:don'?t|do\s+not)\s+(?:know|understand|get|remember|recall)|can'?t\s+(?:tell|remember|figure))\b
        | ^(?:tell|remind|explain|show)\s+(?:to\s+)?(?:me|us)\b | ^explain\b | \b(?:so|but|and)\s+(?:why|what|how|where)\s+(?:is|are|was|do|does|did|can|would|should|else)\b | ^what\s+\w+\s+(?:\w+\s+)?(?:{_AUX})\s+{_PRONOUN}"""
    ),
    hypothetical=rx(
        r"""\b(?:if|when)\s+(?:only\s+)?(?:i|we|you|they|he|she|it|someone|somebody|anyone|the\s+\w+|this|that|there|\w+)\s+(?:ever\s+|really\s+|just\s+|suddenly\s+)?(?:had|were|was|moved|used|wanted|went|switched|dropped|needed|got|gave|made|took|did|could|would|started|stopped|decided|changed|added|removed|tried|ran|wrote|rewrote|ported|migrated|hired|sold|bought|split|replaced|became|came|grew|left|supported|allowed|adopted|chose|picked|turned)\b.*\b(?:would|could|might|we'd|i'd|it'd|they'd|you'd|have\s+to|need)\b
        |\bif\s+we\s+(?:ever|had|were|moved|used|switched|dropped)\b|^(?:and\s+)?if\s+(?:we|i|they|it|you)\s+(?:ever\s+)?(?:\w+ed|had|were|went|got)\b
        |\b(?:suppos(?:e|ing)|imagine|hypothetical(?:ly)?|what\s+if|let'?s\s+(?:say|pretend|assume|imagine)|say\s+we|assuming\s+we|in\s+theory|theoretically|one\s+day\s+we|some\s?day|one\s+day|in\s+a\s+(?:perfect|different)\s+world|down\s+the\s+road)\b
        |\bwould(?:n'?t)?\s+(?:it\s+)?be\s+(?:\w+\s+)?(?:nice|fun|cool|great|better|neat|good|interesting|easier|ideal|worth|useful|lovely|possible)\b
        |\b(?:thinking\s+(?:aloud|out\s+loud|about|of)|day\s?dream\w*|just\s+(?:an?\s+)?(?:idea|thought|thinking|musing|dreaming)|wild\s+idea|crazy\s+idea|brainstorm\w*|toying\s+with|considering|contemplating|playing\s+with\s+the\s+(?:idea|thought))\b
        |\b(?:we|i|they)\s+(?:might|may|could)\s+(?!not\b)|^(?:maybe|perhaps|possibly)\b|\bmaybe\s+(?:we|i|one|some|the|it|next|later)\b|\b(?:i|we)\s+wish\b|\bat\s+some\s+point\b|\bmight\s+(?:be|want|make|need|drop|move|use|switch)\b|\bi'?d\s+love\s+to\b|\bno\s+plans?\b"""
    ),
    unsure=rx(
        r"^in\s+(?:python|rust|go|golang|js|javascript|typescript|c|c\+\+|java|kotlin|swift|ruby|php|css|html|sql|bash|git|http|react|vue|haskell|scala|general)\b(?!.*\b(?:we|our|us|here|i)\b) | \b(?:my\s+(?:suspicion|theory|hunch|impression)|i\s+(?:think|guess|suspect|believe|assume|suppose|reckon|bet)|probably|presumably|apparently|(?:it|that|this)\s+(?:seems|looks\s+like|sounds\s+like)|seems\s+to|my\s+guess|most\s+likely|likely|as\s+far\s+as\s+i\s+(?:know|remember|recall)|afaik|afair|iirc|if\s+i\s+(?:remember|recall)|not\s+100|supposedly|could\s+be|must\s+be\s+(?:an?|the|some|because|that|due)|should\s+be\s+(?:fine|ok|enough|good)|kind\s+of|sort\s+of|rumou?r|hopefully|i\s+hope|we\s+hope)\b"
    ),
    temporary=rx(
        r"""(?<!as\ of\ )(?<!from\ )(?<!starting\ )(?<!since\ )(?<!of\ )(?<!until\ )\btoday\b(?!'?s\s+date)|\btonight\b|\bthis\s+(?:morning|afternoon|evening|session|time|once|one\s+time|run|branch|pr|mr|commit|ticket|week|weekend|sprint|hour|minute|moment|conversation|chat|experiment|spike|demo)\b
        |\bfor\s+(?:now|today|once|a\s+(?:moment|minute|sec|second|bit|while)|the\s+(?:moment|time\s+being|demo|rest\s+of|next\s+(?:few\s+)?(?:minutes?|hours?|days?)|day|meeting|presentation|screenshot|experiment)|this\s+(?:one|once|time|session|task|pr|mr|run|branch|ticket|commit|change|fix|bug|feature|experiment|demo|week|test)|testing|debugging|tonight|tomorrow)\b
        |\b(?:right|just)\s+now\b|\bat\s+the\s+moment\b|\bmomentarily\b|\btemporar(?:y|ily)\b|\bfor\s+the\s+time\b|\bin\s+a\s+(?:minute|moment|sec|second|bit)\b
        |\b(?:until|till|'til)\s+(?:noon|lunch|tonight|tomorrow|later|midnight|the\s+(?:end\s+of\s+(?:the\s+)?(?:day|week|session)|meeting|weekend)|eod|eow|(?!then\b|every\b|all\b|each\b|q\d|20\d\d)(?:i|we|you|he|she|they|it|this|that|the|my|our|\w+)\s+(?:[\w`.-]+\s+){0,4}(?:is|are|'?s|has|have|gets?|comes?|lands?|merges?|finishes|fixe[sd]|answers?|replies|say|says|tell|decide|know|am)\b|i'?m\b|it'?s\b|that'?s\b|further\s+notice|fixed\b|merged\b)
        |\b(?:until|till)\s+(?:about\s+)?\d{1,2}(?::\d\d)?\s*(?:am|pm|o'?clock|h)?(?=$|[,.;!)]|\s+(?:and|because|so|bc|the\s|my\s|i'?m)\b)
        |^(?:this|the\s+current)\s+(?:one|commit|pr|mr|ticket|branch|task|issue|change|bug|time)\s+(?:is|was|has|needs|gets|goes|should)\b
        |\bwhile\s+(?:i'?m|i\s+am|we'?re|we\s+are|i\b|you'?re|debugging|testing|it'?s|the\s+\w+\s+is)\b|\bon\s+my\s+(?:branch|fork|feature\s+branch)\b|\bin\s+my\s+(?:local\s+)?(?:copy|branch|working\s+copy|stash)\b|\bi(?:'ll|\s+will|\s+can)?\s+(?:revert|undo|remove|roll|put|delete|change|rename|fix|clean|do|merge|push|commit|write|add|test|check|look)\b.{0,40}\b(?:later|after(?:wards)?|back|tomorrow|tonight|soon|again|when)\b|\bi(?:'ll|\s+will)\s+\w+\b.{0,40}\b(?:myself)\b
        |\b(?:don'?t|do\s+not|not)\s+(?:\S+\s+){1,4}yet\b|\bnot\s+yet\b|\bwip\b|\bthrow-?away\b|\bquick\s+(?:hack|and\s+dirty|test|experiment|check)\b|\bbrb\b|\bsoon\b|\bby\s+tonight\b
        |\bi'?m\s+(?:\w+\s+)?(?:in|on|at)\s+(?:an?|the|my)\s+(?:\w+\s+)?(?:train|plane|bus|flight|meeting|call|phone|hotel|airport|caf[eé]|mobile|road|way|hotspot|ferry|car|couch|bad|slow|metered)\b|\bi'?m\s+(?:tired|hungry|busy|out|away|off|back|late|sick|travell?ing|afk|offline)\b
        |\b(?:the\s+)?(?:first|second|last|next)\s+(?:commit|attempt|try|run)\s+only\b|\bjust\s+this\s+(?:once|one|time)\b|\bhotspot\b|\blow\s+(?:on\s+)?battery\b|\bon\s+vacation\b(?!.*\b(?:instead|meantime|until|till)\b)|\bcurrently\b|\bstill\s+(?:broken|failing|down|red|open)\b"""
    ),
    hearsay=rx(
        r"""\b(?:says?|said|writes?|wrote|claims?|claimed|recommends?|recommended|suggests?|suggested|insists?|argues?|states?|reads|tweeted|posted|preaches|advises?|told\s+(?:me|us)|tells\s+(?:me|us|you))\b[^"'`]{0,40}[:,]?\s*["“«]
        |\b(?:blogs?|articles?|(?:blog|reddit|forum|linkedin|medium|so|hn)\s+posts?|tutorials?|videos?|youtube|talk|podcast|newsletter|readme|stack\s?overflow|reddit|hacker\s?news|hn|twitter|linkedin|chatgpt|gpt(?:-?\d)?|copilot|gemini|chatbot|consultants?(?:'s)?|vendor(?:'s)?|docs?|documentation|manual|pdf|white\s?paper|paper|book|bot|some(?:one|body)|people|a\s+(?:guy|colleague|friend)|(?:the|their|an?)\s+(?:internet|report|issue|comment|e-?mail|mail|slide|slides|website))\b[^.]{0,40}\b(?:says?|said|writes?|wrote|claims?|claimed|recommends?|recommended|suggests?|suggested|insists?|argues?|states?|tells?|told|thinks?|advises?|wants?)\b
        |\b(?:(?:would|could|might)\s+say\b|according\s+to|i\s+(?:read|heard|saw)\s+(?:that|somewhere|on|in|an?|the|people|about)|(?:he|she|they)\s+(?:says?|said|writes?|wrote|claims?|suggested|suggests?|recommends?)\b|quot(?:e|ing)\b\s*[:"]|word\s+for\s+word|copied\s+from|pasted?\s+from|from\s+(?:a|the)\s+(?:blog|article|post|tweet))"""
    ),
    reported=rx(
        r"^(?:[\w'-]+[\s,:]+){0,3}(?!is\b|are\b|be\b|been\b|was\b|were\b|gets?\b)[a-z][\w'-]*\s+(?:says|said|wrote|writes|claims|claimed|thinks|insists|suggested|suggests|recommends|recommended|asked|told\s+(?:me|us)|complains|complained|reports(?!\s*:)|reported|mentioned|believes)\b(?<!i said)(?<!we said)(?<!i wrote)(?<!i asked)"
    ),
    report=rx(
        r"""\b(?:is|are|was|were|got|gets|goes|went|'s|turned|looks?|seems?|still)\s+(?:\w+\s+)?(?:broken|red|failing|down|slow|flaky|stuck|crashing|hanging|empty|missing|weird|odd|buggy|blank|green|late|leaking|misaligned|crooked|too\s+(?:slow|big|small|long|late))\b
        |\b(?:shows?|returns?|prints?|gives?|gets?|renders?|displays?|outputs?|computes?)\b.{0,50}\binstead\s+of\b|\btakes\s+(?:about\s+|over\s+|around\s+)?\d+\s*(?:ms|s|secs?|seconds?|min|mins|minutes?|h|hours?)\b
        |\b(?:fails|failed|crashed|crashes|broke|doesn'?t\s+work|does\s+not\s+work|isn'?t\s+working|not\s+working|won'?t\s+(?:start|build|compile|boot)|pil(?:e|es|ing)\s+up)\b"""
    ),
    event=rx(
        r"""^the\s+(?:diff|patch|change|pr|mr|commit|fix|draft|mock-?up|plan|summary|table|rest)\s+(?:is|looks|reads)\s+(?:fine|good|ok|okay|nice|great|wrong|right)\b | \bthe\s+(?:first|second|third|last|next)\s+(?:hunk|row|column|line|chunk|sentence|paragraph|commit|bullet|screenshot|tab)\b | ^(?:the|this|that)\s+(?:[\w-]+\s+){1,3}never\s+(?!needs\b|goes\b|has\b|wins\b|comes\b|stays\b|gets\b|lives\b|belongs\b)[a-z]{2,}s\b(?!.*\b(?:because|since|so|by\s+design|on\s+purpose|otherwise|only|but|unless|we|you)\b) | (?:^|[,;]\s)(?:so\s+|but\s+|and\s+)?(?:the|this|that)\s+(?:\w+\s+){1,3}(?:is|are|gets)\s+(?:never|always)\s+(?:\w+ed|null|none|empty|true|false|undefined|zero|nan|shown|set|hidden|called)\b
        | ^(?:the\s+)?(?:\w+\s+){0,3}(?:tests?|build|pipeline|suite|workflow)\s+(?:only\s+)?(?:fails?|passes|crash(?:es)?|hangs?|breaks?|is\s+red)\b(?!.*\b(?:without|unless|if|above|below|over)\b) | ^(?:so\s+)?(?:the|this|that)\s+(?:\w+\s+)?(?:bug|crash|leak|problem|issue|error|failure|regression|race|exception)\s+(?:\w+\s+)?(?:is|was|happens|comes|occurs|here)\b | ^(?:this|that)\s+(?:\w+\s+)?(?:loop|line|variable|function|method|call|branch|diff|code|snippet|test|class|query|page|warning|button|screen|component|commit|change)\b | \bline\s+\d+\b | ^(?:this|it|that)\s+(?:always|never)\s+\w+s\b
        | \b(?:in|at)\s+my\s+(?:last|previous|old|former|first)\s+(?:company|job|team|project|place|life)\b | \b(?:when|if|whenever|as\s+soon\s+as|every\s?time|each\s+time|once|(?<!only\s)after)\s+i\b | \b(?:again(?!st)(?!\s*$)|(?<=\w\s)since\s+(?:yesterday|this\s+(?:morning|week|afternoon|month|update|change|release|merge)|last|monday|tuesday|wednesday|thursday|friday|the\s+(?:update|upgrade|merge|release|deploy|refactor|last))|third\s+time|twice\s+(?:this|today|now)|all\s+of\s+a\s+sudden|suddenly|yesterday|last\s+(?:night|week|month|commit|deploy|release|sprint|diff)|an\s+hour\s+ago|\d+\s+(?:minutes?|hours?|days?|weeks?)\s+ago|earlier|recently|out\s+of\s+nowhere)\b
        |(?<!that\s)(?<!which\s)(?<!what\s)\b(?:i|we|they|users?|customers?|tenants?|someone|somebody|a\s+\w+)\s+(?:just\s+|always\s+|often\s+|sometimes\s+|still\s+|usually\s+)?(?:get|got|gets(?!\s+\w+ed\b)|see|saw|sees|hit|hits|found|noticed|complains?|complained|reported|reports)\b(?!\s+(?:an?\s+)?(?:review|approval|sign)) | \bkeeps?\s+(?:fail|crash|break|hang|gett|show|throw|return|complain|restart|time?)\w*ing\b
        |\b(?:there\s+(?:is|are|was)|there'?s)\s+(?:an?\s+|some\s+|this\s+)?(?:\w+\s+)?(?:bug|bugs|issue|problem|error|errors|leak|regression|typo|race|failure|mistake|warning)\b
        |\b(?:an?|the|this|that|with)\s+(?:\w+\s+)?(?:stack\s?trace|segfault|exception|traceback|assertion\s+error|exit\s+code)\b | ^(?:i|we|he|she|they|you|somebody|someone|it)\s+(?:\w+\s+)?(?:changed|added|removed|fixed|pushed|merged|deployed|broke|patched|wrote|renamed|updated|tried|ran|started|restarted|deleted|forgot|reformatted|did|made|installed|reverted|opened|closed)\b"""
    ),
    makes=rx(r"(?:(?:please|pls|and|also|then|now)\s+)*(?:add|implement|create|build|write|introduce)\s+(?:[\w-]+\s+){1,4}(?:so|that|which|where|when|if)\b|(?:please\s+|pls\s+|and\s+|also\s+)*make\s+(?:it|them|this|that)\s+(?!a\s+(?:rule|habit)|your|our)|(?:please\s+|pls\s+|and\s+|also\s+)*(?:make\s+sure|ensure|see\s+to\s+it)\s+(?:that\s+)?(?!you\b|to\b|we\b|i\b)\w|(?:(?:please|pls|just|now|then|also|and|i\s+(?:want|need)|we\s+need|give\s+me|let's|lets)\s+)*(?:write|create|add|make|implement|build|generate|draw|draft|put|insert|give|design|script|sketch|prototype|introduce|set\s+up)?\s*(?:me\s+)?(?:an?|one|another|the|this|that|these|some|two|three|\d+)\s+(?:\w+\s+){0,3}(?:that|which|for|with|to|where|so|in|of|from|based)\b|(?:write|create|add|make|implement|build|generate|draw|draft|insert|sketch|introduce)\s+(?:me\s+)?(?:an?|one|another)\b"),
    lasting=rx(r"\b(?:from\s+now\s+on|going\s+forward|in\s+(?:the\s+)?future|whenever|every\s?time|each\s+time|(?:with|for|to|in|on|after|before)\s+(?:every|each|all|any)\b|^(?:please\s+)?always\b|as\s+of\s+(?:now|today)|^(?:please\s+)?never\b|when\s+you\b|as\s+a\s+rule|here\b|because)"),
    polite=rx(r"(?:can|could|would|will)\s+(?:you|we)\s+(?:please\s+|pls\s+)?(?:always|never|from\s+now\s+on|in\s+(?:the\s+)?future|stop\s+\w+ing|not\s+\w+\s+.*\bagain|keep\s+\w+ing)\b"),
    todo=rx(
        r"""^(?:\w+\s+)?(?:i|we)\s+(?:still\s+)?(?:have|need|want|would\s+like|got|ought)\s+(?:to|an?|some|the|this|these|\w+\s+for|data|help)\b|^(?:\w+\s+)?(?:i|we)'?(?:ll|re\s+going\s+to|m\s+going\s+to|d\s+like)\b|\b(?:todo|to-do|the\s+task|acceptance\s+criteria|user\s+story|next\s+step|the\s+(?:goal|idea|plan|question|thing\s+is|(?:bug|fix|error|issue|problem)\s+(?:is|was|here|now|happens|occurs|comes)))\b|\bshould\s+(?:now\s+)?(?:show|return|print|have|get|look|do|also|be|accept|support|display|say|open|close|work|take)\b
        |,\s*(?:so\s+)?(?:please\s+)?(?:implement|add|fix|do|build|write|make|change|handle|remove|apply|put)\s+(?:it|that|this|them|accordingly|the\s+\w+)\b[^,]{0,30}$ | ^(?:todo|fixme|task|title|subject\s+line|commit\s+message|message|text|caption)\s*:"""
    ),
    spec=rx(
        r"^(?:the\s+|a\s+|each\s+|every\s+|all\s+(?:the\s+)?|any\s+)?(?:\w+\s+){0,2}(?:buttons?|check\s?box(?:es)?|rows?|dialogs?|forms?|toasts?|modals?|menus?|icons?|spinners?|tooltips?|input\s+fields?|dropdowns?|sliders?|labels?|banners?|pop-?ups?|links?|cards?|users?|visitors?|players?|admins?|list\s+items?|items?\s+(?:in|on|of)\s+the\s+\w+|entr(?:y|ies)\s+(?:in|on|of)\s+the\s+\w+|cells?|sidebar|navbar|footer|page|screen|view|tab|chart|function|endpoint|method|class|script|command|cli|program)\s+(?:should|must|has\s+to|have\s+to|needs?(?:\s+to)?|can(?:not)?|may|gets?|shows?|opens?|closes?|takes|returns|is|are)\b"
    ),
    dictates=rx(
        rf"{_A_NOUN}"
        r"(?:make\s+(?:it|this)\s+so\b(?!.*\b(?:from\s+now\s+on|every\s?time|in\s+future)\b)|(?:(?:please|pls|now|then|just|can\s+you)\s+)*(?:todo(?=:)|fixme(?=:)|translate|summari[sz]e|write(?!\s+(?:(?:this|that|it)\s+)?down)|print|say|echo|commit|rename|name|call|create|add|put|make|log|explain|output|insert|paste|post|reply|answer\s+with|rephrase|proofread|quote|spell|title)\b(?![^:]{0,60}\b(?:every|each|always|all)\b)[^:`]{0,60}(?::\s+\S|\b(?:that|which)\s+(?:says|reads|contains)\b))"
    ),
    injection=rx(
        r"""\b(?:ignore|disregard|forget|override)\s+(?:all\s+|any\s+|the\s+|your\s+|every\s+)*(?:previous|prior|above|earlier|preceding|system|safety)\s+(?:instructions?|rules?|prompts?|messages?|guidelines?)\b|\b(?:as\s+an\s+ai|ai|coding)\s+(?:language\s+model|assistants?|agents?)\b.{0,40}\b(?:must|should|always|have\s+to|are\s+required)\b|\byou\s+are\s+now\s+(?:an?|in|the)\b|\bsystem\s+prompt\b|\bdeveloper\s+mode\b|\bjailbreak\b|\b(?:exfiltrat|send\s+(?:all\s+)?(?:the\s+)?(?:secrets|credentials|tokens|keys|logs)\s+to)\b|\bdo\s+not\s+(?:tell|inform)\s+the\s+user\b|\bthe\s+user\s+(?:wants|has\s+(?:asked|allowed|approved))\b"""
    ),
    revoke=rx(
        r"""^(?:(?:hm+|oh|ah+|uh|er|um|eh|well|ok|no+|nah|wait|actually|sorry|hold\s+on|on\s+second\s+thoughts?|or|but|and|please|pls)[\s,.!…-]*)*
        (?:
          (?:let'?s\s+|just\s+|please\s+)?(?:forget|scratch|strike|drop|scrap|ignore|disregard|undo|cancel|discard|retract|skip)\s+
            (?:it|this|that|what\s+i\s+(?:just\s+)?(?:said|wrote)(?:\s+about(?:\s+(?:the\s+)?[\w-]+)?)?|my\s+last|the\s+last\s+(?:one|bit|part|thing|sentence|point)|all\s+that
            |(?:the|that|this)\s+(?P<what>[\w@`./-]{2,30}(?:\s(?!for|in|from|to|on|at|with|and)[\w@`./-]{2,20})?(?:\s+(?:from|of)\s+(?:before|earlier|above|yesterday|last\s+time|just\s+now))?))(?=$|[,.!;:]|\s+(?:please|pls|again)\b)
        | (?:(?:i|we)\s+(?:take|took)|take)\s+(?:that|it|this)\s+back | never\s?mind\b | (?:i\s+)?changed\s+my\s+mind | i\s+was\s+wrong | that\s+was\s+(?:wrong|nonsense|a\s+mistake)
        | let'?s\s+not\b | (?:not\s+a\s+good|bad)\s+idea | (?:no\s+)?wait(?:\s+no)?$ | actually\s+no\b | (?:better|rather)\s+not\b | no\s+scratch\s+that
        )"""
    ),
    declined=rx(
        r"""^(?:(?:hm+|ok|well|sorry|actually|thanks|thx|but|and)[\s,.!]+)*(?:nah\b|nope\b|no(?:[,.!]|$)|no\s+[\w`-]+(?:\s+[\w`-]+)?(?=[,.!]|$)|not\s+now\b|no\s+thanks\b|rather\s+not\b|overkill\b|too\s+(?:much|big|complicated|early)\b
        |don'?t\s+bother\W*$|not\s+(?:worth|needed)\b|no\s+need\b) | \b(?:too\s+(?:big|much|complicated)\s+(?:a\s+(?:thing|change)|for)\b.*|is\s+overkill|leave\s+it\s+at\s+that|not\s+interested|,\s*no)\W*$"""
    ),
    imperative=rx(IMPERATIVE),
    applies=rx(
        r"(?:(?:so|please|pls|just|then|and|but|always|first|otherwise|better|simply|instead)\s+)*(?:tag|ask|ping|cc|use|keep|leave|see|let|catch|take|pass|call|wrap|mark|follow|stick|prefer|pick|treat|avoid|contact|talk|tell|go\s+(?:there|to|through|with|via)|look\s+(?:there|first|it\s+up|in)|check\s+(?:there|first|with)|read\s+(?:it|that|them)\s+first|put\s+(?:it|them|these|those|everything|new|a)|write\s+(?:it|them)|open\s+(?:a\s+ticket|them\s+in|an\s+issue)|regenerate|escalate|assume|expect|wait\s+for|inject|prefix|name|store|return|raise|log)\b(?!.*\b(?:now|back|this\s+time)\b)"
    ),
    prohibition=rx(
        r"(?:(?:please|pls|just|so|but|and|you)\s+)*(?:don'?t|do\s+not|never|stop\s+\w+ing|no\s+more|avoid|refrain\s+from|quit\s+\w+ing|must\s+not|mustn'?t|shouldn'?t|not\s+\w+ing)\b"
    ),
    standing=rx(
        r"""\b(?:from\s+(?:now|here)\s+on(?:wards?)?|going\s+forward|henceforth|as\s+of\s+(?:today|now)|starting\s+(?:today|now)|in\s+(?:the\s+)?future|next\s+time|whenever|every\s?time|each\s+time|any\s?time\s+(?:you|we|i)|as\s+a\s+rule|(?:general|golden|house|standing|simple|team|first|iron|hard)\s+rules?|rule\s+of\s+thumb|rules?\s+(?:is|here|for)|house\s+style|(?:by|our|the|team)\s+convention|convention\s+(?:is|here)|on\s+principle|our\s+policy|policy\s+is|in\s+general|generally|without\s+exception|no\s+exceptions?|at\s+all\s+times|across\s+the\s+board|once\s+and\s+for\s+all|ever\s+again|never\s+again|by\s+default|keep\s+doing|(?:goes|true|holds|same)\s+for\s+(?:any|every|all)\w*|applies\s+to\s+(?:any|every|all)\w*|at\s+no\s+point|under\s+no\s+circumstances|no\s+matter\s+(?:what|how)|in\s+(?:this|our|the\s+whole)\s+(?:repo|project|codebase|team|company)\s+we|around\s+here|from\s+(?:today|tomorrow|monday|this\s+week)\s+on|since\s+today)\b
        |\balways\b(?!\s+(?:wonder|forget|confus|thought|had|was|were|been|fails?|crash|worked|the\s+same\b))(?<!i\ always)(?<!it\ always)(?<!almost\ always)(?<!not\ always)(?<!why\ always)|\bnever\b(?!\s*mind|\s+(?:seen|heard|knew|noticed|had|tried|got|worked|said|thought|been|understood|happened|finishes|ends|returns|saw|used\s+to|comes?\s+back$|mind))(?<!i\ never)(?<!almost\ never)|\bi\s+(?:always|never)\s+(?:want|use|read|need|work|commit|push|deploy|run|write|type|open|look|accept|merge)\b
        |^(?:so\s+)?(?:please\s+|pls\s+|do\s+)?(?:remember|note|keep\s+in\s+mind|bear\s+in\s+mind|fyi|nb|psa|mind\s+you|for\s+(?:the\s+record|your\s+(?:info|information|notes|orientation|reference)|orientation|reference|future\s+reference|later|next\s+time)|write\s+(?:this|that|it)?\s?down|make\s+a\s+note|take\s+a\s+note|memori[sz]e|heads[\s-]?up|good\s+to\s+know|worth\s+(?:knowing|remembering)|just\s+so\s+you\s+know|you\s+should\s+know|(?:one|a)\s+thing\s+to\s+(?:know|remember|note))\b(?!\s+(?:when\s+(?:we|i|you)|its\b|their\b|his\b|her\b|the\s+[\w-]+(?:\s+[\w-]+)?\s*$|how|the\s+(?:time|bug|discussion)|last|yesterday|what\s+(?:we|i|you)|to\s+(?!always|never)))
        |\b(?:remember|note|mind)\s+(?:this|that)\s+(?:one|down)?|\bkeep\s+(?:this|that)\s+in\s+mind\b"""
    ),
    reason=rx(
        r"\b(?:because|bc|b/c|cuz|coz|'cause|since(?!\s+(?:yesterday|last|this|monday|tuesday|wednesday|thursday|friday|the|\d))|otherwise|or\s+else|due\s+to|that'?s\s+why|which\s+is\s+why|hence|therefore|the\s+reason|on\s+purpose|by\s+design|deliberately|intentionally|that\s+way|unless|lest|in\s+order\s+to|thanks\s+to)\b|[,;:]\s+so\s+(?!that'?s\s+it|far)|\bso\s+that\b|\band\s+so\b|\bas\s+(?:the|they|it|we|ops|legal)\b"
    ),
    generic=rx(
        r"\b(?:every|each|all|any|nobody|no\s+one|none|everything|anything|anyone|anybody|everybody|everyone|whoever|whatever|only|always|never|both|usually|normally|generally|before|after\s+each|per|when(?:ever)?|in\s+general|here|in\s+(?:this|our)\s+(?:repo|repository|project|codebase|code\s?base|team|company|org|package|service|app|house))\b"
    ),
    negative=rx(r"\b(?:not|no|never|don'?t|doesn'?t|isn'?t|aren'?t|won'?t|can'?t|cannot|nobody|nothing|without|stop|avoid|wrong)\b"),
    anaphor=rx(
        r"""(?:it|its|it's|that|that's|thats|they|they're|theyre|this\s+(?:is|was|goes|holds|applies|stays|also|means)|these|those|he|she|him|her|there|both|either|neither|same|so|because|bc|otherwise|or\s+else|until\s+then|above|below|with\s+(?:more|less|that|it)|without\s+(?:it|that)|not\s+\w+|only\s+\w+|historic\w*|\d[\w.,]*\s+(?:is|was|are|works)|the\s+(?:reason|first|second|other|latter|former|rest|old|new)\b|reason|why:|instead|in\s+return|then|else|else:|except|unless|meaning|i\.e|e\.g|eg|see|details|more|no\s+exceptions?|without\s+exception|had\s+(?:it|that)|been\s+there|tried\s+(?:it|that)|[a-z]+\s+only|hand\s+edits)\b
        |(?:\S+\s+){0,7}(?:them|it|there|one|ones|therefore)\b(?!\s*(?:is|'s)\b)"""
    ),
    dangling=rx(r"(?:it|it's|its|that's|thats|they|they're|theyre|theirs|(?:this|these|those|that)(?=\s+(?:is|are|was|were|has|have|goes|go|belongs?|lives?|stays?|means|applies|must|should|can|will|needs?|happens|works?|breaks?|also|never|always|only)\b|\s*[,:])|he|she|him|her|his|their|there(?!'s\b|\s+(?:is|are|has|have|must)\b)|both|the\s+(?:former|latter|other\s+one)|same)\b(?!\s+(?:one|repo|project|team|codebase|repository|company|service|app|is\s+(?:how|why)))"),
    agree=rx(
        r"(?:(?:oh|ah|ok(?:ay)?|hm+|wow|lol)[\s,.!]+)*(?:yes|yep|yeah|yup|right|perfect|great|exactly|good|nice|lovely|excellent|awesome|love\s+(?:it|this|that|how)|that'?s\s+(?:it|right|how|the\s+way|exactly|better|what)|spot\s+on|correct|precisely|this\s+is\s+(?:it|how|exactly|precisely|just|the\s+way)|like\s+that|keep\s+(?:doing|it|that)|much\s+better|i\s+like\s+(?:how|that|the\s+way|this)|well\s+done|brilliant|cool|👍|sweet|beautiful)\b"
    ),
    agree_standing=rx(
        r"""\b(?:keep\s+(?:\w+ing\s+(?:\w+\s+)?(?:like\s+(?:that|this)|that\s+way|this\s+way)|doing\s+(?:it|that|this|so)|(?:it|that|this)\s+(?:as\s+a|for\s+(?:all|every|the\s+rest))|to\s+that|working\s+like|going\s+like)|(?:that|this)(?:'?s|\s+is)\s+(?:exactly\s+|precisely\s+|just\s+)?(?:how|the\s+way)\s+(?:i|we)\s+(?:\w+\s+)?(?:want|like|do|need|expect|prefer|handle|work)
        |(?:do|make|handle|keep)\s+(?:it|that|this|them)\s+(?:(?:exactly\s+|just\s+)?(?:like\s+(?:that|this)|this\s+way|that\s+way|the\s+same\s+way|so)\s+)?(?:every\s?time|always|from\s+now|in\s+(?:the\s+)?future|next\s+time|whenever|for\s+(?:all|every|any|each)|going\s+forward)
        |always\s+(?:do\s+(?:it|that|this)|like\s+(?:that|this)|so|work\s+(?:like|that)|that\s+way|this\s+way)|more\s+of\s+(?:that|this)|(?:stay|stick|go\s+on|continue|carry\s+on|proceed|keep\s+going)\s+(?:with|like|in)\s+(?:this|that)(?:\s+(?:approach|way|style|manner|pattern|method|scheme))?\s+(?:for|with|in|from|on)\b|(?:do|make|handle|treat)\s+(?:it|that|this|them|the\s+\w+)\s+(?:in\s+)?(?:this|that|the\s+same)\s+(?:manner|way|style|fashion)\s+(?:with|for|in)\b|the\s+same\s+(?:way\s+)?(?:every\s?time|next\s+time|for\s+(?:all|every|each|any))|(?:like\s+(?:that|this)|that\s+way|this\s+way)\s+(?:every\s?time|always|from\s+now|in\s+future|please\s+always)
        |(?:this|that|the\s+same)\s+(?:\w+\s+)?(?:order|way|sequence|procedure|approach|routine|style|pattern|layout|recipe)\b.{0,30}\b(?:every|each|any|all|always|from\s+(?:now|here)\s+on|in\s+(?:the\s+)?future)|same\s+(?:\w+\s+)?(?:for|with|on)\s+(?:any|every|all|each|the\s+(?:others?|rest))|(?:like\s+(?:this|that)|this|that|that'?s\s+(?:it|how))\b.{0,20}\b(?:for\s+)?(?:every|each|all|any)\b.{0,30}\b(?:from\s+(?:now|here)\s+on|going\s+forward|in\s+(?:the\s+)?future|too|as\s+well)
        |stick\s+(?:to|with)\s+(?:that|this)|make\s+(?:that|this|it)\s+(?:a|the|your|our)\s+(?:rule|habit|default|standard|norm)|do\s+(?:this|that)\s+more\s+often)\b | ^\w+[\s,.!]+(?:from\s+now\s+on|always|every\s?time|in\s+(?:the\s+)?future|going\s+forward)\W*$"""
    ),
    process=rx(
        r"\b(?:along|versions?|changelog|both|old|first|before|after(?:wards)?|then|only|order|instead|without|stays?|keeps?|kept|separate|small|one\s+\w+\s+(?:per|at\s+a\s+time|for)|each|every|step|alias|header|test|tests|approach|rather|never|always|until|followed|split|wrote|saw|put|asked|checked|ran|branch|commit|deprecat\w+|flag|fallback|documented|listed|grouped|named|so\s+that|because|per)\b"
    ),
    user_scope=rx(
        r"\b(?:goes\s+for\s+(?:anything|everything|all)|not\s+(?:just|only)\s+(?:this|here|in\s+this)|(?:in|for|across|on)\s+(?:all|any|every|each|whatever)\s+(?:of\s+)?(?:my\s+|our\s+|the\s+)?(?:other\s+)?(?:repos?|projects?|repositor(?:y|ies)|codebases?|work|things)|in\s+all\s+(?:my|our)|across\s+(?:my\s+|all\s+)?(?:projects|repos)|whatever\s+(?:repo|project)|(?:which|what)ever\s+(?:repo|project|language)\s+(?:we|i)|everywhere\s+i|wherever\s+(?:we|i)\s+work|every\s+(?:repo|project)|any\s+(?:repo|project)|(?:anything|everything)\s+we\s+do|regardless\s+of\s+(?:the\s+)?(?:repo|project)|globally)\b"
    ),
    team_scope=rx(
        r"\b(?:anyone|everyone|everybody|nobody|all\s+of\s+us|any\s+of\s+us|we\s+all|the\s+whole)\s+(?:on|in|here|else\s+(?:on|in))?\s*(?:the\s+)?(?:team|company|org|department|crew|group|squad|dev(?:eloper)?s?)\b|\bteam[\s-]?(?:wide|rule|convention|policy|decision|agreement|standard)\b|\b(?:the|our|whole|entire)\s+team\s+(?:uses?|agreed|decided|agrees|follows|writes?|does|wants|keeps|has|works|sticks|goes)\b|\bwe\s+all\b|\bas\s+a\s+team\b|\b(?:decided|agreed)\s+(?:\w+\s+)?(?:with|in|by)\s+(?:the\s+)?(?:leads?|team|retro|everyone|planning|standup|guild)\b|\bfor\s+(?:the\s+(?:whole\s+)?team|everyone|everybody)\b"
    ),
    trait=rx(
        r"""\bi'?\s?a?m\s+(?:(?:an?|the|also|quite|rather|very|partly|fairly|still|really|only|totally|pretty|severely|mildly)\s+)*(?:red.green\s+|deutan\s+|protan\s+)?(?:colou?r\W?blind|left-?handed|dyslexi[ac]\w*|deaf|hard\s+of\s+hearing|blind|visually|short-?sighted|deuteranop\w+|protanop\w+|autistic|adhd|(?:native\s+)?(?:\w+\s+)?speaker|new\s+to|beginner|junior|senior|staff|principal|freelance\w*|self-?taught|(?:data|backend|frontend|embedded|ml|firmware|platform|security|game|mobile|android|ios|devops|infra|sre|software|full-?stack|hardware|research)\s+(?:scientist|engineer|developer|dev|person|guy|analyst)|not\s+(?:a|fluent|familiar|comfortable|good|used)\b|used\s+to\b|fluent|comfortable\s+with|based\s+in|in\s+(?:utc|cet|cest|est|pst|gmt|the\s+\w+\s+time\s?zone|europe|asia|the\s+us|china|india|japan)|on\s+(?:fish|zsh|bash|nushell|powershell|tcsh|ksh|elvish|vim|neovim|nvim|emacs|helix|vs\s?code|vscode|macos|mac\s?os|an?\s+mac\w*|osx|windows|wsl|linux|ubuntu|fedora|arch|nixos|debian|wayland|dvorak|colemak|freebsd|an?\s+(?:m\d|arm|intel|raspberry|chromebook)))\b
        |\bmy\s+(?:\w+\s+)?(?:shell|editor|keyboard(?:\s+layout)?|screen(?:\s+reader)?|os|operating\s+system|terminal|time\s?zone|native\s+language|mother\s+tongue|first\s+language|pronouns|name|job|role|background|main\s+language|eyesight|eyes|vision|hearing|english|laptop)\s+(?:is|are|isn'?t|runs|uses|has)\b|\bi\s+(?:use|work\s+(?:with|on|in)|read\s+with|type\s+on|live\s+in|run)\s+(?:an?\s+)?(?:screen\s+reader|fish|zsh|nushell|vim|neovim|emacs|dvorak|colemak|nixos|linux|macos|windows|wsl|braille)\b"""
    ),
    change=rx(
        r"\b(?:no\s+longer|any\s?more|since\s+today|today\s+on|(?:lives|lasts|stays|runs)\s+(?:un)?til+|now|nowadays|instead|moved|moves\s+to|switched|migrated|replaced|renamed|changed|as\s+of|from\s+now\s+on|starting|used\s+to|formerly|previously|not\s+.{1,30}\s+any\s?more|off\s+the\s+table|postponed|delayed|pushed\s+(?:back|out|to)|slipped|brought\s+forward|extended|in\s+the\s+meantime|is\s+(?:gone|dead|closed|deprecated|retired|out|obsolete|outdated|history)|shut\s+down|decommissioned|took\s+over|takes\s+over|left\s+the\s+(?:team|company)|on\s+leave|new\s+(?:port|url|address|owner|host|date|name|home|channel)|update:|correction:|changed\s+(?:our|my)\s+minds?|after\s+all|stays\s+up|rather\s+than|bumped|raised\s+to|lowered\s+to|went\s+(?:up|down)\s+to|back\s+to)\b"
    ),
    replaces=(
        rx(r"\b(?:no\s+longer|not\s+any\s?more)\s+(?:in|on|at|with|use|using|via|by)?\s*(?P<old>[\w./:@#`-]+(?:\s+[\w./:@#`-]+){0,3})"),
        rx(r"\b(?:instead\s+of|rather\s+than|replaces|replacing|used\s+to\s+be|moved\s+(?:away\s+)?from|switched\s+from|migrated\s+from|(?<=,\s)not|formerly|previously)\s+(?!just\b|only\b|yet\b|yours\b|the\s+other)(?P<old>[\w./:@#`-]+(?:\s+[\w./:@#`-]+){0,2})"),
        rx(r"(?:^|[,.;]\s*(?:and\s+)?)(?:the\s+)?(?P<old>[\w./:@#`-]+(?:\s+[\w./:@#`-]+){0,3})\s+(?:is|are|was|has\s+been|is\s+being|got|gets|host\s+is\s+being)\s+(?:gone|dead|closed|off\s+the\s+table|shut\s+down|retired|deprecated|decommissioned|obsolete|outdated|out|history|on\s+leave|leaving|void|cancelled|canceled)\b(?!\s+(?:with|of|when|if))"),
        rx(r"\b(?:don'?t|do\s+not)\s+use\s+(?P<old>[\w./:@#`-]+(?:\s+[\w./:@#`-]+)?)\s+any\s?more\b"),
        rx(r"\b(?P<old>[A-Za-z][\w.-]+)\s+(?:left|leaves)\s+the\s+(?:team|company)\b"),
    ),
    why=rx(r",?\s+(?:because|bc|b/c|cuz|'cause|since(?=\s+(?:it|they|we|the|our|that|this)\b)|the\s+reason\s+(?:is|being)(?:\s+that)?|reason:|on\s+account\s+of|due\s+to)\s+"),
    place=rx(
        r"(?:^|[,;:(]\s*|\b(?:only|style|rules?|convention|everything|anything|stuff|code)\s+)(?:in|inside|under|below|within|for)\s+(?:the\s+)?`?(?P<path>(?:[\w.@-]+/)+[\w.*@-]*)`?(?:\s+(?:folder|directory|package|tree))?|\beverything\s+(?:below|under|in)\s+`?(?P<path2>(?:[\w.@-]+/)+)`?"
    ),
    this_folder=rx(r"\b(?:in|for|inside|to)\s+this\s+(?:folder|directory|dir|package|module|sub-?project|crate|service)\b"),
    file_words=rx(r"\b(?:all|any|every|in|for|our|no|to|of|into|from|with)\s+(?:the\s+)?(?P<type>[\w#]+)\s+(?:files?|code|sources?|modules?)\b"),
    symptom=rx(rf"\b(?:{FAIL}|slow|flaky|red|timeout|timeouts|hanging|crash(?:es|ing)?|stale|missing|wrong|duplicate[sd]?|empty|blank|garbled|lag|latency|leak(?:s|ing)?|conflict\w*|denied|refused)\b"),
    confirmed='{} (the user: "{}")',
    parties=rx(r"\b(?:the\s+)?(?P<party>partners?|customers?|clients?|vendors?|providers?|suppliers?|ops|legal|security|finance|accounting|marketing|sales|design(?:ers?)?|qa|support|management|users?|auditors?|regulators?|bank|publisher|platform\s+team|leads?|contractors?|agency|upstream|maintainers?|store|manufacturer|lab)\b"),
    stop_words=frozenset(
        ["a", "an", "the", "and", "or", "but", "so", "if", "then", "than", "that", "this", "these", "those", "it", "its", "it's", "is", "are", "was", "were", "be", "been", "being", "am", "do", "does", "did", "done", "has", "have", "had", "will", "would", "shall", "should", "can", "could", "may", "might", "must", "not", "no", "nor", "to", "of", "in", "on", "at", "by", "for", "with", "from", "as", "into", "onto", "over", "under", "about", "above", "below", "between", "through", "during", "before", "after", "until", "till", "while", "when", "where", "why", "how", "what", "which", "who", "whom", "whose", "there", "here", "i", "you", "he", "she", "we", "they", "me", "him", "her", "us", "them", "my", "your", "his", "our", "their", "mine", "yours", "ours", "just", "only", "also", "too", "very", "much", "more", "most", "some", "any", "all", "each", "every", "both", "few", "other", "another", "such", "own", "same", "now", "please", "pls", "ok", "yes", "yeah", "btw", "don't", "dont", "doesn't", "isn't", "aren't", "can't", "won't", "didn't", "get", "gets", "got", "go", "goes", "going", "make", "makes", "made", "take", "takes", "use", "uses", "used", "using", "one", "ones", "always", "never", "again", "still", "because", "bc", "since", "otherwise", "instead", "ever", "even", "like", "want", "need", "let", "let's", "out", "up", "down", "off", "per", "via", "etc", "thing", "things", "stuff", "way", "really", "quite", "well", "back", "lot", "it'd", "i'm", "we're", "they're", "that's", "there's", "you're", "let's", "im", "ive", "i've", "we've"]
    ),
    subject_end=rx(
        r"\b(?:is|are|was|isn'?t|aren'?t|has|have|had|must|mustn'?t|should|shouldn'?t|can|can'?t|cannot|may|will|won'?t|needs?|gets?|goes?|go|stays?|lives?|sits?|runs?|uses?|use|starts?|ends?|listens?|belongs?|carr(?:y|ies)|takes?|takes|keeps?|follows?|moved?|moves|comes?|works?|hangs?|breaks?|expires?|reads?|writes?|returns?|don'?t|doesn'?t|never|always|only|means|requires?|ships?|supports?|accepts?|owns?|signs?|approves?|handles?|reviews?|launch(?:es)?|shows?|sends?|contains?|holds?|rejects?|ignores?|loses?|overwrites?|depends?|counts?|applies|closes?|opens?|do|does|'s|'re)\b"
    ),
    openings={
        "rule": "before work on {}", "correction": "before touching {}", "preference": "when answering this person: {}", "convention": "when writing {}",
        "decision": "before changing {}", "command": "before running {}", "gotcha": "about {}", "deadline": "when planning around {}",
        "owner": "who to ask about {}", "reference": "where to look for {}", "dead-end": "before proposing {}", "confirmation": "how to go about {}",
    },
    file_types={
        "go": "*.go", "python": "*.py", "java": "*.java", "kotlin": "*.kt", "swift": "*.swift", "rust": "*.rs", "typescript": "*.ts",
        "javascript": "*.js", "ruby": "*.rb", "php": "*.php", "sql": "*.sql", "css": "*.css", "html": "*.html", "yaml": "*.yaml",
        "c#": "*.cs", "dart": "*.dart", "lua": "*.lua", "terraform": "*.tf", "proto": "*.proto", "markdown": "*.md", "shell": "*.sh",
        "glsl": "*.glsl", "vue": "*.vue", "svelte": "*.svelte", "scala": "*.scala", "elixir": "*.ex",
    },
    dates=DATES,
    rules=RULES,
    preface=PREFACE,
    head_end=HEAD_END,
    trailing=TRAILING,
    verbs=VERBS,
    occasions=OCCASIONS,
    written=WRITTEN,
    evidence=EVIDENCE,
    endorse=ENDORSE,
    announce=ANNOUNCE,
    limits=LIMITS,
    shorthand={
        "u": "you", "ur": "your", "r": "are", "thru": "through", "cos": "because", "cus": "because", "coz": "because", "shes": "she's", "hes": "he's", "theyre": "they're", "tmrw": "tomorrow",
        "tmr": "tomorrow", "rn": "right now", "ppl": "people", "msgs": "messages", "abt": "about", "w/": "with", "wo": "without", "btwn": "between", "plz": "please", "gotta": "have to", "yall": "you",
    },
    restates=rx(r"\b(?:same\s+as\s+(?:ever|always|everywhere)|as\s+ever|like\s+(?:everywhere|always)|as\s+everywhere|(?:as|like)\s+i\s+(?:already\s+|once\s+)?(?:said|told\s+you)|as\s+said|as\s+you\s+know)\b"),
    do_it=DO_IT,
    hollow=HOLLOW,
    kept_order=KEPT_ORDER,
    clash=CLASH,
    local=LOCAL,
    bare_plural=BARE_PLURAL,
    bookish=BOOKISH,
)  # fmt: skip
