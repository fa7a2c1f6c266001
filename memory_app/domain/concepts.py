"""What everyday words are about, in both languages, so that a question meets a memory that shares no word with it.

A memory about "overnight stays" answers a question about hotels, and 「座位」 meets "aisle". Vectors see some of
this, short texts least; a table of broad fields of life is exact, the same on every machine, and can be read.
"""

import re
from collections.abc import Collection
from functools import lru_cache

from memory_app.domain.words import fold, is_stop_word, segments, stem, words

# Field: its words. Chinese entries are found anywhere in the text, the others as whole stems or phrases.
_FIELDS = {
    "home": "live lives home based reside apartment flat house address hometown located stay 住 住在 居住 家住 老家 家在 常驻 "
    "驻场 定居 搬家 租房 城市 on-site onsite",
    "workplace": "work working office job employer company workplace on-site onsite desk commute 上班 工作 公司 办公 单位 驻场 "
    "任职 就职 通勤 远程办公 居家办公",
    "occupation": "job career profession occupation work works engineer nurse teacher doctor designer developer lawyer "
    "accountant driver manager 职业 工作 从事 当医生 教师 老师 工程师 护士 设计师 律师 会计 行业 干什么",
    "food": "eat eats food meal meals lunch dinner breakfast supper restaurant restaurants kitchen cook dish snack cuisine diet "
    "vegetarian vegan spicy steak soup bread fruit dessert seafood shellfish meat order menu cheese dairy lactose gluten nut nuts "
    "peanut peanuts egg eggs sandwich pizza pasta rice noodles salad burger sushi chocolate cake mushroom mushrooms "
    "cafe canteen bistro dine dining takeaway takeout catering buffet 餐馆 饭馆 菜馆 食堂 酒楼 聚餐 夜宵 点菜 做饭 下厨 荤 素 乳糖 奶酪 芝士 麸质 坚果 "
    "鸡蛋 三明治 披萨 米饭 沙拉 蛋糕 巧克力 香菜 蘑菇 牛肉 羊肉 猪肉 鸡肉 零食 吃 吃饭 饭 餐 菜 点餐 "
    "午饭 晚饭 早饭 早餐 午餐 晚餐 餐厅 饭店 口味 素食 吃素 吃辣 海鲜 忌口 甜品 水果 面条 火锅 外卖 食物 肉 鱼 虾 蛋 奶 豆 花生",
    "avoidance": "avoid allergic allergy allergies intolerant intolerance mustn't cannot hate hates dislike dislikes migraine "
    "migraines watch careful beware restriction restrictions forbidden 过敏 忌口 忌 不吃 不能 不要 别 避免 注意 讨厌 不喜欢 禁忌 "
    "起疹子 受不了",
    "drink": "drink drinks drinking beverage coffee tea latte americano juice water beer wine milk 喝 饮料 咖啡 茶 拿铁 美式 果汁 "
    "啤酒 酒 牛奶 豆浆 caffeine decaf espresso cola soda cocktail whisky 奶茶 可乐 白酒 红酒 咖啡因 饮品",
    "seat": "seat seats seating aisle window corridor row cabin berth 座位 位子 座 靠窗 靠过道 过道 走道 窗边 前排 后排 选座 铺位",
    "flight": "flight flights fly flying plane airplane airline airport boarding red-eye 航班 飞机 机票 登机 机场 红眼 早班 晚班 "
    "飞行 乘机",
    "train": "train trains rail railway carriage quiet-car metro subway 火车 高铁 动车 列车 车厢 铁路 地铁",
    "hotel": "hotel hotels room lodging accommodation hostel overnight check-in suite motel inn guesthouse 套房 大床 双床 旅馆 旅店 客栈 下榻 酒店 宾馆 住宿 订房 房间 入住 民宿 高楼层 房型",
    "trip": "trip trips travel travels traveling vacation holiday tour luggage baggage bag bags suitcase pack packing visit visited "
    "journey 旅行 旅游 出差 行程 出行 度假 行李 托运 去玩 外出 景点",
    "car": "car drive drives driving parking park taxi vehicle rental motorway petrol garage bike bicycle cycling bus 车 开车 停车 打车 出租 驾驶 自行车 骑车 公交 租车 自驾 加油 车库",
    "money": "budget cap price fee fees salary wage rent deposit discount cost costs limit amount usd eur cny dollar dollars yuan spend expense expenses cheap expensive pay "
    "预算 价格 单价 费用 金额 上限 元 美元 报销 花费 工资 薪水 押金 房租 折扣 多少钱 标准 便宜 贵",
    "human language": "speak speaks language languages fluent bilingual translate english chinese french german spanish japanese "
    "portuguese italian korean russian 语言 会说 说 中文 英文 英语 日语 法语 德语 韩语 西班牙语 普通话 粤语 口语 外语",
    "programming": "programming code coding python rust java javascript typescript golang compiler framework library repo 编程 代码 "
    "编程语言 框架 仓库 源码",
    "editor": "editor ide vim emacs vscode 编辑器 开发工具",
    "database": "database databases db sql postgresql postgres mysql sqlite mongodb redis schema table 数据库 库 建表 表结构 主库 "
    "从库 存储",
    "deployment": "deploy deploys deployment release releases rollout ship launch rollback production 部署 发布 发版 上线 回滚 灰度 "
    "生产环境",
    "checkout": "till register checkout cashier terminal 收银机 收银台 收银 收款台 收款机 结账 结算 刷卡机",
    "software": "software app apps application applications tool tools program programs platform 软件 工具 应用 程序 平台 客户端",
    "delivery": "parcel parcels delivery deliveries courier deliver shipment shipments 快递 包裹 送货 派送 物流 收货",
    "repair": "repair repairs mend maintenance 维修 修理 保养 检修 送修",
    "plants": "plant plants garden flower flowers bonsai hedge lawn watering 植物 花草 盆栽 盆景 浇水 绿植 园艺",
    "bank": "bank account loan mortgage credit debit transfer 银行 贷款 房贷 信用卡 转账 还款 存款",
    "sleep": "sleep sleeps bedtime nap insomnia asleep pillow mattress 睡 睡觉 睡眠 失眠 午睡 午休 入睡 起床 枕头 床垫",
    "medicine": "medicine medication pill pills dose doses dosage units insulin tablet tablets capsule capsules prescription inhaler antibiotic antibiotics painkiller painkillers ibuprofen aspirin metformin glargine vitamin vitamins 吃药 服药 剂量 胰岛素 药片 胶囊 抗生素 止痛药 降压药 布洛芬 阿司匹林 二甲双胍 维生素 药 处方",
    "failure": "freeze freezes frozen hang hangs stuck jammed 死机 卡住 卡死 黑屏 失灵 打不开 error errors fail fails failed failure broke broken bug crash crashed issue issues problem wrong outage down leak "
    "leaks timeout 报错 错误 失败 故障 宕机 异常 问题 毛病 坏 漏 崩溃 超时 出错",
    "music": "music song songs jazz rock piano guitar violin cello band concert singer listen 音乐 歌 听歌 曲 乐器 钢琴 吉他 小提琴 "
    "演唱会 爵士 古典",
    "reading": "read reads reading novel novels author library 看书 阅读 小说 书 读书 作者",
    "film": "film films movie movies cinema series documentary actor 电影 影片 电视剧 剧 纪录片 演员",
    "sport": "sport sports run runs running ran race marathon gym fitness swim swimming football basketball tennis player team hike "
    "hiking yoga exercise climb 运动 跑步 健身 游泳 足球 篮球 球 比赛 马拉松 徒步 爬山 瑜伽 锻炼 球员",
    "hobby": "hobby hobbies pastime leisure weekend spare-time collect collects garden gardening paint painting pottery photography "
    "爱好 兴趣 业余 休闲 收藏 园艺 画画 摄影 养花 钓鱼 下棋",
    "pet": "pet pets dog dogs cat cats puppy kitten parrot 宠物 狗 猫 养了 鹦鹉 柯基 兔子",
    "child": "child children kid kids son daughter baby toddler school 孩子 小孩 儿子 女儿 宝宝 亲子 上学 幼儿园",
    "health": "health doctor hospital medicine blood headache stomach sick ill checkup pressure sleep 健康 医生 医院 药 体检 血压 "
    "生病 头疼 胃 睡眠 看病",
    "papers": "passport visa licence license permit certificate nationality citizenship identity 护照 签证 证件 许可证 驾照 国籍 证书",
    "clothes": "clothes shirt shoe shoes size jacket wear wears dress 衣服 鞋 尺码 穿 外套 裤子 衬衫",
    "colour": "color colour colors colours palette 颜色 色 主色 配色",
    "look": "theme dark light font wallpaper interface 主题 深色 浅色 暗色 界面 字体",
    "reply style": "reply replies answer answers response tone concise brief detailed style format wording 回复 回答 语气 简短 详细 "
    "风格 格式 措辞",
    "membership": "member members membership tier loyalty 会员 积分 金卡 银卡 白金卡 常旅客",
    "booking": "booking bookings reservation reservations appointment appointments 预约 预订 预定 订位 挂号",
    "meeting": "meeting meetings sync standup appointment calendar invite invitation agenda call calls conference 会议 通话 电话会 开会 例会 周会 站会 日程 约见 邀请",
    "contact": "email mail phone call contact message reach newsletter 邮件 电话 联系 短信 消息 微信",
    "working time": "morning noon evening night midnight bedtime hours schedule timetable wake early late o'clock 早上 晚上 几点 时间 作息 早起 熬夜 睡前 中午 傍晚 半夜 凌晨 上午 "
    "下午",
    "study": "study studies university degree course learn learning graduated exam 学习 大学 课程 专业 毕业 考试 学位",
    "name": "name named nickname surname 名字 姓名 叫 昵称 称呼",
    "birthday": "birthday born birth age gift present anniversary 生日 出生 年龄 岁 礼物 纪念日",
    "network": "vpn gateway router proxy network wifi firewall port dns 网关 路由 网络 代理 端口 防火墙",
    "access": "password credential credentials access login account permission trial badge key keys 密码 凭据 权限 登录 账号 试用 "
    "门禁",
    "purchase": "order orders buy bought purchase invoice refund refunds supplier contract shipping delivery 订单 购买 采购 发票 退款 "
    "供应商 合同 发货 买",
    "report": "report reports slide slides chart document template summary minutes 报告 周报 幻灯片 图表 文档 模板 总结 纪要 海报",
    "decision": "decided decision decide agreed agree chose chosen picked settled approved 决定 决议 确定 敲定 选定 定下 商定 谈定 "
    "约定 结论 方案 选型 定为",
}  # fmt: skip


