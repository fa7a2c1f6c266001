"""Words of both languages that name the same thing: a small dictionary of concepts.

A concept is written `family.member`. Two members of one family exclude each other ("aisle" and "window" are both
seats), so a difference inside a family is a difference of value, not of wording. A concept without a dot has no
rivals. The dictionary is there so that one fact is recognised in two languages; what it does not know stays a plain
word, and two different plain words are never taken for the same.
"""

import re
from functools import lru_cache

from memory_app.domain.words import fold

from .everyday import WORDS

_TABLE = """
seat.aisle = aisle seat, on the aisle, aisle, 靠过道, 靠走道, 过道位, 过道座, 走道位, 走道座, 通道位, 过道, 走道
seat.window = window seat, by the window, window, 靠窗户, 靠窗位, 靠窗, 窗口位, 临窗, 窗边, 窗户边
seat.middle = middle seat, 中间座, 中间位
area.front = front row, front section, towards the front, front, 前排, 靠前, 前部, 机舱前部
area.rear = back row, rear, at the back, 后排, 靠后, 后部, 机舱后部
area.exit_row = exit row, emergency exit, 紧急出口, 安全出口
seat = seat, seating, 座位, 坐位, 座席
daypart.morning = 每早, 每天早上, 每天早晨, 每天清晨, in the morning, morning, early, a.m., 早班, 早上, 上午, 早晨, 清晨, 早间
daypart.noon = around noon, midday, noon, 中午, 午间
daypart.afternoon = in the afternoon, afternoon, 下午, 午后
daypart.evening = 每晚, 每天晚上, every evening, every night, in the evening, evening, late flight, 晚班, 晚上, 傍晚, 晚间
daypart.night = at night, overnight, night, 夜里, 夜间, 深夜, 夜班, 半夜
season.spring = spring, 春天, 春季
season.summer = summer, 夏天, 夏季
season.autumn = autumn, 秋天, 秋季
season.winter = winter, 冬天, 冬季
meal.breakfast = breakfast, 早饭, 早餐
meal.lunch = lunch, 午饭, 午餐, 中饭
meal.dinner = dinner, supper, 晚饭, 晚餐
week.weekday = weekday, working day, workday, business day, 工作日, 平日
week.weekend = weekend, 周末, 双休日
day.mon = monday, mondays, 周一, 星期一, 礼拜一
day.tue = tuesday, tuesdays, 周二, 星期二, 礼拜二
day.wed = wednesday, wednesdays, 周三, 星期三, 礼拜三
day.thu = thursday, thursdays, 周四, 星期四, 礼拜四
day.fri = friday, fridays, 周五, 星期五, 礼拜五
day.sat = saturday, saturdays, 周六, 星期六, 礼拜六
day.sun = sunday, sundays, 周日, 周天, 星期日, 星期天, 礼拜天
lang.zh = chinese, mandarin, simplified chinese, 简体中文, 中文, 汉语, 普通话, 国语
lang.en = english, 英文, 英语
lang.ja = japanese, 日文, 日语
lang.fr = french, 法文, 法语
lang.de = german, 德文, 德语
lang.es = spanish, 西班牙语, 西语
lang.ko = korean, 韩文, 韩语
lang.pt = portuguese, 葡萄牙语, 葡语
lang.it = italian, 意大利语
lang.ru = russian, 俄文, 俄语
lang.yue = cantonese, 粤语, 广东话
reply = replies, reply, replied, answers, answer, respond, response, responses, 回复, 回答, 答复, 回应, 应答
review = reviews, review, reviewing, reviewer, 评审, 审查, 评审者
code = code, 代码
commit = commit message, commit messages, commits, commit, 提交信息, 提交说明, 提交
independent = independent, independently, separate, 独立
subagent = subagent, sub-agent, sub agent, 子代理
length.short = concise, brief, short, terse, to the point, 简短, 简洁, 精简, 简明
length.long = detailed, long, in depth, thorough, verbose, 详细, 详尽, 冗长
theme.dark = dark mode, dark theme, dark themes, dark, 深色模式, 深色主题, 暗色模式, 暗色主题, 深色, 暗色, 黑色主题
theme.light = light mode, light theme, light themes, 浅色模式, 浅色主题, 亮色模式, 亮色主题, 浅色, 亮色
theme.solarized = solarized
theme = theme, themes, colour scheme, color scheme, 主题, 配色
diet.vegetarian = vegetarian, veggie, 素食者, 素食, 吃素
diet.vegan = vegan, 纯素, 全素
diet.halal = halal, 清真
diet.kosher = kosher, 犹太洁食
diet.pescatarian = pescatarian, 鱼素
diet.gluten_free = gluten-free, gluten free, 无麸质
diet.omnivore = eats everything, 什么都吃
spicy = spicy food, spicy, 辣的, 辣椒, 辣
coriander = coriander, cilantro, 香菜, 芫荽
peanut = peanuts, peanut, groundnut, 花生
walnut = walnuts, walnut, 核桃
nut = nuts, tree nuts, nut, 坚果
shellfish = shellfish, 贝类, 甲壳类
seafood = seafood, 海鲜
shrimp = shrimp, prawns, prawn, 虾
milk = milk, dairy, lactose, 牛奶, 乳制品, 奶制品, 乳糖
egg = eggs, egg, 鸡蛋
pollen = pollen, 花粉
penicillin = penicillin, 青霉素
beef = beef, steak, 牛肉, 牛排
fish = fish, 鱼
coffee = coffee, 咖啡
tea.green = green tea, 绿茶
tea.oolong = oolong tea, oolong, 乌龙茶
tea.black = black tea, 红茶
tea = tea, 喝茶, 茶
beer = beer, 啤酒
wine = wine, 葡萄酒, 红酒
allergy = allergic to, allergic, allergies, allergy, 过敏
cat = cats, cat, 猫咪, 猫
dog = dogs, dog, 小狗, 狗狗, 狗
child = children, child, kids, kid, 孩子, 小孩, 娃
sport.basketball = basketball, 篮球
sport.football = football, soccer, 足球
sport.tennis = tennis, 网球
sport.badminton = badminton, 羽毛球
sport.swimming = swimming, swims, swim, 游泳
sport.running = running, jogging, runs, 跑步, 慢跑
sport.hiking = hiking, hikes, hike, 徒步, 爬山, 登山
music.jazz = jazz, 爵士乐, 爵士
music.rock = rock music, 摇滚乐, 摇滚
music.classical = classical music, 古典音乐, 古典乐
transport.high_speed_rail = high-speed rail, high speed rail, high-speed train, bullet train, 高速铁路, 高铁
transport.train = by train, train, rail, 火车, 列车
transport.flight = by plane, by air, flying, flies, fly, flights, flight, plane, planes, 坐飞机, 航班, 飞机
transport.car = by car, driving, drives, drive, car, 开车, 自驾, 驾车
transport.metro = metro, subway, underground, 地铁
transport.bus = by bus, bus, 公交车, 公交, 大巴
transport.bike = by bike, cycling, cycles, cycle, bicycle, bike, 骑车, 自行车, 骑行, 单车
transport.walk = on foot, walking, walks, walk, 步行, 走路
transport.tram = by tram, tram, trams, streetcar, 有轨电车, 电车
transport.ferry = by ferry, ferry, 轮渡, 渡轮
transport.motorbike = motorbike, motorcycle, scooter, moped, 摩托车, 摩托, 电动车, 电瓶车
transport.taxi = taxi, cab, ride-hailing, 出租车, 打车, 网约车
red_eye = red-eye flights, red-eye flight, red-eyes, red-eye, red eye, 红眼航班, 红眼
bag.checked = checked bags, checked bag, checked baggage, checked luggage, check a bag, check in a bag, 托运行李, 托运
bag.carry_on = carry-on only, carry-on, hand luggage, cabin bag, 随身行李, 登机箱, 手提行李
hotel = hotels, hotel, lodging, accommodation, 酒店, 宾馆, 住宿
room = rooms, room, 房间, 客房
bed.king = king bed, king-size bed, king room, king, 大床房, 大床
bed.twin = twin beds, twin bed, twin room, twin, 双床房, 双床, 标间
smoking.no = non-smoking, nonsmoking, smoke-free, 无烟房, 禁烟房, 无烟
smoking.yes = smoking room, smoking-room, 吸烟房, 可吸烟
budget = budgets, budget, spending limit, cap, 预算, 上限, 经费
meeting = meetings, meeting, calls, 会议, 开会, 例会
standup = daily standup, standup, stand-up, daily scrum, 站会, 晨会
tool.zoom = zoom
tool.teams = microsoft teams, ms teams
tool.tencent = tencent meeting, 腾讯会议
tool.feishu = feishu, lark, 飞书会议, 飞书
tool.dingtalk = dingtalk, 钉钉
tool.slack = slack
tool.wechat = wechat, 微信
tool.email = e-mail, email, 电子邮件, 邮件, 邮箱
tool.sms = sms, text message, 短信
tool.phone = phone call, by phone, phone, 电话
editor.vscode = visual studio code, vs code, vscode
editor.neovim = neovim, nvim
editor.vim = vim
editor.emacs = emacs
editor.sublime = sublime text, sublime
editor.cursor = cursor editor, cursor
editor.zed = zed
editor.helix = helix
editor.intellij = intellij idea, intellij
editor.pycharm = pycharm
editor.webstorm = webstorm
editor.goland = goland
os.windows = windows 11, windows 10, windows
os.macos = macos, mac os, os x, 苹果系统
os.linux = linux
os.ubuntu = ubuntu
os.fedora = fedora
os.debian = debian
os.arch = arch linux
db.postgresql = postgresql, postgres
db.mysql = mysql
db.mariadb = mariadb
db.sqlite = sqlite
db.mongodb = mongodb, mongo
db.oracle = oracle database, oracle db
db.redis = redis
db.clickhouse = clickhouse
db.tidb = tidb
database = primary database, main database, database, 主数据库, 主库, 数据库
prog.python = python
prog.rust = rust
prog.go = golang
prog.typescript = typescript
prog.javascript = javascript
prog.java = java
prog.kotlin = kotlin
prog.ruby = ruby
prog.csharp = c#
prog.cpp = c++
prog.scala = scala
prog.swift = swift
prog.php = php
main = primary, main, principal, 主力, 主要, 首要
language = programming language, languages, language, 编程语言, 语言
project = projects, project, 项目
service = services, service, 服务
port = ports, port, listens on, 监听, 端口
gateway = gateway, 网关
timeout = timeouts, timeout, time-out, 超时时间, 超时
restart = restarts, restart, 重启
deploy = deployments, deployment, deploys, deploy, deployed, 部署, 上线, 发布到生产
production = production, prod, 生产环境, 生产
release = releases, release, 发版, 发布
phase.alpha = alpha, 内测
phase.beta = beta, 公测
phase.release = released, in release, 正式发布, 正式版
phase.planning = planning, 规划阶段
phase.design = design phase, 设计阶段
phase.development = in development, 开发阶段
phase.maintenance = maintenance, 维护阶段
member = membership, member, 会员
tier.platinum = platinum, 白金卡, 白金
tier.gold = gold, 金卡, 黄金会员
tier.silver = silver, 银卡, 白银会员
tier.diamond = diamond, 钻石卡, 钻石
discount = discounts, discount, off, 优惠, 折扣, 打折, 减免
refund = refunds, refund, refunding, 退款
order = orders, order, 订单
done = resolved, completed, finished, settled, done, processed, 已解决, 解决了, 处理好了, 处理完, 已完成, 完成了, 解决
colour = favourite colour, favorite color, colour, color, 颜色
favourite = favourite, favorite, 最喜欢, 最爱
hue.red = red, 红色
hue.blue = blue, 蓝色
hue.green = green, 绿色
hue.purple = purple, 紫色
hue.cyan = cyan, 青色
hue.yellow = yellow, 黄色
hue.orange = orange, 橙色
hue.black = black, 黑色
hue.white = white, 白色
hue.pink = pink, 粉色
hue.grey = grey, gray, 灰色
light = 可以, 可不可以
limit.max = at most, up to, no more than, not more than, maximum, max, shorter than, less than, under, below, fewer than, 不超过, 至多, 最多, 上限是, 以内, 不到, 少于, 短于, 以下
limit.min = at least, no less than, minimum, longer than, more than, over, above, 至少, 最少, 不少于, 多于, 长于, 超过, 以上
time.before = before, 之前
time.after = after, 之后
trip.business = business trips, business trip, business travel, work trips, work trip, 商务出行, 商务旅行, 出差
trip.family = family trips, family trip, family travel, family holidays, with the kids, with kids, 家庭出行, 家庭旅行, 家庭旅游, 带孩子, 带娃
trip.long = long trips, long trip, long-haul flights, long-haul, long flights, long journeys, 长途
trip.short = short trips, short trip, short-haul flights, short-haul, short flights, short journeys, 短途
trip = trips, trip, travels, travel, journey, 出行, 旅行, 行程, 旅游
state.married = married, 已婚, 结婚了
state.single = single, 单身, 未婚
state.divorced = divorced, 离婚, 离异
notify = notifications, notification, alerts, 通知, 提醒
switch.on = turned on, enabled, enable, 开启, 打开
switch.off = turned off, disabled, disable, muted, mute, 关闭, 关掉, 静音
person.colleague = colleague, coworker, co-worker, teammate, 同事
person.friend = friend, buddy, 朋友
person.wife = wife, 妻子, 太太, 老婆
person.husband = husband, 丈夫, 老公
person.mother = mother, mum, mom, 妈妈, 母亲
person.father = father, dad, 爸爸, 父亲
person.son = son, 儿子
person.daughter = daughter, 女儿, 闺女
person.brother = brother, 兄弟
person.brother_elder = 哥哥, 大哥
person.brother_younger = 弟弟
person.sister = sister, 姐妹
person.sister_elder = 姐姐, 大姐
person.sister_younger = 妹妹
person.boss = boss, supervisor, 老板, 上司, 领导
person.partner = partner, 伴侣, 对象
person.girlfriend = girlfriend, 女朋友, 女友
person.boyfriend = boyfriend, 男朋友, 男友
person.parents = parents, 父母, 爸妈, 爹妈, 双亲
person.grandmother = grandmother, grandma
person.grandmother_paternal = 奶奶
person.grandmother_maternal = 外婆, 姥姥
person.grandfather = grandfather, grandpa
person.grandfather_paternal = 爷爷
person.grandfather_maternal = 外公, 姥爷
person.roommate = roommate, flatmate, 室友
person.neighbour = neighbour, neighbor, 邻居
person.client = client, customer, 客户, 顾客
person.cousin = cousin
person.cousin_ma = 表哥
person.cousin_mb = 表弟
person.cousin_mc = 表姐
person.cousin_md = 表妹
person.cousin_pa = 堂哥
person.cousin_pb = 堂弟
person.cousin_pc = 堂姐
person.cousin_pd = 堂妹
person.uncle = uncle
person.uncle_paternal = 叔叔, 伯伯
person.uncle_maternal = 舅舅
person.aunt = aunt, 阿姨
person.aunt_paternal = 姑姑
person.aunt_maternal = 姨妈, 小姨
place.beijing = beijing, 北京
place.shanghai = shanghai, 上海
place.shenzhen = shenzhen, 深圳
place.guangzhou = guangzhou, 广州
place.hangzhou = hangzhou, 杭州
place.chengdu = chengdu, 成都
place.nanjing = nanjing, 南京
place.wuhan = wuhan, 武汉
place.xian = xi'an, 西安
place.suzhou = suzhou, 苏州
place.chongqing = chongqing, 重庆
place.tianjin = tianjin, 天津
place.hongkong = hong kong, 香港
place.taipei = taipei, 台北
place.singapore = singapore, 新加坡
place.tokyo = tokyo, 东京
place.kyoto = kyoto, 京都
place.osaka = osaka, 大阪
place.seoul = seoul, 首尔
place.london = london, 伦敦
place.paris = paris, 巴黎
place.berlin = berlin, 柏林
place.newyork = new york, 纽约
place.sydney = sydney, 悉尼
place.zurich = zurich, zürich, 苏黎世
place.iceland = iceland, 冰岛
place.japan = japan, 日本
morning_person = early bird, morning person, 早起
night_owl = night owl, 夜猫子, 熬夜
"""

