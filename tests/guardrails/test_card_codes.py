"""A code that is told beside a card's number is the card's security code, whatever it is called."""

import pytest

from memory_app.guardrails import check, mask


@pytest.mark.parametrize(
    "text",
    [
        "Pay with my card 4111 1111 1111 1111, the code is 737.",
        "Pays with card 4111111111111111, code 737",
        "Card 5555 5555 5555 4444 and its code: 737",
        "卡号 4111 1111 1111 1111，码是 737",
    ],
)
def test_a_code_beside_a_card_is_masked(text: str) -> None:
    masked = mask(text).text
    assert "737" not in masked
    assert mask(masked).text == masked
    assert "payment.cvv" in {finding.rule for finding in check(text).findings}


@pytest.mark.parametrize(
    "text",
    [
        "The code is 737 Max.",
        "Error code 737 comes back",
        "Card 4111 1111 1111 1111, zip code 2000",
        "Card 4111 1111 1111 1111, area code 021",
        "卡号 4111 1111 1111 1111，邮编 2000，区码 021",
    ],
)
def test_other_codes_are_left(text: str) -> None:
    assert "payment.cvv" not in {finding.rule for finding in check(text).findings}
