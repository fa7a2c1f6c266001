"""Further words of both languages for the same things of everyday life, and what can be told in one word or in several.

What the lexicon keeps apart by families is told there; here most words have no rival, so that they only make two
wordings meet. A word belongs here when it means this and little else.
"""

import re
from functools import lru_cache

from .sieve import Sieve

WORDS = """
wake = gets up, get up, getting up, is up, wakes up, wake up, waking up, up and about, up and running, 起床, 起身
sleep = goes to bed, go to bed, going to bed, turns in, turn in, goes to sleep, falls asleep, in bed, bedtime, sleeps, sleep, asleep, 上床睡觉, 睡觉, 入睡, 就寝, 上床, 睡
fear.afraid = afraid, scared, frightened, terrified, fear, phobia, panic, 害怕, 恐惧, 惧怕, 畏惧, 怕
fear.at_ease = feels at ease, at ease, at ease around, at ease with, comfortable around, comfortable with, relaxed around, not bothered by
left_handed = left-handed, left-hander, writes with the left hand, uses the left hand, 左撇子, 惯用左手, 左手写字
right_handed = right-handed, right-hander, writes with the right hand, 右撇子, 惯用右手, 右手写字
short_sighted = short-sighted, near-sighted, nearsighted, myopic, 近视
off_work = finishes work, finish work, leaves work, leave work, gets off work, get off work, knocks off, clocks off, clocks out, stops working, 下班, 收工
where.home = at home, from home, 在家, 居家
where.work = at the office, in the office, from the office, at work, 在公司, 在办公室, 在单位
hometown = hometown, home town, 在家乡, 老家, 家乡
pay = pays, pay, paid, paying, 付款, 缴费, 付
rent = rent, 房租, 租金
salary = salary, wages, wage, paycheck, 工资, 薪水, 薪资
parcel = parcels, parcel, packages, 快递, 包裹
takeaway = takeaway, takeout, food deliveries, 外卖
lift = elevator, lifts, 电梯
cook = cooks, cook, cooking, 做饭, 下厨, 烧饭, 烧菜, 烹饪
tidy = cleaning, cleans, tidies, tidying, 打扫, 清扫
gym = gym, fitness centre, fitness center, 健身房
workout = works out, work out, working out, 健身, 撸铁
exercise = exercises, exercise, 锻炼
study = studies, studying, learns, learning, learn, 学习
open_shop = opens its doors, open for business, opens, 开门, 营业
electric_car = electric car, electric vehicle, ev, 电动汽车, 新能源汽车, 新能源车
laptop = laptop, 笔记本电脑, 手提电脑
computer = computer, pc, 电脑, 计算机
mobile = mobile phone, cell phone, cellphone, smartphone, 手机
television = television, tv, telly, 电视机, 电视
flat = flat, apartment, 公寓
garden = garden, yard, 花园, 院子
kitchen = kitchen, 厨房
balcony = balcony, 阳台
cellar = basement, cellar, 地下室
holiday = holidays, holiday, vacation, 假期, 度假, 休假
haircut = haircut, 理发, 剪头发
glasses = glasses, spectacles, 眼镜
named = named, called
food = food, foods, cuisine
headache = headache, 头痛, 头疼
backache = back pain, backache, bad back, 腰痛, 腰疼
intolerant = intolerant, intolerance, 不耐受
pregnant = pregnant, expecting a baby, 怀孕, 有孕
film = films, film, movies, movie, cinema, 电影
novel = novel, 小说
music = music, 音乐
photography = photography, taking pictures, 摄影, 拍照
paint = paints, painting, 画画, 绘画
gardening = gardening, 园艺
knit = knitting, knits, 织毛衣, 编织
fishing = goes fishing, fishing, angling, 钓鱼
ski = skiing, ski, 滑雪
dance = dancing, dances, dance, 跳舞
sing = singing, sings, sing, 唱歌
piano = piano, 钢琴
guitar = guitar, 吉他
violin = violin, 小提琴
cello = cello, 大提琴
drums = drums, 架子鼓
flute = flute, 长笛
bread = bread, 面包
noodles = noodles, 面条
pork = pork, 猪肉
chicken = chicken, 鸡肉
mutton = mutton, lamb, 羊肉
cheese = cheese, 奶酪, 芝士
onion = onion, 洋葱
garlic = garlic, 大蒜
ginger = ginger, 生姜
mango = mangoes, mango, 芒果
strawberry = strawberries, strawberry, 草莓
sesame = sesame, 芝麻
soy = soya, soy, soybean, 大豆
tofu = tofu, 豆腐
honey = honey, 蜂蜜
yoghurt = yoghurt, yogurt, 酸奶
chocolate = chocolate, 巧克力
rabbit = rabbit, 兔子
parrot = parrot, 鹦鹉
hamster = hamster, 仓鼠
tortoise = tortoise, turtle, 乌龟
goldfish = goldfish, 金鱼
freelance = freelances, freelancer, freelance, self-employed, 自由职业者, 自由职业
retired = pensioner, 退休
engineer = engineer, 工程师
lawyer = lawyer, attorney, solicitor, 律师
nurse = nurse, 护士
invoice = invoice, 发票
contract = contract, 合同
deadline = deadline, due date, 截止日期
backup = backups, backup, backs up, 备份
log_file = log files, logs, 日志
indent = indents, indentation, indented, indent, 缩进
tab = tabs, 制表符
space = space, 空格
comment = comments, comment, 注释
document = documents, documentation, docs, 文档
test = tests, testing, test, 测试
quiet = quiet, 安静, 清静
swimming_pool = swimming pool, 泳池, 游泳池
breakfast_included = breakfast included, 含早餐, 含早
upstairs = upstairs, 楼上
wheelchair = wheelchair, 轮椅
motorhome = motorhome, camper van, campervan, 房车
"""