_WORDY = re.compile(r"[a-z0-9#+]")


def _entries() -> dict[str, str]:
    forms: dict[str, str] = {}
    for line in (*_TABLE.strip().splitlines(), *WORDS.strip().splitlines()):
        concept, _, rest = line.partition(" = ")
        for form in rest.split(", "):
            forms.setdefault(fold(form.strip()), concept)
    return forms


FORMS: dict[str, str] = _entries()


def _rest(form: str) -> str:
    """A form without its first character, as it may be spaced, hyphenated and inflected."""
    body = re.escape(form[1:]).replace(r"\ ", r"[\s_-]+")
    if form[-1].isascii() and form[-1].isalpha():
        return body + r"(?:s|es)?(?![a-z0-9#+])"
    return body + (r"(?![a-z0-9])" if form[-1].isascii() else "")


def _pattern() -> re.Pattern[str]:
    # By first character, so that the engine tries a handful of forms at each place instead of all.
    words: dict[str, list[str]] = {}
    signs: dict[str, list[str]] = {}
    for form in sorted(FORMS, key=len, reverse=True):
        (words if _WORDY.match(form[0]) else signs).setdefault(form[0], []).append(_rest(form))

    def either(groups: dict[str, list[str]]) -> str:
        first = "".join(re.escape(c) for c in groups)
        return f"(?=[{first}])(?:" + "|".join(f"{re.escape(c)}(?:{'|'.join(r)})" for c, r in groups.items()) + ")"

    return re.compile(f"(?<![a-z0-9_]){either(words)}|{either(signs)}")


_FORM = _pattern()
_GAP = re.compile(r"[\s_-]+")
_SQUEEZED = {_GAP.sub(" ", f.replace("-", " ")): c for f, c in FORMS.items()}


@lru_cache(maxsize=8192)
def concept_spans(folded: str) -> tuple[tuple[int, int, str], ...]:
    """Where the folded text names known concepts: (start, end, concept), left to right, longest first."""
    return tuple((m.start(), m.end(), _concept(m[0])) for m in _FORM.finditer(folded))


def _concept(found: str) -> str:
    form = _GAP.sub(" ", found)
    for end in ("", "s", "es"):
        stripped = form.removesuffix(end) if end else form
        for spelling in (stripped, stripped.replace(" ", "-")):
            if spelling in FORMS:
                return FORMS[spelling]
    return _SQUEEZED[form.removesuffix("s")] if form.removesuffix("s") in _SQUEEZED else _SQUEEZED[form]


def concepts(folded: str) -> frozenset[str]:
    """The concepts that a folded text names."""
    return frozenset(c for _, _, c in concept_spans(folded))


def family(concept: str) -> str | None:
    """The family whose members exclude each other, or None for a concept that stands alone."""
    return concept.partition(".")[0] if "." in concept else None
