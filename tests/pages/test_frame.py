"""The frame without a browser: template tags, preferences, languages, sign-in, error pages."""

from types import SimpleNamespace

import pytest
from django.http import HttpResponseRedirect
from django.template import Context, Template
from django.template.loader import render_to_string
from django.test import Client, RequestFactory
from django.utils.translation import override

from memory_app.middleware import HtmxSignInMiddleware
from memory_app.models import Operator
from memory_app.navigation import _LINKS, nav_items

pytestmark = pytest.mark.urls("tests.pages.gallery")


@pytest.fixture
def client() -> Client:
    """Nobody is signed in."""
    return Client()


def query(path: str, tag: str) -> str:
    template = Template("{% load commonplace %}{% autoescape off %}{% query_string " + tag + " %}{% endautoescape %}")
    return template.render(Context({"request": RequestFactory().get(path)}))


@pytest.mark.parametrize(
    ("path", "tag", "expected"),
    [
        ("/?kind=a&kind=b&page=1", 'page="2"', "?kind=a&kind=b&page=2"),
        ("/?kind=a&cursor=x", 'scope="user"', "?kind=a&scope=user"),
        ("/?kind=a&cursor=x", 'cursor="y"', "?kind=a&cursor=y"),
        ("/?kind=a&cursor=x", 'item="7"', "?kind=a&cursor=x&item=7"),
        ("/?kind=a&kind=b", 'kind__remove="a"', "?kind=b"),
        ("/?kind=a", 'kind__add="b"', "?kind=a&kind=b"),
        ("/?kind=a", "kind=None", "?"),
        ("/?q=%3Cb%3E+%26", 'kind="a"', "?q=%3Cb%3E+%26&kind=a"),
    ],
)
def test_a_changed_query_keeps_the_rest(path: str, tag: str, expected: str) -> None:
    assert query(path, tag) == expected


def test_navigation_links_only_pages_that_exist() -> None:
    items = nav_items("main", SimpleNamespace(slug="demo"), "/w/demo/memories/12/", {"review": 3})
    assert [item.name for item in items] == ["overview", "review", "memories"]
    assert [item.current for item in items] == ["", "", "true"]
    assert [item.count for item in items] == [None, 3, None]
    assert nav_items("main", None, "/", {}) == []


def test_a_page_is_looked_for_in_english_too_and_by_what_is_on_it() -> None:
    with override("zh-hans"):
        _overview, review, _memories = nav_items("main", SimpleNamespace(slug="demo"), "/", {})
        assert review.title != "Review"
        assert all(words in review.also for words in ("Review", "Review queue", str(review.title)))


def test_every_page_of_the_navigation_has_an_icon_of_its_own() -> None:
    icons = [icon for _, _, icon, _ in _LINKS]
    drawn = render_to_string("components/sprite.html")
    assert len(set(icons)) == len(icons)
    assert [icon for icon in icons if f'id="i-{icon}"' not in drawn] == []


@pytest.mark.parametrize("name", ["400", "403", "403_csrf", "404", "500", "503"])
def test_error_pages_need_nothing(name: str) -> None:
    page = render_to_string(f"{name}.html")
    assert "<h1>" in page
    assert 'href="/"' in page


def test_a_part_of_a_page_never_becomes_the_sign_in_page() -> None:
    middleware = HtmxSignInMiddleware(
        lambda request: HttpResponseRedirect("/accounts/login/?next=/w/demo/review/%3Fitem")
    )
    request = RequestFactory().get("/w/demo/review/?item=3")
    assert middleware(request).status_code == 302
    request.htmx = SimpleNamespace(current_url_abs_path="/w/demo/review/")  # type: ignore[attr-defined]
    answer = middleware(request)
    assert answer.status_code == 401
    assert answer["X-Sign-In"] == "/accounts/login/?next=%2Fw%2Fdemo%2Freview%2F"


