# ruff: noqa: E501 - word lists read better in few lines
"""Words that are not what a statement is about: those of change, and those that name a kind of thing."""

from __future__ import annotations

from scrubjay.learn.rules.words import stem


def _stems(text: str) -> frozenset[str]:
    return frozenset(map(stem, text.split()))


CUES = _stems(
    """now instead moved moves move switched switch migrated replaced renamed changed change anymore longer postponed delayed pushed
    slipped extended closed deprecated retired gone dead off back forward after updated update correction new old previously formerly
    today tomorrow yesterday next last this that coming onwards effective starting again still already later earlier week weeks day
    days month please remember note fyi everyone everything because since due table shut down cancelled dropped took take takes over
    was were been being will shall also too just only really actually 现在 以后 开始 起归 原来 之前 改为 改成 换成 搬到 推迟 延期 作废 取消
    不再 从现 在起 今天 即日 日起 已经 目前 一律 统一 注意 记住 后都 为准"""
)
"""Words that say that something changed, or when: no part of what a statement is about."""
WEAK = _stems(
    """date port host hosts way name names version number endpoint address url link run runs use uses used using build test tests listen
    listens live lives start starts end ends begin begins keep kept go goes went change set stay stays time line every lab local
    project file files code folder directory path server service services system machine box app application team person people
    owner owned responsible contact ask question questions stuff thing things work works job jobs task tasks page place store stored
    stores put write written read open find found called call named prefix prefixes format value limit timeout interval max maximum
    minimum at most least command script scripts tool tools deadline due release handed submit send sent hold held meet meeting meetings
    make made need needs must should can get gets per each all between under over via require required requires allow allowed
    handle handles own owns look looks care charge review reviews reviewed sign signs approve approves expire expires retain retained
    default main data item items user users group one two three first second side
    端口 监听 地址 开始 负责 使用 时间 日期 截止 文件 目录 服务 问题 任务 项目 代码 前缀 名字 版本 保留 保存 存放 放在 写到 输出 负责人 责人 联系
    上线 提交 审核 维护 管理 部分 模块 这块 相关 每周 每天 每月 超时 上限 限制 间隔 命令 脚本 测试 环境"""
)
"""Words that name a kind of thing, not the thing: two statements that share nothing else are about two things."""
