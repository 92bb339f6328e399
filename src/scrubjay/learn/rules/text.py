# ruff: noqa: E501 - word lists read better in few lines
"""A message as clauses that the person typed: pasted and quoted parts set aside, every offset that of the raw text."""

from __future__ import annotations

import re
from dataclasses import dataclass

from scrubjay.learn.rules.language import Language, is_foreign, read_as
from scrubjay.redact import MASK, mask

MAX_CLAUSE_CHARS = 600
"""Longer stretches without a full stop are dictated or pasted prose; no rule is spelt out in them."""

MAX_TYPED_SENTENCES = 100
"""At either end of a message: nobody types more, so what stands between them was pasted."""

_STRAIGHT = str.maketrans({"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"', "\u00a0": " ", "\u3000": " "})
# Traditional forms of the characters that Chinese cues are made of.
_SIMPLE = str.maketrans(
    "這個們來時現從後開關說過還沒對話請應該錯問題麼嗎檢查團隊專案統規則寫讀記認為總給號點數據檔環境啟動執導復製網頁鏈結標項須禁絕隨無論習慣偏愛誰負責歸屬審見議決選擇換轉遷廢棄釋試驗證敗壞臨暫當會發佈運營測庫變動單雙條約確實講話聽聞擴緩衝線邊處連腳參順產儲儀優傳債倉週輯輸劃顯語編譯錄儘舊區塊幫備權書帳碼層構歷館戶顧門類組幾樣誤難離職養設計輪詢協進遲遠遞鎖鍵錶鏡鐘鈕針鋼銷錢銀頻額顏願風飛餘驅騙驚驟鬆鬧魚麗壓廠廣恆惡態憑戰戲掃掛採揮損搖摺撐擁擊擋擔攔攝敵斷於暢曆東極業樓橫檯欄歲殘殼毀氣況淺溫滿漲潔濾灣煩熱爾狀獨獲瑣畫異療盡監盤睜砲禮稱種穩窮筆箇節範築簡簽籤籌糾紀紅納純紙級紋細終絡絲綁經綜綠維綱緊緒締練縣縮織繞繪繼續罰羅義聯聰脈腦臉與興舉艙藝藥蟲術衛補裝複視親覺覽觀觸訂訊討訓訪許訴註評詞詳誌誠課調諾謝識護讓豐貝財貢貨販貴買費貼資賣質賬購贏趕趨車軌軟軸較載輔輕輛辦辭農邏郵鄉醫裡鈴鎮鐵長閃閉閒間閱陣陳陸階際險隱雜雲電靈靜預領頭頓頒飯飲駐駕騰齊齡龍尋屆崗嶼幣帶師幹張強彈彙徑悶慮憶懶戀掙搶撥擬攜斂棧樁沖淨減湊滅漢潛澤濟燈爛爭牆犧獎畢疊皺盜眾睏礙禍積競糧係紮綴肅脫舖蓋蘋蘭虛蝕",
    "这个们来时现从后开关说过还没对话请应该错问题么吗检查团队专案统规则写读记认为总给号点数据档环境启动执导复制网页链结标项须禁绝随无论习惯偏爱谁负责归属审见议决选择换转迁废弃释试验证败坏临暂当会发布运营测库变动单双条约确实讲话听闻扩缓冲线边处连脚参顺产储仪优传债仓周辑输划显语编译录尽旧区块帮备权书账码层构历馆户顾门类组几样误难离职养设计轮询协进迟远递锁键表镜钟钮针钢销钱银频额颜愿风飞余驱骗惊骤松闹鱼丽压厂广恒恶态凭战戏扫挂采挥损摇折撑拥击挡担拦摄敌断于畅历东极业楼横台栏岁残壳毁气况浅温满涨洁滤湾烦热尔状独获琐画异疗尽监盘睁炮礼称种稳穷笔个节范筑简签签筹纠纪红纳纯纸级纹细终络丝绑经综绿维纲紧绪缔练县缩织绕绘继续罚罗义联聪脉脑脸与兴举舱艺药虫术卫补装复视亲觉览观触订讯讨训访许诉注评词详志诚课调诺谢识护让丰贝财贡货贩贵买费贴资卖质账购赢赶趋车轨软轴较载辅轻辆办辞农逻邮乡医里铃镇铁长闪闭闲间阅阵陈陆阶际险隐杂云电灵静预领头顿颁饭饮驻驾腾齐龄龙寻届岗屿币带师干张强弹汇径闷虑忆懒恋挣抢拨拟携敛栈桩冲净减凑灭汉潜泽济灯烂争墙牺奖毕叠皱盗众困碍祸积竞粮系扎缀肃脱铺盖苹兰虚蚀",
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Clause:
    """`raw[start:end]`, trimmed. `text` has its white space evened out; `low` is `text` made plain for patterns."""

    start: int
    end: int
    text: str
    low: str
    language: Language
    sentence: int
    """Number of the sentence in the message; clauses of one sentence belong together."""
    paragraph: int
    shifted: bool
    """Begins with words that announce another subject."""
    asked: bool
    """Ends with a question mark."""
    announced: bool = False
    """The words before it said that it is to be kept ("one rule for our whole group:")."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Aside:
    """A part of the message that is not the person speaking: `pasted`, `quoted`, `secret`, `language` or `long`."""

    gate: str
    start: int
    end: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Reading:
    """What one message holds."""

    clauses: tuple[Clause, ...]
    asides: tuple[Aside, ...]


def plain(text: str) -> str:
    """`text` for matching: lower case, straight quotes, simplified characters, even white space."""
    return _GAP.sub("，", " ".join(text.translate(_STRAIGHT).lower().translate(_SIMPLE).split()))


_GAP = re.compile(r"(?<=[\u4e00-\u9fff]) (?=[\u4e00-\u9fff])")
"""Between two Chinese words a space stands for a comma: many type so in chat."""


def evened(text: str) -> str:
    """As `plain`, in the case in which it was written: names are told by their capitals."""
    return " ".join(text.translate(_STRAIGHT).translate(_SIMPLE).split())


def read(raw: str) -> Reading:
    """The person's clauses in order, and what was set aside."""
    masked = mask(raw)
    foreign = is_foreign(_without_asides(masked))
    asides = list(_asides(masked))
    clauses: list[Clause] = []
    spans = [
        (paragraph, begin, stop)
        for paragraph, (start, end) in enumerate(_between(asides, len(masked)))
        for begin, stop in _sentences(masked, start, end)
    ]
    if len(spans) > 2 * MAX_TYPED_SENTENCES:
        asides.append(Aside(gate="pasted", start=spans[MAX_TYPED_SENTENCES][1], end=spans[-MAX_TYPED_SENTENCES][1]))
        spans = spans[:MAX_TYPED_SENTENCES] + spans[-MAX_TYPED_SENTENCES:]
    for number, (paragraph, begin, stop) in enumerate(spans, 1):
        language = read_as(masked[begin:stop], message_is_foreign=foreign)
        if MASK in masked[begin:stop]:
            asides.append(Aside(gate="secret", start=begin, end=stop))
        elif language is None:
            asides.append(Aside(gate="language", start=begin, end=stop))
        elif stop - begin > MAX_CLAUSE_CHARS:
            asides.append(Aside(gate="long", start=begin, end=stop))
        else:
            clauses += _clauses(masked, begin, stop, language=language, sentence=number, paragraph=paragraph)
    return Reading(clauses=tuple(clauses), asides=tuple(sorted(asides, key=lambda aside: aside.start)))


def sentences(text: str) -> list[tuple[int, int]]:
    """Where the sentences of any text (an assistant's, say) begin and end, pasted parts left out."""
    return [span for start, end in _between(_asides(text), len(text)) for span in _sentences(text, start, end)]


def _without_asides(masked: str) -> str:
    parts = [masked[start:end] for start, end in _between(list(_asides(masked)), len(masked))]
    return "\n".join(parts)


# --- pasted and quoted parts ----------------------------------------------------------------------------------------------
_FENCE = re.compile(r"\s{0,8}(```|~~~)")
_QUOTED_LINE = re.compile(r"\s{0,8}(?:>|\u258c|\u2502)")
_PASTED_LINE = re.compile(
    r"""\s*(?:
      \[?\d{4}-\d\d-\d\d[t\ ]\d\d:\d\d | \[?\d\d:\d\d(?::\d\d|\]) | \[\s*\d+(?:/\d+)?\]\s | \d+\s*\|\s
    | (?:error|warn(?:ing)?|info|debug|trace|fatal|e|w)\b\s*[:\[\]] \s* \S*[.:/(\[] | (?:\S+error|\S+exception|panic|caused\ by)\s*:\s
    | traceback\ \(most | file\ "[^"]*",\ line\ \d+ | at\ [\w.$<>]+\s?\( | \$\ \S | %\ \S+ | >>>\ | \.\.\.\ \s
    | @@\ -\d | diff\ --git\  | index\ [0-9a-f]{7,} | [+-]{3}\ [ab]/ | commit\ [0-9a-f]{40}\s*$ | -----(?:begin|end)\
    | [{}\[\]();,]+\s*$ | "[\w.$-]+"\s*:\s | <[/!?]?[a-z][^>]{0,200}>\s*$ | \|.*\|\s*$ | [=*_~-]{4,}\s*$
    | (?:from|to|cc|subject|date|sent|von|an|betreff)\s?:\s+\S.*(?:@|\d{4}).* | \#\#\[ | npm\ (?:err!|warn) | make(?:\[\d+\])?:\ \*\*\*
    | (?:def|class|import|from|public|private|const|let|var|func|fn|return|\#include|package)\s[^.?!]*[(){};:=]\s*$
    | [\w.$\[\]"']+\s?=\s?\S.{0,200}[;)\]}"']\s*$ | \d+\ (?:passed|failed|errors?)\b
    )""",
    re.VERBOSE | re.IGNORECASE,
)
_LOG_LINE = re.compile(
    r"\s*(?:error|warning)\s+[A-Z]+\d+\s*:|\s*(?:WARN(?:ING)?|ERROR|INFO|DEBUG|TRACE|FATAL|NOTICE|FAIL(?:ED)?|PASS(?:ED)?)(?:\s{2,}|\s*[:\]]|\s+\w+:\s)\s*\S"
)
_LEAD_IN = re.compile(
    r"""(?:says?|said|wrote|writes|sent|posted|copied|pasted?|forwarded|email|e-?mail|mail|message|article|blog|post|docs?|readme
    |slack|chat|thread|comment|transcript|output|log|logs|error|trace|stack|snippet|newsletter|changelog|release\ notes|issue|ticket
    |说|写道|写着|原文|邮件|日志|报错|输出|贴|转发|文章|博客|群里|消息|帖子)[^\n]{0,60}[:：]\s*$""",
    re.VERBOSE | re.IGNORECASE,
)
_CHAT_LINE = re.compile(
    r"\s*(?:\[?\d{1,2}:\d\d\]?\s*)?<?[@\w.-]{2,20}>?\s?(?:\(\w+\))?\s?[:：]\s+\S|\s*\[?\d{1,2}:\d\d\]?\s+\w"
)
_MIN_CHAT_LINES = 3


def _asides(text: str) -> list[Aside]:
    found: list[Aside] = []
    position, fence, lead = 0, "", False
    lines = text.splitlines(keepends=True)
    chat = sum(bool(_CHAT_LINE.match(line[:80])) for line in lines[:400]) >= _MIN_CHAT_LINES
    for line in lines:
        start, position = position, position + len(line)
        head = line[:400]
        mark = _FENCE.match(head)
        gate = ""
        if fence:
            gate = "pasted"
            fence = "" if mark and mark.group(1) == fence else fence
            lead = lead and bool(fence)  # what was announced was in the fence
        elif mark:
            gate, fence = (
                "pasted",
                ("" if head.rstrip().endswith(mark.group(1)) and len(head.strip()) > 3 else mark.group(1)),
            )
        elif _QUOTED_LINE.match(head):
            gate = "quoted"
        elif head.strip() and (
            _PASTED_LINE.match(head) or _LOG_LINE.match(head) or (chat and _CHAT_LINE.match(head[:80]))
        ):
            gate = "pasted"
        elif lead and head.strip():
            gate = "quoted"
        if not head.strip():
            lead = False
        elif not gate and _LEAD_IN.search(head.rstrip()[-80:]):
            lead = True
        if gate:
            _extend(found, Aside(gate=gate, start=start, end=position))
    return found


def _extend(found: list[Aside], new: Aside) -> None:
    if found and found[-1].gate == new.gate and found[-1].end == new.start:
        found[-1] = Aside(gate=new.gate, start=found[-1].start, end=new.end)
    else:
        found.append(new)


def _between(asides: list[Aside], length: int) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    position = 0
    for aside in sorted(asides, key=lambda aside: aside.start):
        if aside.start > position:
            spans.append((position, aside.start))
        position = max(position, aside.end)
    if position < length:
        spans.append((position, length))
    return spans


# --- sentences and clauses ------------------------------------------------------------------------------------------------
_STOP = re.compile(
    r"[。！？；]+[”’」』\"]?|[.!?\u2026]+[\"')\]]*(?=\s|$)|\n[ \t]*\n\s*|\n[ \t]*(?=[-*\u2022+] |\d{1,2}[.)] )|\n|\?{2,}|!{2,}"
)
_ABBREVIATION = re.compile(r"\b(?:e\.g|i\.e|eg|ie|vs|cf|approx|incl|resp|ca|nr|dr|mr|ms|st|fig)\.$", re.IGNORECASE)
_SOFT_WRAP = 70  # a line at least this long that breaks before a lower-case word was wrapped, not ended
_BULLET = re.compile(r"(?:[-*\u2022+]|\d{1,2}[.)])\s+|[\s,;:、，。.!?^]+")


def _sentences(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Trimmed spans. Nothing is split within back-quotes or quotation marks."""
    spans: list[tuple[int, int]] = []
    begin = line_start = start
    code = [match.span() for match in _HELD.finditer(text[start:end])]
    held = 0
    for match in _STOP.finditer(text, start, end):
        at = match.start() - start
        while held < len(code) and code[held][1] <= at:
            held += 1
        mark = match.group()
        if held < len(code) and code[held][0] < at:
            continue
        if mark == "." and _ABBREVIATION.search(text, max(begin, match.end() - 8), match.end()):
            continue
        if mark == "\n":
            long, line_start = match.start() - line_start >= _SOFT_WRAP, match.end()
            if long and text[match.end() : match.end() + 1].islower():
                continue
        _keep(spans, text, begin, match.end())
        begin = match.end()
    _keep(spans, text, begin, end)
    return spans


_HELD = re.compile(r"`[^`\n]{1,300}`|(?<![\w\"])[\"\u201c](?=\S)[^\"\u201c\u201d\n]{1,300}(?<=\S)[\"\u201d](?!\w)")


def _keep(spans: list[tuple[int, int]], text: str, begin: int, end: int) -> None:
    piece = text[begin:end]
    lead = _BULLET.match(piece)
    begin += lead.end() if lead else len(piece) - len(piece.lstrip())
    end = begin + len(text[begin:end].rstrip())
    if end > begin:
        spans.append((begin, end))


def _clauses(text: str, begin: int, end: int, *, language: Language, sentence: int, paragraph: int) -> list[Clause]:
    made: list[Clause] = []
    low = _GAP.sub("，", text[begin:end].translate(_STRAIGHT).lower().translate(_SIMPLE))
    if len(low) != end - begin:  # a letter whose lower case is longer: offsets would slip
        low = "".join(c if len(c.lower()) != 1 else c.lower() for c in text[begin:end])
    cuts = _cuts(low, language)
    asked = low.rstrip("\"')]} :;-^").endswith(("?", "？"))
    for index, (_, cut) in enumerate(cuts):
        stop = cuts[index + 1][0] if index + 1 < len(cuts) else len(low)
        piece = low[cut:stop]
        shifted = bool(language.shift.match(piece))
        lead = 0
        while (match := language.opener.match(piece, lead)) and match.end() > lead:
            lead = match.end()
        announced = False
        if (match := language.announce.match(piece, lead)) and match.group().endswith(":"):
            lead, announced = match.end() + len(piece[match.end() :]) - len(piece[match.end() :].lstrip()), True
        first = begin + cut + lead
        body = text[first : begin + stop].rstrip(" \t\r\n,;:，；：、-–—")
        if body.strip(" .!?。！？…\"'()"):
            made.append(
                Clause(
                    start=first, end=first + len(body), text=" ".join(body.split()), low=plain(body), language=language,
                    sentence=sentence, paragraph=paragraph, shifted=shifted,
                    asked=asked and index == len(cuts) - 1, announced=announced,
                )
            )  # fmt: skip
    return made


def _cuts(low: str, language: Language) -> list[tuple[int, int]]:
    """Spans of what stands between the clauses; the first is empty."""
    cuts = [(0, 0), *(match.span() for match in language.split.finditer(low) if not _in_code(low, match.start()))]
    asides: list[tuple[int, int]] = []
    for (_, begin), (end, _) in zip(cuts, [*cuts[1:], (len(low), len(low))], strict=True):
        piece = low[begin:end]
        order = language.imperative.match(piece) and not language.prohibition.match(piece)
        if order and (found := language.aside.search(piece)) and not _in_code(piece, found.start()):
            asides.append((begin + found.start(), begin + found.end()))
    return sorted(cuts + asides)


def _in_code(low: str, at: int) -> bool:
    return low.count("`", 0, at) % 2 == 1 and "`" in low[at:]