@pytest.mark.django_db
class TestPreferences:
    @pytest.fixture
    def operator(self) -> Operator:
        return Operator.objects.create_user("lin.qiao", password="a long sentence")

    def test_the_first_sign_in_takes_the_zone_of_the_browser(self, client: Client, operator: Operator) -> None:
        given = {"username": "lin.qiao", "password": "a long sentence"}
        client.post("/accounts/login/", given | {"zone": "Asia/Tokyo"})
        operator.refresh_from_db()
        assert (operator.timezone, operator.last_login is None) == ("Asia/Tokyo", False)
        for zone in ("Europe/Paris", "Mars/Base"):  # later ones leave it, chosen or not
            client.logout()
            client.post("/accounts/login/", given | {"zone": zone})
            operator.refresh_from_db()
            assert operator.timezone == "Asia/Tokyo"

    def test_sign_in_says_what_is_wrong(self, client: Client, operator: Operator) -> None:
        page = client.post("/accounts/login/", {"username": "lin.qiao", "password": "wrong"})
        assert page.status_code == 200
        assert "do not match" in page.text
        assert "wrong" not in page.text

    def test_the_language_stays_with_the_browser_and_the_operator(self, client: Client, operator: Operator) -> None:
        answer = client.post("/accounts/language/", {"language": "zh-hans", "next": "/accounts/login/"})
        assert answer["Location"] == "/accounts/login/"
        assert '<html lang="zh-Hans"' in client.get("/accounts/login/").text
        client.force_login(operator)
        client.post("/accounts/language/", {"language": "zh-hans"})
        operator.refresh_from_db()
        assert operator.language == "zh-hans"
        client.cookies.pop("commonplace_language")
        assert '<html lang="zh-Hans"' in client.get("/accounts/preferences/").text

    @pytest.mark.parametrize("target", ["https://example.com/", "//example.com", "javascript:alert(1)", ""])
    def test_a_switch_never_leads_elsewhere(self, client: Client, target: str) -> None:
        assert client.post("/accounts/theme/", {"theme": "dark", "next": target})["Location"] == "/"

    def test_the_theme_is_in_the_first_byte_of_the_page(self, client: Client, operator: Operator) -> None:
        client.post("/accounts/theme/", {"theme": "dark"})
        assert 'data-theme="dark"' in client.get("/accounts/login/").text
        assert client.post("/accounts/theme/", {"theme": "pink"}).status_code == 400
        client.force_login(operator)
        assert 'data-theme="' not in client.get("/accounts/preferences/").text
        client.post("/accounts/theme/", {"theme": "light"})
        assert 'data-theme="light"' in client.get("/accounts/preferences/").text

    def test_saved_preferences_hold(self, client: Client, operator: Operator) -> None:
        client.force_login(operator)
        given = {"language": "zh-hans", "theme": "dark", "timezone": "Asia/Shanghai"}
        page = client.post("/accounts/preferences/", given, follow=True)
        assert "偏好设置已保存。" in page.text
        assert 'data-keys="off"' in page.text
        operator.refresh_from_db()
        assert (operator.language, operator.theme, operator.timezone, operator.shortcuts) == (*given.values(), False)
        assert client.post("/accounts/preferences/", given | {"timezone": "Mars/Base"}).status_code == 422

    def test_shortcuts_switch_off_and_on(self, client: Client, operator: Operator) -> None:
        client.force_login(operator)
        for given, kept in (({}, False), ({"shortcuts": "on"}, True)):
            assert client.post("/accounts/shortcuts/", given, headers={"HX-Request": "true"}).status_code == 204
            operator.refresh_from_db()
            assert operator.shortcuts is kept

    def test_signing_out_is_a_post(self, client: Client, operator: Operator) -> None:
        client.force_login(operator)
        assert client.get("/accounts/logout/").status_code == 405
        assert client.post("/accounts/logout/")["Location"] == "/accounts/login/"
