"""What the user's own sentence gives: whose words it repeats, what it asks, warns of, takes back, and for how long."""

from dataclasses import replace

import pytest

from consolidation.domain.compare import cues, subjects

from .build import memory, note, run


def rule(candidate, memories=None):
    return run([candidate], memories).decisions[-1]


@pytest.mark.parametrize(
    ("text", "quote", "action"),
    [
        ("Uses Vim", 'My colleague posted: "from today I only use Vim", hilarious.', "reject"),
        ("Uses Vim", 'I told him "from now on I use Vim, not Emacs".', "override"),
        ("每天跑步", "她朋友圈写：“每天跑步五公里”。", "reject"),
        ("每天跑步", "我跟教练说：“我每天跑步。”", "promote"),
        ("口头禅是“没问题”", "我的口头禅是“没问题”。", "promote"),
    ],
)
def test_what_somebody_else_said_is_not_the_users_statement(text, quote, action):
    assert rule(note(text, quote), [memory("Uses Emacs")]).action == action


@pytest.mark.parametrize(
    ("quote", "action"),
    [("快递别送错了，我家门牌号是 302", "review"), ("之前记错了，我家门牌号是 302", "override"), ("错了，门牌号是 302", "override")],
)  # fmt: skip
def test_a_warning_is_no_correction(quote, action):
    assert rule(note("门牌号是 302", quote), [memory("门牌号是 203")]).action == action


@pytest.mark.parametrize(
    ("quote", "action"),
    [
        ("Check what gold members get.", "reject"),
        ("I'm a gold member; check what gold members get.", "promote"),
        ("查查 gold 会员有什么权益。", "reject"),
    ],
)
def test_to_ask_to_find_out_is_to_ask(quote, action):
    assert rule(note("Member tier is gold", quote, key="member_tier", value="gold")).action == action


def test_what_the_slot_says_already_is_not_added_to_the_quote():
    held = memory("Monthly travel budget is 300 euros", key="budget", value="300")
    said = note("Monthly travel budget is 320 euros", "Make it 320 from now on.", key="budget", value="320")
    assert rule(said, [held]).action == "override"
    assert rule(replace(said, value="330", text="Monthly travel budget is 330 euros"), [held]).action == "reject"


def test_what_gave_way_is_looked_for_in_what_else_is_known():
    record = memory("Takes warfarin every evening")
    said = "I switched from warfarin to apixaban in June."
    assert rule(note("Takes apixaban instead of warfarin", said), [record]).rule == "review.names_old"
    assert (
        rule(note("Takes apixaban instead of warfarin", said), [memory("Takes a walk every evening")]).action
        == "promote"
    )


def test_when_it_happened_is_not_how_long_it_holds():
    assert rule(note("住在青岛", "这个礼拜刚搬到青岛，以后就住这了")).action == "promote"
    assert rule(note("晨练去河西那家", "这个礼拜借住我姐家，晨练先去河西那家。")).action == "session_only"


@pytest.mark.parametrize(
    ("record", "text", "quote", "action"),
    [
        ("Works night shifts only", "Works day shifts only", "I only work day shifts.", "review"),
        ("只上夜班", "只上白班", "我只上白班。", "review"),
        ("Plays darts", "Plays chess", "I play chess.", "promote"),
        ("Rides a bike to work", "Takes the tram to work", "I take the tram to work now.", "override"),
        ("坐地铁上班", "骑车上班", "现在改成骑车上班了。", "override"),
        ("Takes coffee without sugar", "Takes the dog for a walk", "I take the dog for a walk.", "promote"),
    ],
)
def test_what_excludes_the_other_contradicts_it(record, text, quote, action):
    assert rule(note(text, quote), [memory(record)]).action == action


def test_what_was_just_said_is_not_for_now():
    assert rule(note("养了一缸孔雀鱼", "我养了一缸孔雀鱼，刚才说过的。")).action == "promote"
    assert rule(note("要靠窗的座位", "刚才那趟要靠窗的座位。")).action == "session_only"


def test_company_on_a_trip_makes_it_no_one_elses_wish():
    said = note("Prefers twin beds", "Twin beds for this trip, please, my cousin is coming along.")
    assert rule(said, [memory("Prefers a double bed")]).action == "session_only"


@pytest.mark.parametrize(
    ("cue", "yes", "no"),
    [
        (
            cues.states_change,
            [
                "The rate went from 40 to 45", "I outgrew the medium", "They took me off it", "The lease was renewed", "Turns out it's fine",
                "我们分手了", "合同续到明年了", "婚后住南边", "原来是30，现在45", "转学到二中了", "我离开了那家店", "从三十压到二十",
            ],
            ["Nothing has changed", "他改天再来", "The aisle, as always", "还是老样子"],
        ),
        (
            cues.states_correction,
            ["My bad, it's nine", "It isn't eight, it's nine", "Scrap that, nine", "你记岔了", "我弄混了", "哪有，我住漳州"],
            ["错过了火车", "别记混了，是九"],
        ),
        (
            cues.is_guess,
            ["We'll see", "I haven't made up my mind", "If I remember correctly", "八成是金卡", "听说涨价", "还没拍板", "应该是金卡吧"],
            ["八成新的相机", "I am certain", "一定去"],
        ),
        (
            cues.is_plan,
            ["I'll move to Rome in spring", "Someday I want a boat", "明年要搬去大理", "希望明年能换套房"],
            ["I plan meals every Sunday", "明年起改坐高铁", "希望回复简短", "健身计划"],
        ),
        (cues.is_temporary, ["On this occasion use Zoom", "今儿用飞书", "暂且放着"], ["每次都用飞书"]),
        (cues.is_quotation, ["On Monday Tom wrote: I like tea", "From: Tom\nI like tea", "【转】我爱喝茶"], ["I come from: Rome"]),
        (
            subjects.other_speaker,
            ["My best friend likes jazz", "Grandpa loves fishing", "His brother works there", "我闺蜜爱喝茶", "我家奶奶看京剧"],
            ["My wife and I live here", "My budget is nine", "我喜欢茶"],
        ),
    ],
    ids=["change", "correction", "guess", "plan", "temporary", "quotation", "person"],
)  # fmt: skip
def test_cues_and_what_only_looks_like_them(cue, yes, no):
    assert [said for said in yes if not cue(said)] == []
    assert [said for said in no if cue(said)] == []


def test_the_steps_of_a_procedure_have_an_order():
    known = memory("Tag, then build", key="release_procedure", value="tag, build", kind="procedural")
    turned = note("Build, then tag", key="release_procedure", value="build, tag", kind="procedural")
    assert rule(turned, [known]).action == "review"
    assert rule(replace(turned, value="tag, build", text="Tag, then build"), [known]).action == "dedupe"


@pytest.mark.parametrize(
    ("text", "quote", "holds"),
    [
        ("喜欢靠过道的座位", "我喜欢靠过道的座位", True),
        ("可能喜欢夜间乘车", "上海到北京四个半小时", False),  # the quote speaks of something else
        ("Likes tea", "Yes, please", False),  # it only agrees
        ("Likes tea", "I don't like tea", False),  # it says the reverse
        ("Flies with 3 bags", "I fly with bags", False),
    ],
)
def test_no_new_facts_is_said_only_of_what_the_quote_holds(text, quote, holds):
    checks = {check.name: check.ok for check in run([note(text, quote)]).decisions[0].checks}
    assert checks["no_new_facts"] is holds
