"""What a page says that failed."""

from typing import Any

import pytest
from django.db import OperationalError
from django.urls import reverse

from tests import factories as make

from .visitors import signed_in

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(("language", "words"), [("en", "Not available at the moment"), ("zh-hans", "暂时不可用")])
@pytest.mark.parametrize("error", [OperationalError("gone"), ValueError("wrong")], ids=["away", "wrong"])
def test_a_database_that_is_away_is_told_apart_from_an_error(
    monkeypatch: pytest.MonkeyPatch, language: str, words: str, error: Exception
) -> None:
    def fails(*args: Any) -> None:
        raise error

    client = signed_in(make.make_operator(make.make_workspace("desk", "Desk"), "viewer"))
    client.raise_request_exception = False
    with monkeypatch.context() as patch:
        patch.setattr("django.db.backends.base.base.BaseDatabaseWrapper.ensure_connection", fails)
        answer = client.get(reverse("preferences"), headers={"Accept-Language": language})
    away = isinstance(error, OperationalError)
    assert (answer.status_code, answer.get("Retry-After")) == ((503, "2") if away else (500, None))
    assert (words in answer.content.decode()) is away