#: One word for what is else told in several, most often as a denial: 失业 and "has no job". Each way of saying it, and
#: one that stands for them all.
_WORDINGS = tuple(
    (re.compile(pattern), plain)
    for pattern, plain in (
        (r"\b(?:is )?an? (?:strict )?vegetarian\b|\b(?:is )?vegetarian\b|吃素(?:的)?|素食(?:者|主义者)?", "does not eat meat"),
        (r"\b(?:eats? no|never eats?|avoids?(?: eating)?) meat\b|(?:从)?不(?:沾|碰)(?:肉|荤腥?)|不吃(?:肉|荤)", "does not eat meat"),
        (r"\b(?:cannot|can't|does(?: not|n't)|unable to) (?:digest|tolerate)\b", "intolerant"),
        (r"恐高症?", "怕高"),
        (r"(?<=[点半分刻])[就才便]?起来", "起床"),
        (r"交(?=[^，。；,;]{0,4}[租费税款])", "付"),
        (r"(?<=[存留攒省剩])下(?![午班周月次个])", ""),
        (r"\btakes?(?= (?:\w+ )?(?:coffee|tea|espresso|latte)\b)", "drinks"),
        (r"\bunsweetened\b|\bsugar-?free\b|无糖的?|不(?:加|放)糖|零糖", "without sugar"),
        (r"\bdecaf(?:feinated)?\b|\bcaffeine-?free\b|脱因|低因", "without caffeine"),
        (r"\b(?:is )?a non-?smoker\b|从?不(?:抽|吸)烟", "does not smoke"),
        (r"\b(?:is )?(?:a )?teetotal(?:ler|er)?\b|\b(?:drinks? no|never drinks?|abstains? from) alcohol\b|滴酒不沾|不沾酒|从?不喝酒", "does not drink alcohol"),
        (r"\b(?:is )?(?:unemployed|jobless|out of work)\b|失业|待业|没有?工作", "has no job"),
        (r"\b(?:is )?childless\b|没有?(?:孩子|小孩)", "has no children"),
        (r"\b(?:has|suffers from) insomnia\b|\bsleeps badly\b|失眠|睡不着觉?|睡不好", "cannot sleep"),
    )
)  # fmt: skip

_SIEVE = Sieve(tuple(pattern for pattern, _ in _WORDINGS))


@lru_cache(maxsize=8192)
def in_one_wording(folded: str) -> str:
    """The text with what can be told in several ways told in one of them."""
    if not _SIEVE.of(folded):
        return folded
    for pattern, plain in _WORDINGS:
        folded = pattern.sub(f" {plain} " if plain.isascii() else plain, folded)
    return folded
