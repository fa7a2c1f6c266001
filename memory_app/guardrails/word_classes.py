"""Word classes: what a word of either language does in a sentence that steers an agent.

The same class stands for English and Chinese words, so that a sentence is read as a row of roles (who is addressed, which
act is asked, what is waived, for how long, on whose word) whatever its words are. English is matched by stems.
"""

import re
from functools import lru_cache

_CLASSES: dict[str, tuple[str, str]] = {
    "agent": (
        "assistant agent bot chatbot model ai llm machine helper copilot claude gpt system",
        "助手 代理 机器人 模型 智能体 机器 客服 系统",
    ),
    "you": (
        "you your yours yourself",
        "你 您 你们",
    ),
    "who": (
        "whoever anyone anybody everyone everybody nobody",
        "谁 任何人 凡是 大家 没人 没有人 别人 人人",
    ),
    "other": (
        "other others' another else neighbour colleague tenant member guest customer client user patient",
        "别的 其他 他人 邻居 同事 租户 会员 客人 客户 用户 病人 顾客 户主",
    ),
    "chief": (
        "admin administrator operator owner developer engineer maker supervisor manager director auditor legal compliance ceo treasurer bank vendor supplier provider head board",
        "管理员 运营 开发 工程师 主管 经理 老板 总部 董事会 出纳 财务 审计 法务 合规 银行 供应商 服务商 领导 业主",
    ),
    "rule": (
        "rule polic instruct guideline guidance handbook manual briefing prompt restriction limit cap ceiling guardrail law regulation safety filter upbringing duty duties",
        "规则 政策 指令 说明 守则 手册 交代 提示词 限制 限额 上限 护栏 规定 规矩 规范 安全 过滤 法律 法规 店规 约束 义务",
    ),
    "check": (
        "check verif confirm approv review sign signature proof identit question authent factor consent audit inspect look glance eyes opinion ask permission block",
        "核 验 查 确认 批 审 签 证明 身份 盘问 同意 过目 看一眼 问 许可 复核 手续 冻结 拦",
    ),
    "without": (
        "no not without never none nothing nor skip spare drop omit exempt waive needless unneed free stop end lapse off unseen",
        "不 别 没 无 免 跳过 省 莫 勿 甭 不用 不必 不需要 用不着 取消 失效 作废 关掉 关 去掉 停",
    ),
    "hide": (
        "hide hidden quiet secret silent silence unmention discreet discretion conceal mention tell notice hear know scrub blank erase lose lost erased delete",
        "隐 瞒 悄悄 偷偷 悄没声 不提 别提 声张 吭声 露 惊动 知道 看出来 察觉 发现 抹 清空 删 丢",
    ),
    "money": (
        "pay paid payment payout refund wire transfer charge money fund invoice bill card wallet deposit cash fee discount price spend purchase purse",
        "付 钱 款 退款 转账 汇 扣 账单 发票 卡 钱包 押金 费 折扣 价格 限额 报销 打款",
    ),
    "data": (
        "file record archive data log entries entry list message mail conversation chat thread history note memory memories booking order contract calendar",
        "文件 档案 记录 数据 日志 名单 消息 邮件 聊天 对话 历史 备注 记忆 订单 合同 日程 预订 资料",
    ),
    "secret": (
        "token password code key credential vault environment secret env",
        "令牌 密码 验证码 码 密钥 钥匙 凭据 金库 保险柜 环境变量 公钥",
    ),
    "show": (
        "reveal show read recite paste print quote disclose expose list hand pass share open display dump",
        "念 给看 贴 打出来 透露 公开 交 传 调 看到 展示 转告 输出",
    ),
    "send": (
        "send forward post upload copy copies mirror export cc bcc email",
        "发 传 转发 抄送 密送 寄 上传 导出 副本",
    ),
    "grant": (
        "grant right access admin root full everything power scope permission outrank staff",
        "权限 权 全部 最高 开放 特权 所有 等同 等于",
    ),
    "trust": (
        "trust believe believed word law binding true right say-so official gospel vouch verified cleared approved",
        "信 信任 可信 说了算 点头 为准 作准 算数 照办 算 视为 当作 当成 认 作保",
    ),
    "obey": (
        "obey obeys follow comply do does oblige serve act side",
        "听 服从 照做 照 配合 遵 听话",
    ),
    "always": (
        "always every each whenever forever automatically regardless whatever once everytime",
        "总是 一律 每次 每 始终 凡 永远 一 都 全 只要 无论 不管 自动",
    ),
    "hence": (
        "now henceforth today future later onwards on",
        "以后 今后 从今 从现在 起 之后 往后 下次 将来 后续",
    ),
    "run": (
        "run execute call invoke curl install command shell script tool sudo",
        "运行 执行 调用 跑 安装 脚本 命令 工具",
    ),
    "push": (
        "recommend praise favour rank mention promote plug link coupon nudge best first top win competitor rival compare score",
        "推荐 夸 排 排第一 胜出 推 链接 券 广告 竞争对手 好话 打分 最高分 劝",
    ),
    "flaw": (
        "complain complaint warning risk fault recall side outage incident clause criticism print",
        "投诉 警告 风险 副作用 召回 故障 事故 条款 差评 小字 缺陷",
    ),
    "forget": (
        "forget ignore disregard override bypass replace supersede outdated obsolete",
        "忘 忽略 无视 绕过 不管 不理 靠边站 过期 过时 替代 草稿",
    ),
    "role": (
        "act pretend role mode become imagine behave play speak persona name",
        "扮 假装 模式 角色 当 成为 想象 名义",
    ),
    "claim": (
        "agreed settled decided blessed promised confirmed discussed customary arranged told",
        "说好 说定 商量 已经 定了 答应 约好 早就 老规矩 按",
    ),
    "want": (
        "like prefer want wish love enjoy happy please keen appreciate favourite hate dislike",
        "喜欢 希望 想 偏好 偏爱 爱 讨厌 习惯 高兴 满意 开心",
    ),
    "self": (
        "i me my we our us",
        "我 我们 咱",
    ),
    "third": (
        "he she his her him they their user",
        "他 她 他们 用户",
    ),
    "this": (
        "this following below above line note memory paragraph sentence passage",
        "这条 此 本条 以下 下面 这段 这行 本文",
    ),
    "style": (
        "answer reply short brief tone language format bullet english german french source explain summar emoji polite casual",
        "回答 回复 简短 语气 语言 格式 要点 中文 英文 出处 解释 总结 表情",
    ),
    "keep": (
        "only after before unless until first then ask",
        "先 再 才 之前 后 之后 除非 必须",
    ),
    "past": (
        "was were had went did took got last yesterday",
        "了 过 上周 去年 昨天 上个月",
    ),
}  # fmt: skip


