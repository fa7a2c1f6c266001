"""Where a number or key begins and ends: after any word, underscore or Han character, over lines, in any digits."""

import pytest

from memory_app.guardrails import check, mask

BODY = "16C7e42F292c6912E7710c838347Ae178B4a"
CARD = "4111 1111 1111 1111"


def rules(text: str) -> set[str]:
    masked = mask(text).text
    assert mask(masked).text == masked
    return {finding.rule for finding in check(text).findings}


@pytest.mark.parametrize(
    "before",
    [
        "I paid ", "He said ", "did ", "valid: ", "android ", "apart ", "He was afraid ", "It was misplaced, ", "smart ", "user id ",
        "the ref is ", "part ", "request ", "build ", "order ", "No.", "card no.", "x", "编号", "编号是", "设备", "序列号 ", "他付了", "说好的",
    ],
)  # fmt: skip
def test_a_card_is_one_after_any_word(before: str) -> None:
    assert rules(before + CARD) == {"payment.card"}
    assert mask(before + CARD).text == before + "•••• •••• •••• 1111"


@pytest.mark.parametrize(
    "text",
    [
        "4111\n1111\n1111\n1111", "Card number:\n4111 1111\n1111 1111\nExp 12/29", "4111 1111 1111 1111 12/29", "卡号\n41111111\n11111111",
        "5555\r\n5555\r\n5555\r\n4444", "3782\n822463\n10005", '["4111","1111","1111","1111"]', "4111, 1111, 1111, 1111", "4111|1111|1111|1111",
        "信用卡：\n4111\n1111\n1111\n1111\n有效期 12/29", "4111😀1111😀1111😀1111", "4111 💳 1111 💳 1111 💳 1111", "٤١١١ ١١١١ ١١١١ ١١١١", "४१११११११११११११११",
        "".join(f"{digit}\ufe0f\u20e3" for digit in "4111111111111111"), "卡号 ❹①①① ①①①① ①①①① ①①①①",
    ],
)  # fmt: skip
def test_a_card_is_one_over_lines_and_in_any_digits(text: str) -> None:
    assert rules(text) == {"payment.card"}


@pytest.mark.parametrize(
    "text",
    [
        "order 4111111111111111 shipped", "tracking number 4111111111111111", "IMEI 356938035643809", "订单号4111111111111111", "运单4111111111111111",
        "2021\n2022\n2023\n2024", "5100\n1111\n1111\n1118\n2222", "rows: 4111, 1112, 1111, 1111", "timestamp 1748503543012", "0.4111111111111111",
        "uuid 123e4567-e89b-12d3-a456-426614174000", "订单号 202610051234567890 已完成退款", "评分 4 5 5 3，共 4 人", "Lines 4100\n4200\n4300",
    ],
)  # fmt: skip
def test_other_numbers_are_no_cards(text: str) -> None:
    assert not rules(text) & {"payment.card", "payment.account"}


@pytest.mark.parametrize(
    "before", ["My card is ", "Pays with ", "信用卡 ", "卡号 ", "卡号是", "银行卡号：", "储蓄卡", "工资卡 "]
)
def test_the_same_card_is_judged_the_same_in_both_languages(before: str) -> None:
    assert rules(before + CARD) == {"payment.card"}
    assert mask(before + CARD).text.endswith("•••• 1111")
    assert "payment.account" in rules("收款账号 6217 0012 3456 78")


EDGES = [
    ("user_", "_x"),
    ("backup_", ".pdf"),
    ("u_", ""),
    ("用", "登录"),
    ("密钥", "，别外传"),
    ("key=", ";"),
    ("/tmp/", "_1/"),
]
TOKENS = [
    "gh" + "p_" + BODY, "sk-" + "proj-" + BODY, "npm" + "_" + BODY, "AI" + "zaSy" + BODY[:33], "cp" + "k_" + BODY, "xox" + "b-" + BODY,
    "AK" + "IA" + "IOSFODNN7ABCDEFG", "gl" + "pat-" + BODY[:24], "hf" + "_" + BODY,
]  # fmt: skip


