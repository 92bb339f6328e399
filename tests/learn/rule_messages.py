# ruff: noqa: E501 - one message a line
"""Whole messages in which something lasting stands among orders, questions and talk.

Each row: the message, the notes that must be active (each with all of its words), and words that no active note may hold.
Said on 2026-03-04, a Wednesday.
"""

from __future__ import annotations

Row = tuple[str, tuple[tuple[str, ...], ...], tuple[str, ...]]

ENGLISH: tuple[Row, ...] = (
    (
        "hey, can you get the emulator going? note that it needs KVM, on the CI boxes there is none so tests are skipped there. then look at the flaky login test",
        (("KVM", "CI"),),
        ("flaky login",),
    ),
    (
        "cool. the level files: never edit the binary ones under assets/levels, open them in the editor and export, otherwise the checksums break. what's the export shortcut?",
        (("assets/levels", "export", "checksums"),),
        ("shortcut",),
    ),
    (
        "run it again please. btw the sensor hub answers on 192.168.7.20 in the lab, the address on the sticker is wrong",
        (("192.168.7.20", "sticker"),),
        ("run it again",),
    ),
    (
        "no no, not like that. we don't catch Exception in this codebase, ever. catch the specific one or let it bubble up",
        (("catch", "Exception", "bubble"),),
        (),
    ),
    (
        "great, looks good. one more: the model registry moved, it's at https://models.example.net/registry now, the old bucket gets deleted",
        (("models.example.net/registry",),),
        (),
    ),
    (
        "ok do option 2. and for the record: we picked option 2 because the watch has only 32 MB, not because it's prettier",
        (("option 2", "32 MB"),),
        (),
    ),
    (
        "fix the crash in AudioEngine::stop. unrelated: release notes are written by Hana, just leave a placeholder for her",
        (("release notes", "Hana"),),
        ("AudioEngine",),
    ),
    ("thanks! should I squash before merging? and is there a way to see who broke it?", (), ("squash", "broke")),
    (
        "deploy window: only Tuesdays and Thursdays before 15:00 CET, the customer has people on site then. is the image built?",
        (("Tuesdays", "15:00"),),
        ("image",),
    ),
    (
        "the seed is 1337 in every experiment, results aren't comparable otherwise. now plot run 12 against run 14",
        (("1337", "comparable"),),
        ("run 12",),
    ),
    (
        "I'm travelling till friday so I answer late. the licence server key expires on April 30, Dana renews it",
        (("licence server", "2026-04-30", "Dana"),),
        ("travelling",),
    ),
    (
        "we tried the vendor SDK in 2024, it leaked file handles and support never answered. so our own driver stays",
        (("vendor SDK", "file handles"),),
        (),
    ),
    (
        "in tools/ it's Python 3.8 only, the artists' machines have nothing newer. make it run there",
        (("tools/", "3.8", "artists"),),
        ("make it run",),
    ),
    (
        "oh and customer names never go into fixtures, use the ones from fixtures/people.yaml",
        (("customer names", "fixtures/people.yaml"),),
        (),
    ),
    (
        "please shorten the answer. like this every time: what changed, why, how to undo it",
        (("what changed", "undo"),),
        (),
    ),
    (
        "let's see. `make sim` starts the simulator, but only after `source env.sh`, otherwise it picks the system ROS",
        (("make sim", "env.sh", "ROS"),),
        (),
    ),
    (
        "hmm, what if we used websockets everywhere? nah. polling stays, the proxy at the hospital kills long connections",
        (("polling", "proxy", "hospital"),),
        ("websockets everywhere",),
    ),
    (
        "use port 9222 for the debugger today, and remember the inspector only talks to Chrome 120 or older",
        (("Chrome 120",),),
        ("9222",),
    ),
    ("docs say you can pass --jobs 0 but that hangs on macOS; 4 is a safe value", (), ()),
    ("Tomek is leaving the team, from April on Aiko reviews everything in kernel/", (("Aiko", "kernel/"),), ()),
    ("the API key for the map is in vault under maps/prod, never paste it anywhere", (("vault", "maps/prod"),), ()),
    ("don't know. whatever you think is best. just make it green", (), ("green",)),
    ("I want the tests to pass before lunch, then we can talk about the rest", (), ("lunch",)),
    (
        "wait, why did you delete the fallback? put it back. the fallback stays until every client is on 5.x",
        (("fallback", "5.x"),),
        ("why did you",),
    ),
    ("the retry budget is 3, the gateway bans us for ten minutes after that", (("3", "gateway", "bans"),), ()),
    (
        "hi! so this repo is the firmware of our bike computer. everything time critical lives in src/rt, code there must not allocate",
        (("src/rt", "allocate"),),
        (),
    ),
    (
        "remember that we talked about caching? forget it. but keep this: cache keys always carry the schema version",
        (("cache keys", "schema version"),),
        ("talked about",),
    ),
    ("Is X11 still needed? We dropped X11 support in 6.0, so no code for it any more.", (("X11", "6.0"),), ()),
    (
        "review comments in German are fine for me but code and commits are English only",
        (("code and commits", "English"),),
        (),
    ),
    (
        "sorry, my mistake: the bucket is eu-west-1, not us-east-1, legal insists on it",
        (("eu-west-1", "us-east-1"),),
        (),
    ),
    (
        "morning. I took over this repo from Bruno, he moved to the maps team, so questions about the renderer go to him. can you summarise the folders?",
        (("Bruno", "renderer"),),
        ("summarise",),
    ),
    ("ok. `bin/setup` is enough to get going, the wiki page with the eleven steps is ancient", (("bin/setup",),), ()),
    (
        "what does the E flag mean here? and the tile cache: 2 GB is all the tablets have left, never let it grow beyond 1.5",
        (("1.5", "tablets"),),
        ("E flag",),
    ),
    (
        "no wait. I said metres. every distance in this codebase is metres as double, feet exist only in the UI layer",
        (("metres", "double", "feet"),),
        (),
    ),
    (
        "nice work. PRs here need a screenshot for anything visual, the reviewers won't look otherwise",
        (("screenshot", "reviewers"),),
        (),
    ),
    (
        "the new tile server is up: https://tiles.example.org/v4, v3 goes dark on June 1st",
        (("tiles.example.org/v4",), ("v3", "2026-06-01")),
        (),
    ),
    ("can you do the rounding differently, say banker's? hm no, leave it", (), ("banker",)),
    (
        "please answer in short sentences, english isn't my first language. that's true for every project",
        (("short sentences",),),
        (),
    ),
    (
        "forget the cache idea from before. gps traces are kept for 30 days, then the privacy job deletes them",
        (("30 days", "privacy"),),
        ("cache idea",),
    ),
    ("I'm debugging on the train so the VPN is off, skip anything that needs it", (), ("train", "VPN")),
    (
        "lint is `scripts/lint.sh -q`, without -q it prints 4000 warnings that nobody will ever fix",
        (("scripts/lint.sh -q", "4000"),),
        (),
    ),
    (
        "Zoya has to see every change to the offline format before it's merged, she maintains the importer",
        (("Zoya", "offline format"),),
        (),
    ),
    (
        "why two json libs? ah right. serde for the wire, simdjson for the big dumps, that split is deliberate",
        (("serde", "simdjson"),),
        (),
    ),
    ("the demo on thursday: make the map start at Porto just for that", (), ("Porto",)),
    (
        "we had rtree in 2023. it was fast but the index got corrupted on power loss, so no more rtree on the devices",
        (("rtree", "power loss"),),
        (),
    ),
    ("don't sort imports, isort does that in the hook and you two fight", (("sort imports", "isort"),), ()),
    ("beta for the clinics starts in two weeks, Noor sends out the invitations", (("beta", "2026-03-18", "Noor"),), ()),
    (
        "the forum says to disable the watchdog. ignore that, the watchdog stays on in every build we ship",
        (("watchdog", "stays on"),),
        ("forum says",),
    ),
    (
        "tests that need hardware carry the marker hw and don't run in CI, run them with `pytest -m hw` at the bench",
        (("marker hw", "pytest -m hw"),),
        (),
    ),
    ("explain the kalman filter to me like I'm five", (), ("kalman",)),
    (
        "seems the fuse blew. anyway, note for later: connector J4 is mirrored on rev B boards",
        (("J4", "rev B"),),
        ("fuse",),
    ),
    ("translations are due on Friday at the agency, so strings are frozen from tomorrow", (("2026-03-06",),), ()),
    (
        "Use the sandbox account for this. The real one is billed per call, so tests never use it.",
        (("billed per call", "never"),),
        (),
    ),
    ("our minimum is iOS 16, so no fallback code for older ones", (("iOS 16", "fallback"),), ()),
    (
        "where's the schema? ok found it. schema changes always need a bump of SCHEMA_REV, the clients refuse to load otherwise",
        (("SCHEMA_REV", "refuse"),),
        (),
    ),
    ("rm -rf build and try again", (), ("rm -rf",)),
    ("I'd say we drop the flag. what would break?", (), ("drop the flag",)),
    ("staging got a new address, http://10.4.0.12:8080, the old one is dead", (("10.4.0.12:8080",),), ()),
    ("the CSV uses ; as separator because Excel in Italy wants it", ((";", "Excel"),), ()),
    ("please stop writing docstrings for private helpers", (("docstrings", "private"),), ()),
    ("all times shown to drivers are local, everything stored is UTC", (("local", "UTC"),), ()),
    (
        "error codes are documented at https://wiki.example.com/errors - add a row when you invent one",
        (("wiki.example.com/errors",),),
        (),
    ),
)

