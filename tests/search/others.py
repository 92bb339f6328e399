"""Other memories for the index to hold: made up, deterministic, in the vocabulary that developers' notes have.

They are what a floor must hold against: many projects, eight kinds of facts, four languages, everyday words (sort, list,
time zone, translate, call, partition, leave …) in ordinary places, names included.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from scrubjay.memory import Memory
from scrubjay.operations import MemoryType, new_id
from scrubjay.search.index import Entry


def _words(text: str) -> list[str]:
    return text.split()


_AREAS = _words("""
checkout catalogue search ranking payments payouts ledger invoices refunds tax shipping warehouse picking returns loyalty
coupons pricing onboarding signup login sessions permissions audit notifications mailer push sms chat calls video uploads
thumbnails transcoding subtitles playlists recommendations feeds crawler scraper parser lexer compiler linker debugger
profiler scheduler queue broker stream ingestion warehouse etl dashboards alerts metrics tracing logging gateway proxy
router balancer cache sessions registry artefacts installer updater telemetry sensors firmware bootloader kernel driver
simulator renderer shader physics animation editor canvas timeline forms tables charts maps geocoder routing weather
calendar bookings reservations tickets seats passengers fleet drivers dispatch claims policies underwriting portfolio
orders matching settlement clearing custody reporting compliance consent translations glossary dictionary spellcheck
""")
_THINGS = _words("""
endpoint webhook consumer producer worker cron daemon adapter serializer validator migration fixture snapshot factory
partition index trigger view sequence replica shard bucket topic subscription retry timeout backoff lease lock mutex
semaphore token cookie header certificate keystore secret policy role tenant workspace organisation template partial
layout component hook store reducer selector middleware interceptor resolver schema mutation fragment query cursor array
list tree heap graph matrix vector tensor checkpoint dataset notebook pipeline stage runner image container volume chart
manifest namespace ingress sidecar probe quota budget flag experiment cohort segment locale currency time-zone calendar
""")
_TOOLS = _words("""
redis memcached kafka rabbitmq nats pulsar postgres mysql sqlite mongo cassandra clickhouse duckdb elasticsearch
opensearch meilisearch typesense minio s3 gcs nginx envoy haproxy traefik caddy terraform pulumi ansible packer vault
consul nomad kubernetes helm argocd flux jenkins buildkite drone tekton bazel gradle maven cargo poetry uv tox nox pytest
vitest jest playwright cypress selenium storybook webpack vite rollup esbuild turbopack tailwind prettier eslint biome
ruff mypy pyright black isort clippy rustfmt gofmt golangci swiftlint ktlint detekt spotless sonarqube sentry datadog
grafana prometheus loki tempo jaeger zipkin honeycomb pagerduty opsgenie jira linear notion confluence figma weblate
django flask fastapi rails laravel spring quarkus express nestjs nextjs nuxt svelte react vue angular ember flutter
""")
_PEOPLE = _words(
    "Amara Bjorn Chen Dalia Emeka Farid Greta Hiro Ines Jonas Kavya Lars Mina Nadia Otto Priya Quentin Rosa Sven Tomas"
)
_VERBS = _words("""
rebuild flush rotate seed replay drain warm backfill reindex vacuum compact archive restore promote pin mirror stub mock
record lint format bundle sign notarise publish tag cherry-pick bisect squash translate sort partition paginate throttle
""")
_REASONS = """
the last incident took four hours to find|the vendor counts every call|it deadlocks under load|legal asked for it in
spring|the audit flagged it|customers noticed within a day|nobody could read the diff|the free plan ends there|it breaks
the nightly export|older phones crash on it|two teams edit the same list|the cache keeps the old value until
tomorrow|sorting happens in the client anyway|the time zone of the runner differs|half of the staff was on leave|the book
of the vendor says so|autumn sales triple the load|the translation team works from the sheet|a novel kind of record has no
owner yet|leaves of the tree are shared|the partition key was chosen badly
""".replace("\n", " ").split("|")  # fmt: skip
_ZH_THINGS = _words(
    """
