# ruff: noqa: E501 - a dictionary reads better in few lines
"""Chinese words of the trade and their English ones: whether a Chinese sentence is about what an English one said."""

from __future__ import annotations

import re

from scrubjay.search.tokens import index_terms

_TABLE = """
日志 log|夜间 nightly|每晚 nightly|构建 build|编译 compile build|打包 package build|测试 test|单测 unit test|单元 unit|集成 integration|回归 regression|冒烟 smoke
部署 deploy|发布 release|发版 release|上线 launch release|灰度 canary|回滚 rollback|封版 freeze|冻结 freeze|截止 deadline due|交稿 due submit|提交 commit submit|合并 merge
分支 branch|标签 tag label|版本 version|依赖 dependency|接口 api endpoint interface|服务 service|网关 gateway|端口 port|域名 domain host|主机 host|地址 address url|服务器 server
数据库 database|数据 data|库 database|表 table|字段 field column|索引 index|迁移 migration|备份 backup|缓存 cache|队列 queue|消息 message|主题 topic|会话 session|令牌 token
仿真 simulation|模拟 simulation|输出 output|输入 input|盘 disk drive|磁盘 disk|目录 directory folder|文件夹 folder|文件 file|路径 path|存储 storage|网盘 share drive
实验 experiment campaign trial|外场 field campaign|试验 trial experiment|航次 cruise|训练 training train|模型 model|推理 inference|评估 evaluation|数据集 dataset|标注 annotation label|特征 feature
清洗 cleaning clean|标定 calibration|校准 calibration|采样 sampling sample|采样率 rate|传感器 sensor|浮标 buoy|水槽 tank|固件 firmware|板子 board|硬件 hardware|烧录 flash|通道 channel|电池 battery
间隔 interval|上报 report send|频率 frequency rate|周期 period|超时 timeout|重试 retry|上限 limit|配额 quota|阈值 threshold|精度 precision
前端 frontend|后端 backend|客户端 client|移动端 mobile|小程序 miniprogram|页面 page|登录 login|注册 signup|支付 payment|订单 order|计费 billing|账单 billing invoice|发票 invoice|退款 refund|风控 risk
搜索 search|推荐 recommendation|渲染 rendering render|地图 map|视频 video|音频 audio|图片 image|镜像 image|容器 container|集群 cluster|节点 node|机房 datacentre|云 cloud
监控 monitoring monitor|告警 alert|看板 dashboard board|大盘 dashboard|面板 dashboard panel|仪表盘 dashboard|指标 metric|工单 ticket|单子 ticket|需求 requirement|缺陷 bug|文档 documentation doc wiki|手册 manual|规范 spec standard|设计稿 design
例会 meeting|周会 meeting|评审 review|代码 code|审查 review|审批 approval|负责人 owner|负责 own|值班 oncall|前缀 prefix|命名 naming name|注释 comment|提交信息 commit message|工单号 ticket
密钥 key secret|证书 certificate|权限 permission|账号 account|用户 user|客户 customer client|合作方 partner|供应商 vendor|法务 legal|财务 finance|安全 security|审计 audit|合规 compliance
论文 paper manuscript|摘要 abstract|修改稿 revision manuscript|图 figure|投稿 submission|会议 conference workshop|演示 demo|年会 conference|展会 fair|考试 exam|学期 term
海关 customs|海试 trial|展览 exhibition|合约 contract|退税 tax|税 tax|薪资 payroll|工资 payroll|保险 insurance|航运 shipping|港口 port|船 ship|地震 seismic|气象 weather|天气 weather|机库 hangar|温室 greenhouse|春季 spring|秋季 autumn fall|夏季 summer|冬季 winter|国庆 national|季度 quarter|预算 budget|合同 contract|许可证 licence license|续费 renewal
游戏 game|关卡 level|资源 asset|贴图 texture|着色器 shader|物理 physics|服 server|货币 currency|金额 amount|价格 price|库存 stock inventory|仓库 warehouse repository|物流 shipping|门店 store shop
机器人 robot|机械臂 arm|电机 motor|无人机 drone|卫星 satellite|车 vehicle|诊所 clinic|病人 patient|病历 record|医院 hospital|航班 flight|学生 student|课程 course
崩溃 crash|报告 report|错误 error|密码 password|站点 site|网站 site website|车票 ticket|票价 fare price|乘客 rider passenger|司机 driver|车站 station stop|线路 line route|时刻表 timetable|延误 delay|推送 push|通知 notification|提醒 reminder|静默 quiet|时段 hour
二维码 qr|扫码 scan|打印 print|打印机 printer|植物 plant|种子 seed|商店 shop|客服 support|优惠券 coupon voucher|折扣 discount|快递 courier|包裹 parcel|运费 shipping|邮件 mail email|短信 sms|语言 language|翻译 translation|文案 wording|颜色 colour color|字体 font|图标 icon|按钮 button|首页 home
菜单 menu|过滤 filter|排序 sort|导出 export|导入 import|脚本 script|定时 cron|任务 job task|分页 page|水印 watermark|合规 compliance|采购 purchasing|供货 supply supplier|退货 return|会员 member|积分 point|收银 till checkout|结账 checkout|购物车 cart|目录册 catalogue
测试环境 staging|预发 staging|生产 production|线上 production|本地 local|正式 production|暂存 staging|沙箱 sandbox|内网 internal|跳板 bastion
北京 beijing|上海 shanghai|深圳 shenzhen|广州 guangzhou|杭州 hangzhou|香港 hongkong|台北 taipei|东京 tokyo|大阪 osaka|冲绳 okinawa|首尔 seoul|新加坡 singapore|伦敦 london|巴黎 paris|柏林 berlin|慕尼黑 munich|苏黎世 zurich|纽约 york|旧金山 francisco|西雅图 seattle|悉尼 sydney|法兰克福 frankfurt|奥斯陆 oslo
"""
_WORDS = {
    row.split()[0]: frozenset(term for word in row.split()[1:] for term in index_terms(word))
    for line in _TABLE.split("\n")
    for row in line.split("|")
    if row.strip()
}
_FIND = re.compile("|".join(sorted(_WORDS, key=len, reverse=True)))
_CHINESE: dict[str, list[str]] = {}
for _word, _terms in _WORDS.items():
    for _term in _terms:
        _CHINESE.setdefault(_term, []).append(_word)


def english_of(low: str) -> list[frozenset[str]]:
    """For each known word in a plain Chinese text, the search terms of its English ones, in order, each once."""
    return list(dict.fromkeys(_WORDS[match.group()] for match in _FIND.finditer(low)))


def chinese_of(term: str) -> list[str]:
    """The known Chinese words that an English search term may stand for."""
    return _CHINESE.get(term, [])