CHINESE: tuple[Row, ...] = (
    (
        "先看下这个仓库。对了，本地起服务用 `docker compose up api`，直接 uvicorn 会少环境变量。现在有几个接口？",
        (("docker compose up api", "uvicorn"),),
        ("几个接口",),
    ),
    (
        "好的。提交标题前面要带单号，比如 PAY-123，后面用英文祈使句。这次的单号是 PAY-88",
        (("单号", "PAY-123", "祈使句"),),
        ("PAY-88",),
    ),
    ("帮我加个重试。另外，凡是涉及扣款的接口都必须幂等，去年因为重复扣款赔过钱", (("扣款", "幂等"),), ("加个重试",)),
    ("不对，别用 float。金额在库里都存整数分，展示的时候才除以 100", (("金额", "分"),), ()),
    (
        "今天网不好，先别拉镜像。镜像仓库以后走 https://harbor.example.com/base ，旧的下个月关停",
        (("harbor.example.com/base",),),
        ("网不好",),
    ),
    (
        "为什么慢？我知道了，运维说可能是磁盘。不管了，缓存目录固定放 /data/cache，系统盘只有 20G",
        (("/data/cache", "20G"),),
        (),
    ),
    ("web/ 目录归前端组，改之前要先跟阿珍打招呼", (("web/", "前端组"),), ()),
    ("写得不错，以后都这样写", (), ()),
    ("试过 WebGL2，安卓低端机会花屏，所以渲染这块一直用 WebGL1", (("WebGL2", "花屏", "WebGL1"),), ()),
    ("这个先放着。发版时间改了，推迟到 4 月 10 号，市场那边还没准备好", (("发版", "2026-04-10"),), ()),
    ("数据集 v3 有标注错误，训练一律用 v4。帮我把 run 17 的曲线画一下", (("v3", "v4"),), ("run 17",)),
    ("我看不懂太长的解释，回答请用要点，三条以内，哪个项目都一样", (("要点",),), ()),
    ("要不要全部换成 pnpm？算了，不换了", (), ("pnpm",)),
    ("单元测试里不要 mock 时间，把 now 当参数传进去", (("now", "参数"),), ()),
    ("上线前必须先在灰度环境跑一天，这是和老板约好的", (("灰度", "一天"),), ()),
    ("谢谢。文档在语雀的“支付-对接”里，以那份为准", (("语雀",),), ()),
    ("早。这个项目是老王交接给我的，渲染相关的问题找他。先帮我把目录讲一下", (("老王", "渲染"),), ("目录讲",)),
    ("单位统一是米，类型 double，只有界面层才转成英尺", (("米", "double", "英尺"),), ()),
    ("lint 跑 `scripts/lint.sh -q`，不加 -q 会打出几千条没人管的警告", (("scripts/lint.sh -q", "警告"),), ()),
    ("缓存最大 1.5G，平板只剩 2G 空间了，超过会被系统清掉", (("1.5G", "平板"),), ()),
    ("新的瓦片服务地址是 https://tiles.example.org/v4 ，v3 六月一号下线", (("tiles.example.org/v4",),), ()),
    ("要不要改成异步的？你怎么看", (), ("异步",)),
    ("算了不改了。对了，GPS 轨迹只保留 30 天，到期由隐私任务删除", (("30 天", "隐私"),), ()),
    ("PR 里凡是涉及界面的都要附截图，不然评审不看", (("截图", "评审"),), ()),
    ("rtree 2023 年用过，断电会损坏索引，设备上别再用了", (("rtree", "断电"),), ()),
    ("这两个 json 库是故意分开的：网络用 serde，大文件用 simdjson", (("serde", "simdjson"),), ()),
    ("周四演示，地图临时从波尔图开始", (), ("波尔图",)),
    ("导入器是佐娅在维护，离线格式有任何改动都得先给她看", (("佐娅", "离线格式"),), ()),
    ("看门狗在所有正式版本里都必须开着，论坛上那个关掉的办法不要用", (("看门狗",),), ()),
    ("给诊所的内测两周后开始，邀请由诺尔发", (("内测", "2026-03-18", "诺尔"),), ()),
    ("帮我解释一下卡尔曼滤波", (), ("卡尔曼",)),
    ("别写没用的注释，代码自己能说明白", (("注释",),), ()),
    ("把这个函数拆成两个，名字你定", (), ("拆成",)),
    ("最低支持 iOS 16，不要写更老版本的兼容代码", (("iOS 16",),), ()),
    ("给司机看的时间都是本地时间，存储的一律是 UTC", (("本地时间", "UTC"),), ()),
    ("预发环境换地址了，现在是 http://10.4.0.12:8080 ，旧的已经停用", (("10.4.0.12:8080",),), ()),
    ("csv 用分号分隔，因为意大利的 Excel 只认这个", (("分号", "Excel"),), ()),
)