@pytest.mark.parametrize("token", TOKENS)
@pytest.mark.parametrize(("before", "after"), EDGES)
def test_a_token_is_one_wherever_it_begins(token: str, before: str, after: str) -> None:
    assert token not in mask(before + token + after).text
    assert BODY[:12] not in mask(before + token + after).text


@pytest.mark.parametrize(
    ("text", "raw"),
    [
        ("连接串是postgres://bob:S3cretPw99@db.example.com/x", "S3cretPw99"),
        ("用mysql://root:Abc12345@10.0.0.1/db连接", "Abc12345"),
        ("x_redis://app:S3cretPw99@cache:6379/0", "S3cretPw99"),
        ("请求头Authorization: Basic dXNlcjpwYXNzd29yZDEyMw==", "dXNlcjpwYXNz"),
        ("头里放Bearer abcDEF1234567890xyz", "abcDEF1234567890xyz"),
        ("他用mysql -uroot -pAbc12345登录", "Abc12345"),
        ("先执行sshpass -p 'Abc12345' ssh root@10.0.0.1", "Abc12345"),
        ("执行curl -u admin:S3cretPw99 https://x.example.com", "S3cretPw99"),
        ("设置cookie: sid=abcDEF1234567890xyz", "abcDEF1234567890xyz"),
        ("我的API key: abcDEF1234567890xyz", "abcDEF1234567890xyz"),
        ("export DB_PASS=Hunter2x9", "Hunter2x9"),
        ("MYSQL_PW=Hunter2x9", "Hunter2x9"),
        ("dbPass=Hunter2x9", "Hunter2x9"),
        ("CVV: 4 1 7", "4 1 7"),
        ("卡背面三位是4-1-7", "4-1-7"),
        ("recovery_codes: abcd-1234-efgh", "abcd-1234-efgh"),
        ("我的OTP 483920", "483920"),
        ("backup_13812345678.pdf", "13812345678"),
        ("13812345678_backup.zip", "13812345678"),
        ("电话+442079460000", "442079460000"),
        ("CVV是737", "737"),
        ("cvv_737", "737"),
        ("他的SSN 123-45-6789", "123-45-6789"),
        ("file_123-45-6789_x", "123-45-6789"),
    ],
)
def test_what_follows_an_underscore_or_han_is_found(text: str, raw: str) -> None:
    assert raw not in mask(text).text
    assert not check(text).allowed


@pytest.mark.parametrize(
    "text",
    [
        "bypass=hunter2x9", "pass=120 fail=3", "tests pass: 120", "vercel_production_environment_name_is_long", "compass: N23E45", "pw-test-runner",
        "request_id=req_1748503543012", "trace_20261005123456", "session_id_length: 32", "订单_20261005123456", "用mysql://localhost/db连接",
        "chat_session_id: 123e4567-e89b-12d3-a456-426614174000", "risk-assessment-of-the-quarter", "请求头Authorization: Bearer $TOKEN",
        "DB_PASS=$DB_PASS", "cvv_length", "版本_1.2.3_x",
    ],
)  # fmt: skip
def test_names_and_measures_are_left(text: str) -> None:
    assert check(text).allowed


@pytest.mark.parametrize(
    "text",
    ["HKID A١٢٣٤٥٦(٣)", "HKID A१२३४५६(३)", "身份证 A１２３４５６（３）", "SSN ١٢٣-٤٥-٦٧٨٩", "证件 A௧௨௩௪௫௬(௩)"],
)
def test_numbers_of_persons_are_found_in_any_digits(text: str) -> None:
    assert check(text).category == "pii"


@pytest.mark.parametrize(
    ("text", "allowed"),
    [
        ("会议工具是飞书\nmeeting_tool\nfeishu", True),
        ("联系用微信\ncontact_time\nmorning", True),
        ("Talks on WhatsApp\nmeeting_tool\nwhatsapp", True),
        ("我的微信是\nrook_77x", False),
        ("Telegram\nrook_tower9", False),
    ],
)
def test_the_key_below_the_name_of_a_messenger_is_no_account(text: str, allowed: bool) -> None:
    assert check(text, "injection").allowed is allowed
