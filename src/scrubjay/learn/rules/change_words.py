# ruff: noqa: E501 - a table reads better with one row a line
"""How people say that something is no longer as it was. English and Chinese in one row: a change is one thing in both."""

from __future__ import annotations

import re

_ROWS = {
    "left": r"\b(?:left|leaves|leaving|has\s+gone\s+to|went\s+to|moved\s+to\s+(?:the\s+)?[\w-]+\s+(?:team|squad|office|group)|quit|resigned|retired|graduated|last\s+day|on\s+leave|got\s+a\s+(?:\w+\s+)?job|works\s+(?:since|now|in|for|at)|gone\s+to)\b|离职|走了|转去|调去|调走|毕业|转岗|不干|不管|没空",
    "takes-over": r"\b(?:tak(?:es|ing)\s+over|took\s+over|takes\s+\w.{0,40}?\sfrom\s(?:her|him|them|me)|hands?\s+over|handed|inherit(?:s|ed)?|steps?\s+in|in\s+the\s+meantime|countersigns)\b|\b(?:is|are|has|have|belongs?)\b.{0,30}\bnow\b|接手|交给|转给|接管|归我|改由|由.{1,8}接|负责人",
    "over": r"\b(?:gone|dead|scrap(?:ped)?|drop(?:s|ped)?|remov(?:e|ed)|ripped|delet(?:e|ed)|superfluous|ended|ends|stopped|switch(?:ed|es)?\s+off|turned\s+off|shut|closed|cancel(?:led|ed|s)?|history|giv(?:e|en)\s+up|discontinued|abandon(?:ed)?|obsolete|retired|read-only|end\s+of\s+life|withdrawn|revoked|void|off\s+the\s+table|emptied|omitted|goes\s+away|no\s+more|no\s+cause|needn'?t|failed|not\s+a\s+problem)\b|停了|停用|停掉|取消|撤|删了|删掉|删除|不用了|作废|下线|行不通|废|没了|去掉|移除|砍|关了",
    "no-longer": r"\b(?:no\s+longer|any\s?more|not\s+\w+\s+any|isn'?t|aren'?t|doesn'?t|don'?t|cannot|not)\b|不再|不用|不是|别再|不走",
    "again": r"\b(?:again|back\s+to|(?:go|going|went|return(?:ed)?|make\s+a\s+return)\s+back|return\s+to|after\s+all|keeps?\s+going|eat\s+my\s+words|changed\s+my\s+mind|reconsider(?:ed)?|reverted)\b|回到|还是|恢复|改回|换回",
    "narrows": r"\b(?:only|exempt|except|apart\s+from|elsewhere|nowhere\s+else|everything\s+else|the\s+rest|all\s+others?|narrow(?:ed|s)?|covers?|limited\s+to|applies\s+to|advisory|permitted|allowed|may\s+(?:now|therefore)|compulsory|smaller\s+things)\b|仅|只限|只对|除外|限于|其余|其他的|收窄|只有",
    "number": r"\b(?:go(?:es)?\s+(?:up\s+)?to|went\s+(?:up|down)|rais(?:e|ed)|lower(?:ed)?|bump(?:ed)?|increased|reduced|doubled|halved|shortened|extended|cut\s+to|agreed\s+on|from\s+\d+\s+to|not\s+\d|is\s+the\s+(?:floor|limit|minimum|maximum))\b|提高|降到|降为|升到|调到|调成|调了|缩短|延长|加到|减到|改成\s?\d|从\s?\S+\s?改",
    "now": r"\b(?:now|by\s+now|nowadays|as\s+of|as\s+from|from\s+(?:now|today|this|next|\S+\s+on(?:wards)?)|since\s+(?:yesterday|last|the|this|\w+day)|these\s+days|from\s+\S+\s+onwards|meanwhile|today|this\s+(?:week|month|sprint|morning)|official)\b|现在|如今|从今|以后|即日|目前|这周起|起[，,。归由]|已经?",
    "moved": r"\b(?:moved?|moves|found\s+its\s+way|migrat(?:ed|ion|ing)|relocated|sits\s+(?:in|on|at)|lives?\s+(?:now\s+)?(?:in|on|at)|goes\s+to|come[s]?\s+(?:now\s+)?from|redirects?|mounted|new\s+(?:host|address|url|home))\b|搬|迁|挪|移到|换到|放到|新地址",
    "switched": r"\b(?:switch(?:ed|ing)?\s+to|mov(?:e|ed|ing)\s+to|convert(?:ed)?|replac(?:ed|es|ing|ement)|took\s+(?:the|its)\s+place|in\s+place\s+of|instead|rather\s+than|swapped|renamed|called\s+after|becomes?|became|turned\s+into|upgraded|ported|rewritten|goes\s+first)\b|换成|换用|改成|改为|改用|改走|改叫|统一成|统一为|统一到|升级|切到|代替|替代|替换|变成",
    "old": r"\b(?:the\s+old|old\s+(?:one|host|place|box|thing|way)|former(?:ly)?|previous(?:ly)?|used\s+to|original|earlier|older|was\s+once|no\s+longer\s+holds)\b|原来|旧|以前|之前|原先|老的|当初",
    "when": r"\b(?:pushed|postponed|delayed|slipped|brought\s+forward|another\s+(?:week|month|day)|extra\s+week|more\s+time|extension|later\s+than|earlier\s+than|we\s+have\s+until|moved\s+(?:to|by)|stays\s+up|lives\s+till|rescheduled|a\s+week\s+late)\b|推迟|延期|延后|延到|提前|往前|顺延|推到|挪到",
    "new": r"\b(?:new|first|own|fresh|since\s+the|because\s+of\s+the|decided|agreed|persuaded|settled|officially?|wants?|counts?\s+too|as\s+well)\b|新|决定|定了|谈下来|也算|加上",
}  # fmt: skip
_PATTERNS = {name: re.compile(pattern) for name, pattern in _ROWS.items()}


def change_words(low: str) -> set[str]:
    """Names of the ways in which a plain text speaks of a change."""
    return {name for name, pattern in _PATTERNS.items() if pattern.search(low)}