_PHRASES = {
    "avoidance": re.compile(
        r"\b(?:ca|wo|do|does|must|should|may)n'?t\b.{0,30}\b(?:eat|drink|have|touch|use|take|wear|stand|bear|serve|served|given)\b|"
        r"\b(?:can|must|should|may|do|does) ?not\b.{0,30}\b(?:eat|drink|have|touch|use|take|wear|stand|bear|serve|served|given)\b|"
        r"\b(?:stay|keep|steer) (?:away|clear|off)\b|\boff limits\b|不(?:能|可以|可|让|许|准|宜)(?:吃|喝|碰|沾|用|穿|进)|碰不得|吃不得"
    ),
    "occupation": re.compile(r"\bfor a living\b|\bwhat do (?:i|we) do\b|做什么的|干什么的|干哪行|做哪行"),
    "sleep": re.compile(
        r"\b(?:gets?|getting|got|wakes?|waking|woke) up\b|\b(?:go|goes|going|went) to bed\b|(?:叫|睡)醒"
    ),
    "car": re.compile(r"\bhow do (?:i|we) (?:get|go) to\b|(?:怎么|如何)(?:去|到)(?!了)|上下班"),
    "home": re.compile(r"\bwhere (?:am i|do i) (?:from|live|based|stay)|(?:我|家)在哪"),
}