订单 库存 支付 退款 发票 登录 权限 消息 队列 缓存 索引 日志 监控 报表 搜索
推荐 排序 翻译 视频 上传 配置 网关 路由 定时任务 数据表 二进制 目录树
"""
)
_ZH_RULES = (
    "{a}服务的{b}必须走{t},不要直接改库",
    "{a}的{b}用 {t},原因是上次事故排查了四个小时",
    "改{a}之前先跑 `make {v}-{s}`,否则{b}会失败",
    "{a}和{b}由{p}负责,改动前先问",
    "继续用 {t} 处理{a},{b}以后再迁移",
)
_DE_RULES = (
    "Der Import für {a} läuft morgens um {n} Uhr, danach ist {t} gesperrt.",
    "Im Bereich {a} nur {t} benutzen, bis der {b} umgestellt ist.",
    "{p} gibt die Texte für {a} frei, {b} bitte nie von Hand ändern.",
)
_JA_RULES = (
    "{a} の {b} は {t} で生成する。手で編集しないでください。",
    "{a} のテストは `make {v}-{s}` で動かす。{t} は使わない。",
)
_SHAPES: tuple[tuple[MemoryType, str, str, str], ...] = (
    ("project", "How to {v} the {s} {b}", "before touching the {s} {b} on a laptop",
     "To {v} the {b} of {s} run `make {v}-{s} --max {n}`; plain {t} hangs there."),
    ("project", "{S} {b} lives in {t}", "when the {b} of {s} is read or moved",
     "The {s} {b} is kept in {t} because {r}."),
    ("project", "{T} pinned for {s}", "when somebody wants to upgrade {t}",
     "{t} stays at {n}.{m} in {s}: {r}."),
    ("project", "{S} owner", "before changing anything below services/{s}",
     "{p} owns services/{s} and the {b}; ask before you call it done."),
    ("project", "{S} {b} limit", "when a {s} job gets slow",
     "More than {n} rows a {b} and {t} locks up: {r}."),
    ("project", "No {t} in {s}", "when a faster {b} is wanted for {s}",
     "We tried {t} for the {b} of {s} and went back: {r}."),
    ("project", "{S} freeze", "when a merge to {s} is planned",
     "The {s} freeze begins on 2027-0{d}-1{d}, the {b} moves the week after."),
    ("reference", "{S} {b} dashboard", "when {s} is slow or red",
     "{S} {b} lag: https://{t}.example.org/d/{s}-{n}, look there first."),
    ("reference", "{S} specification", "when the {b} format of {s} is in doubt",
     "The {s} specification is docs/{s}/{b}.md; the book on the shelf is out of date."),
    ("feedback", "{B} changes in {s} come with a test", "when a {b} in {s} is changed",
     "Never {v} the {b} by hand in {s}; write the test first, {p} reviews it."),
    ("feedback", "Names in {s}", "when something in {s} is named",
     "In {s} every {b} is named after the {t} topic, lower case, past tense."),
    ("user", "{T} over {o}", "when a tool is chosen",
     "Prefers {t} to {o} for anything with a {b}; short answers, no list of what changed."),
    ("project", "{S} time zone", "when a date of {s} looks wrong",
     "Dates of {s} are kept in UTC and shown in the time zone of the {b}; {t} sorts them wrong."),
    ("project", "Translations of {s}", "when a text of {s} changes",
     "Texts of {s} are translated in {t}; see the {b} tomorrow rather than today: {r}."),
)  # fmt: skip
_PATHS = ("src/{s}/", "services/{s}/{b}.py", "web/{s}/{b}.tsx", "deploy/{t}.yaml", "docs/{s}.md")


def other_memories(count: int, *, seed: int = 7) -> Iterator[Memory]:
    """`count` different memories; the first n are the same for every `count` >= n."""
    rng = random.Random(seed)
    for number in range(count):
        yield _memory(rng, number)


def other_entries(count: int, store: str, *, seed: int = 7) -> Iterator[Entry]:
    """The same, as active rows of one project store."""
    for memory in other_memories(count, seed=seed):
        yield entry_of(memory, store)


def entry_of(
    memory: Memory,
    store: str,
    *,
    scope: str = "project",
    trust: str = "user",
    clean: bool = True,
    said: Sequence[tuple[str, str, str]] = (),
) -> Entry:
    """A memory as a row; `said`: (agent, session, time) of its evidence."""
    return Entry(
        memory=memory,
        path=f"{store}/{memory.id}.md",
        store=store,
        scope=scope,  # type: ignore[arg-type]
        project="" if scope == "user" else store.rsplit("/", 1)[-1],
        trust=trust,  # type: ignore[arg-type]
        clean=clean,
        said=tuple(said),
    )


def _memory(rng: random.Random, number: int) -> Memory:
    words = {
        "s": rng.choice(_AREAS), "b": rng.choice(_THINGS), "t": rng.choice(_TOOLS), "o": rng.choice(_TOOLS),
        "v": rng.choice(_VERBS), "p": rng.choice(_PEOPLE), "r": rng.choice(_REASONS).strip(), "n": rng.randrange(2, 900),
        "m": rng.randrange(30), "d": rng.randrange(1, 9), "a": rng.choice(_ZH_THINGS),
    }  # fmt: skip
    words |= {"S": str(words["s"]).capitalize(), "T": str(words["t"]).capitalize(), "B": str(words["b"]).capitalize()}
    kind = rng.random()
    if kind < 0.15:
        words["b"] = rng.choice(_ZH_THINGS)
        body = rng.choice(_ZH_RULES).format(**words)
        name, description, type_ = body[:12], f"改{words['a']}之前看", "project"
    elif kind < 0.25:
        words["a"] = words["s"]
        body = rng.choice(_DE_RULES if kind < 0.2 else _JA_RULES).format(**words)
        name, description, type_ = f"{words['S']} {words['b']}", body[:60], "project"
    else:
        type_, *texts = rng.choice(_SHAPES)
        name, description, body = (text.format(**words) for text in texts)
    paths = (rng.choice(_PATHS).format(**words),) if rng.random() < 0.2 else ()
    return Memory(
        id=new_id(f"other {number}".encode()),
        name=name,
        description=description,
        type=type_,  # type: ignore[arg-type]
        body=body,
        updated=f"2026-{rng.randrange(1, 12):02d}-{rng.randrange(1, 28):02d}T09:00:00Z",
        anchors=((("file", paths[0]),),) if paths else (),
    )
