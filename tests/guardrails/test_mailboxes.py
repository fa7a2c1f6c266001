"""Whose a mailbox is: a role's where its name says nothing but the role, at a domain of its own; else a person's."""

import pytest

from memory_app.guardrails import check


@pytest.mark.parametrize("telling", ["Write to {}", "Reports go to {} by Monday.", "月报发到 {}", "邮箱是 {} 。"])
@pytest.mark.parametrize(
    "address",
    [
        "data.lee@gmail.com", "desk.muller@gmail.com", "research.anna@gmail.com", "reports.wang@gmail.com",
        "support.jonas@tarnwood.example", "archive+ines@tarnwood.example", "office_zhou@qingmu.example",
        "info@vip.qq.com", "records@163.com", "team@yahoo.co.uk", "admin2@live.com", "help@web.de", "service@gmx.de",
    ],
)  # fmt: skip
def test_a_person_behind_a_role_is_found(telling: str, address: str) -> None:
    assert "pii.email" in [finding.rule for finding in check(telling.format(address)).findings]


@pytest.mark.parametrize(
    "text",
    [
        "Ask the desk.li at outlook dot com",
        "Mail data.maren (at) gmx (dot) net",
        "邮箱是 office.he 艾特 foxmail 点 com",
    ],
)
def test_a_person_behind_a_role_is_found_however_it_is_spelled(text: str) -> None:
    assert "pii.email" in [finding.rule for finding in check(text).findings]


@pytest.mark.parametrize("telling", ["Write to {}", "Reports go to {} by Monday.", "月报发到 {}"])
@pytest.mark.parametrize(
    "address",
    [
        "reports@tarnwood.example", "data-team@tarnwood.example", "it-helpdesk@qingmu.example", "orders2024@tarnwood.example",
        "sales-emea@tarnwood.example", "desk3@qingmu.example", "press@mail.tarnwood.example", "hr.records@qingmu.example",
        "info@live.tarnwood.example",
    ],
)  # fmt: skip
def test_the_mailbox_of_a_role_passes(telling: str, address: str) -> None:
    assert check(telling.format(address)).allowed