_AVOIDED = re.compile(r"\ballerg|\bintoleran|\bdietary (?:restriction|requirement|need)|过敏|忌口|忌讳|禁忌")
_MAY = re.compile(
    r"\b(?:can|could|may|should) (?:i|we|he|she|they) (?:eat|drink|have|try)\b|(?:能|可以|可不可以|能不能)(?:吃|喝)"
)


def _by_word() -> tuple[dict[str, frozenset[str]], dict[str, frozenset[str]]]:
    stems: dict[str, set[str]] = {}
    runs: dict[str, set[str]] = {}
    for field, entries in _FIELDS.items():
        for entry in entries.split():
            if entry.isascii():
                stems.setdefault(stem(entry), set()).add(field)
            else:
                runs.setdefault(fold(entry), set()).add(field)
    return (
        {word: frozenset(fields) for word, fields in stems.items()},
        {word: frozenset(fields) for word, fields in runs.items()},
    )


_STEMS, _RUNS = _by_word()


_WORDS_OF = {
    field: frozenset(word for table in (_STEMS, _RUNS) for word, fields in table.items() if field in fields)
    for field in _FIELDS
}
# What is seen in the text alone: phrases, and words that are no search words because they are stop words.
_SEEN_IN_TEXT = {
    field: re.compile("|".join([*stops, *([_PHRASES[field].pattern] if field in _PHRASES else [])]))
    for field, own in _WORDS_OF.items()
    if (stops := sorted(filter(is_stop_word, own))) or field in _PHRASES
}


def may_touch(text: str, tokens: Collection[str], fields: frozenset[str]) -> bool:
    """False where a text with these search words touches none of the fields for certain; far cheaper than to look."""
    if any(not _WORDS_OF[field].isdisjoint(tokens) for field in fields):
        return True
    seen = [_SEEN_IN_TEXT[field] for field in fields if field in _SEEN_IN_TEXT]
    return bool(seen) and any(pattern.search(fold(text)) for pattern in seen)


@lru_cache(maxsize=8192)
def concepts(text: str) -> frozenset[str]:
    """The fields of life that a text touches."""
    found: set[str] = set()
    # One character counts only where it stands as a word: the 酒 of 酒店 is no drink.
    for word in [*(word for word in words(text) if len(word) > 1), *segments(text)]:
        found |= _STEMS.get(word, frozenset()) | _RUNS.get(word, frozenset())
    folded = fold(text)
    return frozenset(found) | {field for field, pattern in _PHRASES.items() if pattern.search(folded)}


def asked_fields(question: str) -> frozenset[str]:
    """The fields of life of a question: whether one may eat a thing is told by what one has to avoid."""
    return concepts(question) | ({"avoidance"} if _MAY.search(question) else frozenset())


def is_avoidance(question: str) -> bool:
    """What somebody may not have or keeps away from is asked for, in so many words."""
    return bool(_PHRASES["avoidance"].search(question) or _AVOIDED.search(question))
