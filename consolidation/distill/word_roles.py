"""Word roles: what a word of either language is about, so that a reading of one word serves all of its kind."""

import re
from collections import defaultdict
from functools import lru_cache

_ROLES: dict[str, tuple[str, str]] = {
    # role: (English words, Chinese words)
    "kin": (
        "wife husband son daughter kid kids child children mother mum mom father dad brother sister grandma grandpa gran nephew niece aunt uncle cousin partner twins baby family parents girlfriend boyfriend fiance fiancee in-law ex girls boys eldest youngest grandson granddaughter stepson stepdaughter toddler",
        "妈 爸 爷 奶 外婆 外公 姥 哥 弟 姐 妹 儿子 女儿 孩子 娃 老婆 老公 太太 媳妇 丈夫 妻子 爱人 家里人 双胞胎 孙 侄 舅 姑 姨 叔 伯 表 婆婆 岳 男友 女友 对象 老大 老二 闺女",
    ),
    "pet": (
        "dog dogs cat cats puppy kitten rabbit rabbits parrot hamster horse horses hens fish bird birds pet pets greyhound tortoise gecko ferret ferrets pony canary budgie poodle terrier",
        "狗 猫 兔 鹦鹉 仓鼠 龟 鱼缸 宠物 泰迪 柯基 狸花 橘猫 金毛 边牧 英短",
    ),
    "food": (
        "eat eats drink drinks food milk egg eggs meat fish coffee tea sugar bread cheese beef pork lamb vegan vegetarian wine beer rice nuts onion onions garlic spicy sweet breakfast lunch dinner cook cooks bake mushrooms tomatoes peanut peanuts shellfish gluten dairy butter soup salad dessert chocolate",
        "吃 喝 奶 蛋 肉 鱼 咖啡 茶 糖 面 米 素 酒 辣 葱 蒜 香菜 海鲜 菜 早饭 午饭 晚饭 做饭 忌口 花生 芒果 虾 蟹 豆浆 火锅 口味 甜",
    ),
    "body": (
        "allergic allergy allergies insulin pills pill dose medication doctor dentist gp physio asthma blood pressure knee knees back leg eye eyes ear ears hand hands sleep surgery diabetes diabetic migraine migraines pain skin throat pregnant deaf blind wheelchair rash hives hospital inhaler glasses coeliac celiac heart lungs stomach hip wrist ankle shoulder epilepsy dyslexic height weight",
        "过敏 药 胰岛素 医生 大夫 牙医 哮喘 血压 血糖 膝盖 腰 腿 眼 耳 手术 糖尿病 头疼 皮肤 怀孕 疹 医院 体检 失眠 近视 色弱 肠胃 心脏 颈椎 痛风 身高 体重",
    ),
    "day": (
        "monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays sundays weekday weekdays weekend weekends mornings evenings nights afternoons",
        "周一 周二 周三 周四 周五 周六 周日 周末 星期 礼拜 工作日",
    ),
    "often": (
        "always usually never every each often mostly generally normally typically whenever rarely ever daily weekly monthly twice once since still anymore tend rule default only nothing",
        "每 总 都 一般 通常 平时 从不 从来 一直 常 习惯 向来 一律 固定 只 老是 默认 天天 回回 次次 多年 以来 从小",
    ),
    "hence": (
        "now henceforth future permanently good switched switch changed moved instead longer quit gave stopped started became turned",
        "以后 今后 从今 往后 起 改 换 不再 戒 搬 转 开始",
    ),
    "passing": (
        "today tonight tomorrow yesterday morning just again currently moment soon later week weekend minute",
        "今天 今晚 明天 昨天 昨晚 刚 刚才 现在 正在 一会 待会 马上 等下 最近 又",
    ),
    "once": ("time once trip occasion", "这次 这回 这趟 本次 这份 这篇 暂时"),
    "self": ("i i'm i've i'd i'll me my mine myself we we're we've our us ours", "我 我们 咱 自己 本人"),
    "you": ("you your you're you've yours you'll", "你 您"),
    "third": ("he she they his their her him them it its he's she's they're", "他 她 它 人家 别人"),
    "have": ("have has got own keep keeps had owns", "有 养 带 开 用"),
    "feel": (
        "feel feels feeling felt happy sad glad love loved amazing wonderful great beautiful excited proud grateful fun special hope support inspiring peace joy tired bored hungry thankful awesome lucky nice",
        "开心 高兴 难过 心情 感觉 觉得 幸福 感动 喜悦 美 真好 棒 期待 累 烦 无聊 感谢 谢谢 快乐 加油",
    ),
    "like": (
        "like likes prefer prefers hate hates stand dislike fond favourite favorite enjoy rather bear",
        "喜欢 爱 讨厌 受不了 偏好 宁愿 最爱 烦 怕 不要 别",
    ),
    "ask": (
        "what which who when where why how can could would should do does did is are please tell give show find book write make fix add send check explain translate summarise summarize",
        "什么 哪 谁 怎么 几 吗 呢 多少 请 帮 给我 查 写 做 订 推荐 为什么 能不能 翻译 总结",
    ),
    "no": ("no not never don't can't won't doesn't isn't without nothing none cannot didn't", "不 没 别 无 非"),
    "work": (
        "work works job office boss manager team client clients customer customers shift shifts meeting meetings project code deploy release invoice supplier shop school class students company colleague report reports teach nurse teacher freelance studio",
        "工作 上班 公司 老板 组 团队 客户 班 会 项目 代码 上线 发布 报销 供应商 店 学校 同事 进货 值班 老师 护士 工作室",
    ),
    "tool": (
        "editor python java rust go linux windows mac vim port database server repo laptop phone app printer branch commit tests keyboard machine",
        "编辑器 端口 数据库 服务器 仓库 电脑 手机 软件 打印机 分支 键盘",
    ),
    "reply": (
        "answer answers reply replies sentences sentence bullet bullets emoji emojis short shorter long tone language english french german spanish format table tables units spelling",
        "回答 回复 句 简短 表情 语气 英文 中文 格式 表格 单位 列表 标点",
    ),
    "travel": (
        "train trains flight flights plane hotel hotels seat aisle window bus buses car bike drive fly airport trip travel ticket licence license ferry passport bunk",
        "高铁 飞机 航班 酒店 座 靠窗 过道 公交 地铁 骑车 开车 机场 出差 票 驾照 火车 护照",
    ),
    "name": ("name named called call names", "叫 名字 名叫 称呼 姓"),
    "live": (
        "live lives living moved born from address flat house street floor apartment home",
        "住 搬 老家 出生 家在 楼 小区",
    ),
    "if": (
        "if suppose imagine maybe perhaps might could assume pretend whether probably guess",
        "如果 假如 要是 也许 可能 说不定 考虑 假设 听说 据说 好像",
    ),
    "said": ("said says say told tells according asked thinks claims", "说 讲 告诉 写着 认为"),
    "pastime": (
        "play plays read reads run swim paint sing collect knit learn learning study train club choir band lessons garden chess guitar piano",
        "弹 拉 读 跑 游泳 画 唱 收集 学 练 下棋 打球 钓 爬山 种",
    ),
    "money": (
        "pay budget cost limit euros dollars pounds rent mortgage salary save bank price cash card",
        "钱 元 块 预算 房贷 工资 存 银行 付 万",
    ),
    "ail": ("makes gives upsets hurts keeps bloats triggers", "难受 睡不着 拉肚子 起疹 晕 肿 痒"),
}
_ENGLISH: dict[str, list[str]] = defaultdict(list)
for _role, (_words, _) in _ROLES.items():
    for _word in _words.split():
        _ENGLISH[_word].append(_role)
_CHINESE = {role: re.compile("|".join(map(re.escape, words.split()))) for role, (_, words) in _ROLES.items()}
_WORD = re.compile(r"[a-z'-]+")


@lru_cache(maxsize=4096)
def roles(text: str) -> frozenset[str]:
    """The roles of the text's words, and what their endings say of when it happens."""
    found: set[str] = set()
    for word in _WORD.findall(text.lower()):
        found.update(_ENGLISH.get(word, ()))
        if len(word) > 4 and word.endswith(("ed", "ing")):
            found.add("ed" if word.endswith("ed") else "ing")
    if not text.isascii():
        found.update(role for role, pattern in _CHINESE.items() if pattern.search(text))
    if re.search(r"\d", text):
        found.add("number")
    if re.search(r"[A-Z][a-z]", text[2:]):
        found.add("proper")
    return frozenset(found)