def _by_word(column: int) -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for name, words in _CLASSES.items():
        for word in words[column].split():
            found.setdefault(word, []).append(name)
    return {word: tuple(names) for word, names in found.items()}


_ENGLISH, _HAN = _by_word(0), _by_word(1)
_HAN_WORD = re.compile("|".join(sorted(_HAN, key=lambda w: (-len(w), w))))
_PIECE = re.compile(r"[a-z][a-z'-]*|[\u3400-\u9fff]+|[.!?。！？;；,，:：\n]")
_ENDINGS = frozenset(("", "s", "'s", "es", "ed"))
#: A stem of this length may take any ending of up to five letters.
_STEM, _ENDING = 4, 5
STOP, PAUSE = "|", ","


@lru_cache(maxsize=16384)
def _english(word: str) -> tuple[str, ...]:
    for size in range(len(word), min(len(word), _STEM) - 1 if len(word) >= _STEM else 1, -1):
        names = _ENGLISH.get(word[:size])
        ending = word[size:]
        if names and (ending in _ENDINGS or (size >= _STEM and len(ending) <= _ENDING)):
            return names
    return ()


def classes(low: str) -> list[list[str]]:
    """The classes of each clause's words in order, with pauses; `low` is in lower case."""
    clauses: list[list[str]] = [[]]
    for piece in _PIECE.findall(low):
        if piece[0] >= "\u3400" and piece[0] <= "\u9fff":
            for word in _HAN_WORD.findall(piece):
                clauses[-1].extend(_HAN[word])
        elif piece in ",，":
            clauses[-1].append(PAUSE)
        elif piece[0].isalpha():
            clauses[-1].extend(_english(piece))
        else:
            clauses.append([])
    return clauses
