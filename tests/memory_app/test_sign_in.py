"""Passwords cannot be guessed without limit, and whoever types theirs right is not counted."""

import threading
from typing import Any
from unittest import mock

import pytest
from django.core.cache import cache
from django.db import connections
from django.test import Client

from memory_app.models import Operator
from memory_app.sign_in import FOR_A_NAME

PASSWORD = "correct horse battery"


@pytest.fixture
def operator(db: None) -> Operator:
    cache.clear()
    return Operator.objects.create_user("lin", password=PASSWORD)


def sign_in(password: str, username: str = "lin", address: str = "192.0.2.7") -> bool:
    answer = Client(REMOTE_ADDR=address).post("/accounts/login/", {"username": username, "password": password})
    return answer.status_code == 302


def test_after_too_many_wrong_passwords_even_the_right_one_waits(operator: Operator) -> None:
    assert not any(sign_in(f"guess {n}") for n in range(FOR_A_NAME))
    assert not sign_in(PASSWORD, address="192.0.2.8")
    answer = Client(REMOTE_ADDR="192.0.2.8").post("/accounts/login/", {"username": "LIN", "password": PASSWORD})
    assert b"Too many wrong passwords. Try again in" in answer.content
    assert not sign_in("x", username="somebody else")  # refused for being wrong, not for the other's guesses
    cache.clear()
    assert sign_in(PASSWORD)


def test_right_passwords_are_not_counted(operator: Operator) -> None:
    assert all(sign_in(PASSWORD) for _ in range(FOR_A_NAME + 2))


def test_the_back_office_is_no_second_door(operator: Operator) -> None:
    Operator.objects.filter(pk=operator.pk).update(is_staff=True)
    back, right = Client(REMOTE_ADDR="192.0.2.7"), {"username": "lin", "password": PASSWORD}
    assert back.post("/admin/login/", right | {"next": "/admin/"}).status_code == 302
    assert not any(sign_in(f"guess {n}") for n in range(FOR_A_NAME))
    answer = Client(REMOTE_ADDR="192.0.2.8").post("/admin/login/", right)
    assert answer.status_code == 200
    assert b"Too many wrong passwords. Try again in" in answer.content


def test_the_old_password_is_not_guessed_at_a_browser_that_is_signed_in(operator: Operator) -> None:
    browser, new = Client(), "a wholly new sentence"
    browser.force_login(operator)
    given = {"new_password1": new, "new_password2": new}
    for n in range(FOR_A_NAME):
        assert browser.post("/accounts/password/", given | {"old_password": f"guess {n}"}).status_code == 422
    answer = browser.post("/accounts/password/", given | {"old_password": PASSWORD})
    assert answer.status_code == 422
    assert b"Too many wrong passwords. Try again in" in answer.content
    cache.clear()
    assert browser.post("/accounts/password/", given | {"old_password": PASSWORD}).status_code == 302


@pytest.mark.django_db(transaction=True)
def test_of_guesses_at_the_same_moment_none_is_tried_too_many() -> None:
    cache.clear()
    Operator.objects.create_user("lin", password=PASSWORD)
    start, tried = threading.Barrier(24), []

    def trying(request: Any, **credentials: Any) -> None:
        tried.append(credentials)

    def guess(place: int) -> None:
        start.wait()
        sign_in(f"guess {place}")
        connections.close_all()

    threads = [threading.Thread(target=guess, args=(place,)) for place in range(24)]
    with mock.patch("django.contrib.auth.forms.authenticate", trying):
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(timeout=60)
    assert len(tried) == FOR_A_NAME
