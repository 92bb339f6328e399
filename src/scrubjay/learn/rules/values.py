# ruff: noqa: E501, SIM905 - tables read better with one alternative list a line
"""The values in a statement: what changes when a fact changes (a port, a date, a host, an owner, a tool), by kind.

Two statements about one subject contradict each other where they give different values of one kind.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from scrubjay.learn.rules.words import HASH, PATH, URL

MONTHS = ("january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december")  # fmt: skip
_MONTH = r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
_WEEKDAYS = ("mon(?:day)?|周一|星期一|礼拜一", "tue(?:s(?:day)?)?|周二|星期二|礼拜二", "wed(?:nesday)?|周三|星期三|礼拜三", "thu(?:rs(?:day)?)?|周四|星期四|礼拜四", "fri(?:day)?|周五|星期五|礼拜五", "sat(?:urday)?|周六|星期六|礼拜六", "sun(?:day)?|周日|周天|星期日|星期天|礼拜天")  # fmt: skip
_COUNT = r"(?:\d+(?:[.,]\d+)*|[一二两三四五六七八九十百半]+|\b(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|sixty|ninety)\b)"
_UNITS: Mapping[str, str] = {
    "span": r"ms|millis(?:econds)?|s|secs?|seconds?|mins?|minutes?|h|hrs?|hours?|d|days?|weeks?|months?|years?|quarters?|sprints?|毫秒|秒钟?|分钟|个?小时|天|周|个?星期|个?月|年",
    "size": r"[kmgt]i?b|bytes?|字节|兆|[kmg](?=\b)",
    "rate": r"[kmg]?hz|fps|rps|qps|tps|req/s|帧|[kmg]bps",
    "percent": r"%|percent|per\s+cent|百分点",
    "length": r"mm|cm|km|metres?|meters?|inch(?:es)?|pt|px|毫米|厘米|米|像素|characters|chars|columns|字符|列",
    "count": r"cores?|threads?|workers?|replicas?|shards?|partitions?|nodes?|reviewers?|approvals?|retries|attempts?|lines?|points?|items?|rows?|connections?|jobs?|个核|核|线程|副本|分片|节点|人|次|条|行|台|份|个",
    "money": r"eur|usd|cents?|euros?|dollars?|元|块|分钱|美元",
    "volt": r"[mk]?v|volts?|[mk]?w|m?a|amps?|℃|°c|伏|安|瓦|度",
}  # fmt: skip
_UNIT = {kind: re.compile(rf"{_COUNT}\s?-?(?:{units})(?![a-z\d])", re.ASCII) for kind, units in _UNITS.items()}

_RAW: Mapping[str, re.Pattern[str]] = {
    "mail": re.compile(r"\b[\w.+-]+@[\w-]+(?:\.[\w-]+)+"),
    "channel": re.compile(r"(?<![\w/#])#[a-z][\w-]{2,}"),
    "url": re.compile(URL.pattern + r"|\b[a-z][\w-]*(?:\.[\w-]+)*\.(?:com|org|net|io|dev|cn|internal|local|lan|corp|example|test|cloud|ai|app)(?::\d+)?(?:/[\w./#-]*)?(?![\w.])|\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b"),
    "hash": HASH,
    "date": re.compile(
        rf"\b\d{{4}}-\d\d(?:-\d\d)?\b|(?<!\d)\d{{1,2}}\s?月\s?\d{{1,2}}\s?[日号]?|\b{_MONTH}\.?\s\d{{1,2}}(?:st|nd|rd|th)?\b|\b\d{{1,2}}(?:st|nd|rd|th)?\.?\s(?:of\s)?{_MONTH}\b|\bq[1-4]\b|(?<!\d)\d{{1,2}}\s?号"
    ),
    "time": re.compile(r"\b\d{1,2}:\d\d(?:\s?[ap]m)?\b|\b\d{1,2}\s?[ap]m\b|(?:上午|下午|早上|晚上|凌晨|中午)?[\d一二两三四五六七八九十]{1,2}\s?点半?(?![个一])|\b(?:noon|midnight)\b"),
    "port": re.compile(r"(?<=port\s)\d{2,5}\b|(?<=端口)\s?\d{2,5}|(?<=端口[是为用在到成])\s?\d{2,5}|(?<=localhost:)\d{2,5}\b|(?<=\s):\d{2,5}\b|\b\d{3,5}(?=\s?(?:端口|这个端口))"),
    "ticket": re.compile(r"\b[a-z][a-z0-9]{0,8}-(?=<|\d|x\b|xxx|n\b|#|\*|$|[\s，。,.;)`]|nnn)"),
    "version": re.compile(r"\bv?\d+\.(?:\d+|x)(?:\.(?:\d+|x))*(?:-\w+)?\b|\bv\d+\b"),
    **_UNIT,
    "number": re.compile(r"(?<![\w.:/-])\d+(?:\.\d+)?(?![\w./-]*\d)(?![a-z])"),
}  # fmt: skip
# In a text without spaces a Chinese character ends a word: it must not count as part of one.
_PATTERNS = {kind: re.compile(pattern.pattern, re.ASCII) for kind, pattern in _RAW.items()}

_CLASSES: Mapping[str, str] = {
    "packages": "npm pnpm yarn bun pip pipenv poetry uv conda cargo gem bundler composer maven gradle bazel buck sbt apt brew nix cocoapods spm carthage",
    "runner": "make just task invoke tox nox rake cmake ninja meson",
    "tests": "pytest unittest nose jest vitest mocha jasmine karma cypress playwright selenium puppeteer junit testng rspec minitest gtest catch2 xctest espresso detox",
    "lint": "eslint prettier biome tslint flake8 pylint ruff black yapf isort rubocop ktlint swiftlint checkstyle clang-format gofmt golangci-lint",
    "ci": "jenkins travis circleci buildkite teamcity bamboo drone github\\s+actions gitlab\\s+ci azure\\s+pipelines woodpecker concourse argo",
    "database": "postgres(?:ql)? mysql mariadb sqlite oracle mongodb? cassandra scylladb dynamodb cockroachdb tidb clickhouse duckdb redis memcached valkey keydb elasticsearch opensearch solr influxdb timescaledb neo4j",
    "queue": "kafka rabbitmq nats pulsar sqs pubsub activemq zeromq celery sidekiq mqtt amqp",
    "format": "json cbor protobuf protobuffers avro msgpack xml yaml toml csv parquet hdf5 arrow flatbuffers thrift ndjson",
    "protocol": "rest grpc graphql soap websockets? sse trpc webrtc http/2 http/3 polling long-polling ftp sftp scp rsync",
    "chat": "slack teams discord mattermost zulip zoom irc telegram 飞书 钉钉 企业微信 微信群",
    "tracker": "jira linear trello asana youtrack redmine bugzilla shortcut clickup 禅道 tapd",
    "docs": "notion confluence wiki sharepoint 语雀 石墨 腾讯文档 gitbook",
    "monitor": "grafana datadog kibana splunk newrelic prometheus sentry bugsnag rollbar honeycomb loki graylog zabbix",
    "cloud": "aws gcp azure heroku hetzner digitalocean ovh fly\\.io vercel netlify cloudflare render railway linode 阿里云 腾讯云 华为云 eks gke aks",
    "orchestrator": "kubernetes k8s nomad swarm docker\\s+compose podman ecs systemd",
    "secrets": "vault sops doppler 1password lastpass bitwarden",
    "editor": "vim neovim emacs helix vscode vs\\s+code zed sublime intellij pycharm xcode",
    "shell": "bash zsh fish nushell powershell",
    "web": "react vue svelte angular solid preact ember jquery next\\.js nuxt remix astro",
    "bundler": "webpack vite rollup esbuild parcel turbopack rspack swc babel",
    "css": "tailwind bootstrap sass less styled-components emotion bulma",
    "http": "axios fetch requests httpx aiohttp urllib superagent okhttp retrofit",
    "orm": "sqlalchemy prisma typeorm sequelize hibernate drizzle knex django\\s+orm mybatis",
    "migrations": "alembic flyway liquibase",
    "language": "python java kotlin scala golang rust ruby php perl elixir swift objective-c typescript javascript",
    "speech": "english chinese german french japanese spanish 英文 中文 英语 德语 日语",
    "branch": "master main trunk develop release/next",
    "merging": "squash(?:ed|ing)? rebas(?:e|ed|ing) merge\\s+commits?",
    "case": "snake_case camelcase pascalcase kebab-case snake\\s+case camel\\s+case kebab\\s+case 蛇形 驼峰 短横线 下划线",
    "indent": "tabs? spaces 制表符 空格",
    "zone": "utc gmt cet cest pst est local\\s+time 北京时间 本地时间",
    "money": "decimals? floats? integer\\s+cents integers? 浮点 整数",
    "dates": "moment day\\.?js date-fns luxon temporal arrow pendulum",
    "colour": "viridis jet magma plasma inferno cividis turbo",
    "unit": "metres? meters? millimetres? millimeters? feet 毫米 厘米 米",
    "cadence": "daily weekly biweekly monthly quarterly hourly 每小时 每天 每周 每月 每季度 双周",
    "infra": "terraform pulumi cloudformation ansible chef puppet cdk opentofu helm kustomize",
    "design": "figma sketch zeplin penpot invision 蓝湖 墨刀 即时设计",
    "markup": "markdown restructuredtext rst asciidoc latex docx word mdx org-mode html plain\\s+text",
    "letters": "upper\\s?-?case lower\\s?-?case title\\s+case capitals all\\s+caps 大写 小写",
    "grammar": "singular plural imperative past\\s+tense present\\s+tense 单数 复数 祈使句 过去式",
    "vcs": "gitlab gitea github bitbucket gerrit svn perforce mercurial",
    "fonts": "svg png jpe?g webp avif pdf eps tiff",
}  # fmt: skip
_TOOLS = {kind: re.compile(rf"(?<![\w./-])(?:{'|'.join(sorted(names.split(), key=len, reverse=True))})(?![\w/-]|\.\w)", re.ASCII) for kind, names in _CLASSES.items()}  # fmt: skip

_ASIDE_QUOTE = re.compile(r"`([^`\n]{1,80})`|[\"“「]([^\"”」\n]{1,40})[\"”」]")
_NO_RUN = r"(?!(?:for|in|on|to|as|and|or|is|are|was|not|no|with|from|instead|now|at|of|the|a|an|it|sure|them|that|this|any|every|by|via|but|so|because|since|if|when|which|than|scripts?|projects?|workspaces?|only|any\s?more|again|everywhere|one|use|run|keep|like)\b)"
_RUN = re.compile(
    r"(?<![\w./-])(?:\./|(?:npm|pnpm|yarn|bun|make|just|cargo|uv|poetry|python3?|sh|bash|docker|kubectl|terraform|gradle|mvn|bazel|cmake|dotnet|flutter|helm|tox|rake|npx|go(?=\s(?:test|build|run|vet|generate|mod|install|tool)\b))\s"
    + _NO_RUN
    + r")[\w./:@=-]+(?:\s(?:-{1,2}[\w=./-]+|[\w./:@=-]*[/:=.][\w./:@=-]*|(?<=run\s)[\w:-]+))*",
    re.ASCII,
)
_PLACED = re.compile(
    r"(?:\b(?:to|into|at|is|are|on)|写到|写进|放到|放在|放进|搬到|移到|存到|存在|改到|改成|换成|输出到|落到|导到)\s*$"
)
_PATH = re.compile(PATH.pattern, re.ASCII)

_NAME = r"(?:@[\w.-]+|(?!(?:The|We|I|It|This|That|He|She|They|You|Please|Our|My|All|Each|Every|From|As|For|In|On|At|And|But|Also|Now|No|If|When|Use|Run|Never|Always|Only|Both)\b)[A-Z][a-z'-][a-zA-Z'-]*(?:\s[A-Z][a-zA-Z'-]+)?|[Tt]he\s[\w-]+\s(?:team|group|crew|guild)|[\w-]+\steam)"
_HAN = r"(?:@[\w.-]+|[A-Za-z][\w.-]*(?:\s[A-Z]\w+)?|[\u4e00-\u9fff]{1,6}?(?:组|团队|部门|那边)|[小老阿][\u4e00-\u9fff]|[\u4e00-\u9fff]{2,3}?(?:老师|工|总|哥|姐)?)"
_OWNERS = (
    re.compile(rf"\b(?i:owned\s+by|belongs?\s+to|handled\s+by|maintained\s+by|run\s+by|reviewed\s+by|approved\s+by|signed\s+off\s+by|assigned\s+to|lies?\s+with|(?:is|are)\s+with|goes?\s+(?:through|to|via)|up\s+to|passes\s+to|handed\s+(?:over\s+)?to|ask|pings?|tag|contact|talk\s+to|call|page|speak\s+to|reach\s+out\s+to|check\s+with|run\s+\w+\s+past|cc|(?:owner|contact|maintainer|lead|reviewer|approver)(?:\s+(?:of|for)\s+[\w /-]{{2,30}})?\s+is(?:\s+now)?|done\s+by|made\s+(?:only\s+)?by|only\s+by|by)\s+(?P<p>{_NAME})", re.ASCII),
    re.compile(rf"(?P<p>{_NAME})\s+(?i:(?:now|still|only|will|also)\s+)?(?i:owns?|handles?|maintains?|takes?\s+(?:over|care)|took\s+over|looks?\s+after|is\s+(?:now\s+)?(?:responsible|in\s+charge|the\s+(?:owner|contact|lead|maintainer|reviewer)|on\s+call)|runs|reviews?|approves?|signs?|leads?|decides?|manages?|covers?|does)\b", re.ASCII),
    re.compile(r"(?<=[\w/]\s=\s)(?!true|false|null|none|yes|no\b|on\b|off\b|me\b|the\b)(?P<p>[a-z]{3,})(?=\s*(?:now\b|$|[,;.](?:\s|$)))", re.ASCII),
    re.compile(rf"归\s?(?P<p>{_HAN})(?=管|负责|维护|审|看|所有|他|她|们|了|来|接|[，,。；;、（(]|\s|$)", re.ASCII),
    re.compile(rf"由\s?(?P<p>{_HAN})\s?(?:来|统一)?(?=负责|管|维护|审|签|把关|跟进|接手|处理|执行|拍板|批|做|改|动手|牵头|对接|[，,。]|$)", re.ASCII),
    re.compile(rf"(?:交给|转给|转交给?|移交给?|负责人(?:现在)?(?:是|换成了?|改成了?|改为|变成|为|：|:)|对接人(?:是|换成|改成|为)|接手的?(?:人)?是)\s?(?P<p>{_HAN})(?=了|来|负责|管|维护|审|那边|[，,。；;、（(]|\s|$)", re.ASCII),
    re.compile(rf"(?:^|[，,。；;：:\s的])(?P<p>{_HAN})\s?(?:现在|以后|来|开始|已经)?\s?(?:负责|接手|主管|牵头|把关|接替|在管|在维护|说了算|拍板)", re.ASCII),
    re.compile(rf"(?:找|问|联系|艾特|抄送)\s?(?P<p>{_HAN})(?=确认|审|签|批|要|拿|看|处理|就|即可|把关|问|说|[，,。；;、]|\s|$)", re.ASCII),
)  # fmt: skip

SUBJECT_KINDS = frozenset({"path", "name", "command", *_CLASSES})
"""Kinds whose values may be what a statement is about as well as what it says of it."""
_WORDY = frozenset({"ticket", "url", "owner", "version", *SUBJECT_KINDS})


@dataclass(frozen=True, kw_only=True, slots=True)
class Value:
    """`text[start:end]`, in a form in which two ways to write it are equal."""

    kind: str
    value: str
    start: int
    end: int


def values(text: str) -> list[Value]:
    """Of one sentence as it was written (simplified characters), in order, without overlaps."""
    found: list[Value] = []
    rest = text.lower() if len(text.lower()) == len(text) else text
    for value in (*_owners(text), *_quoted(rest)):
        rest = _take(found, value, rest)
    for match in _PATH.finditer(rest):
        if "://" not in rest[max(0, match.start() - 8) : match.start()]:
            absolute = match.group().startswith(("/", "~"))
            kind = "path" if absolute or _PLACED.search(rest[: match.start()]) else "scope"
            rest = _take(found, Value(kind=kind, value=match.group().rstrip("/."), start=match.start(), end=match.end()), rest)  # fmt: skip
    for match in _RUN.finditer(rest):
        rest = _take(found, Value(kind="command", value=match.group().strip(), start=match.start(), end=match.end()), rest)  # fmt: skip
    for table in (_PATTERNS, {"weekday": _DAY}, _TOOLS):
        for kind, pattern in table.items():
            for match in pattern.finditer(rest):
                if kind == "url" and any(tool.fullmatch(match.group()) for tool in _TOOLS.values()):
                    continue
                if kind == "number" and _PORT_WORD.search(rest) and len(match.group()) >= _PORT_DIGITS:
                    rest = _take(found, Value(kind="port", value=match.group(), start=match.start(), end=match.end()), rest)  # fmt: skip
                    continue
                named = (
                    ("span", _CADENCE[match.group()])
                    if match.group() in _CADENCE
                    else (kind, _even(kind, match.group()))
                )
                value = Value(kind=named[0], value=named[1], start=match.start(), end=match.end())
                rest = _take(found, value, rest)
    return sorted(found, key=lambda one: one.start)


_DAY = re.compile(rf"(?:\b(?:{'|'.join(_WEEKDAYS)})s?\b)|" + "|".join(name for day in _WEEKDAYS for name in day.split("|")[1:]))  # fmt: skip


def _take(found: list[Value], value: Value, rest: str) -> str:
    if not value.value or any(value.start < one.end and one.start < value.end for one in found):
        return rest
    found.append(value)
    return rest[: value.start] + " " * (value.end - value.start) + rest[value.end :]


def _owners(text: str) -> list[Value]:
    made: list[Value] = []
    for pattern in _OWNERS:
        for match in pattern.finditer(text):
            name = match.group("p")
            if name not in _NOT_NAMES and not any(
                word in name for word in ("我", "你", "谁", "他", "她", "的", "这", "那")
            ):
                made.append(
                    Value(kind="owner", value=name.lower().strip("@"), start=match.start("p"), end=match.end("p"))
                )
    return made


_NOT_NAMES = frozenset(
    "先 再 都 就 也 会 要 统一 一起 直接 负责 现在 以后 本人 别人 有人 大家 自己 专人 谁 哪个 哪里".split()
)


def _quoted(low: str) -> list[Value]:
    made = []
    for match in _ASIDE_QUOTE.finditer(low):
        inner = " ".join((match.group(1) or match.group(2) or "").split())
        if any(pattern.fullmatch(inner) for pattern in (*_PATTERNS.values(), *_TOOLS.values())) or URL.match(inner):
            continue  # a port or a tool is one, in code or not
        kind = "command" if " " in inner or _RUN.match(inner) else ("path" if PATH.fullmatch(inner) else "name")
        made.append(Value(kind=kind, value=inner.rstrip("/."), start=match.start(), end=match.end()))
    return made


_PORT_WORD = re.compile(
    r"\bport\b|端口|监听|占了|\blistens?\b|\b(?:server|api|proxy|service|dashboard|app|ui)\s+(?:is|sits|runs|lives)\s+on\s+\d{4,5}\b|\bmoved\s+to\s+\d{4,5}\b|\b\d{4,5}\s+is\s+(?:the|taken|used|free)\b|\b(?:sits|runs|listening)\s+on\s+\d{4,5}\b",
    re.ASCII,
)
_PORT_DIGITS = 4
_ORDINAL = re.compile(r"(?<=\d)(?:st|nd|rd|th)\b")
_WORD_NUMBERS = {word: str(number) for number, words in enumerate(
    "零 一|one|a|an 二|两|two 三|three 四|four 五|five 六|six 七|seven 八|eight 九|nine 十|ten".split()) for word in words.split("|")}  # fmt: skip


def _even(kind: str, text: str) -> str:
    text = " ".join(text.split()).rstrip(".,;")
    if kind == "url":
        return re.sub(r"^https?://", "", text).rstrip("/")
    if kind == "date":
        return _day(text)
    if kind == "weekday":
        return str(next((n for n, names in enumerate(_WEEKDAYS) if re.fullmatch(f"(?:{names})s?", text)), text))
    if kind == "percent":
        return re.sub(r"[^\d.]", "", text) or text
    if kind in _UNITS:
        head = re.match(rf"({_COUNT})\s?-?(.*)", text)
        if head:
            count = _WORD_NUMBERS.get(head.group(1), head.group(1))
            return f"{count} {_UNIT_WORDS.get(head.group(2).removeprefix('个').rstrip('s'), head.group(2).rstrip('s'))}"
    return text


_CADENCE = {
    "hourly": "1 h", "daily": "1 d", "weekly": "1 week", "monthly": "1 month", "每小时": "1 h", "每天": "1 d", "每周": "1 week", "每月": "1 month",
}  # fmt: skip
_UNIT_WORDS = {
    "秒": "s", "sec": "s", "second": "s", "": "s", "分钟": "min", "minute": "min", "小时": "h", "hour": "h", "hr": "h", "天": "d", "day": "d",
    "周": "week", "星期": "week", "月": "month", "年": "year", "毫秒": "ms", "milli": "ms", "核": "core",
}  # fmt: skip


def _day(text: str) -> str:
    """`-11-23` for a day of the year however written, the text itself for anything vaguer."""
    if iso := re.fullmatch(r"\d{4}(-\d\d-\d\d)", text):
        return iso.group(1)
    if iso := re.fullmatch(r"\d{4}(-\d\d)", text):
        return iso.group(1)
    if han := re.fullmatch(r"(\d{1,2})\s?月\s?(\d{1,2})\s?[日号]?", text):
        return f"-{int(han.group(1)):02d}-{int(han.group(2)):02d}"
    name, number = re.search(r"[a-z]{3}", _ORDINAL.sub("", text)), re.search(r"\d{1,2}", text)
    month = next((n for n, one in enumerate(MONTHS, 1) if name and one.startswith(name.group())), 0)
    return f"-{month:02d}-{int(number.group()):02d}" if month and number else text
