"""People and callers are told what a model proposed, why, at what cost, and why it counts for nothing."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from consolidation.actions.policies import current_policy
from memory_app.models import Decision, Session, Workspace
from tests.api.calls import caller
from tests.factories import make_memory, make_operator, make_session

from .conftest import Says, consolidated, noted, opt_in
from .server import Reply, Server, note, verdict

HIVES = "The hives behind our house wintered well."


@pytest.fixture
def client(client: Client, workspace: Workspace) -> Client:
    client.force_login(make_operator(workspace, "admin", "wen.li"))
    return client


def judged(workspace: Workspace) -> Decision:
    make_memory(workspace, "Prefers aisle seats", key="seat_preference", value="aisle",
                updated_at=timezone.now() - timedelta(days=30))  # fmt: skip
    session = make_session(workspace)
    noted(session, "My seat is the window", text="Prefers window seats", key="seat_preference", value="window")
    consolidated(session)
    return Decision.objects.get(session=session)


def page_of(client: Client, decision: Decision) -> str:
    return client.get(f"/w/travel/review/?item={decision.pk}").content.decode()


def session_page(client: Client, session: Session | None) -> str:
    assert session is not None
    return client.get(f"/w/travel/sessions/{session.pk}/").content.decode()


def test_a_proposal_says_who_why_and_what_it_cost(server: Server, opted_in: Workspace, client: Client) -> None:
    server.says(verdict("replaces", "the window", why="The user <b>now</b> names the window."))
    decision = judged(opted_in)
    page = page_of(client, decision)
    for words in (
        "A language model was asked what to make of it (small-model (judge-1)).",
        "The rules said: It contradicts",
        "The user &lt;b&gt;now&lt;/b&gt; names the window.",
        "It waits because a language model proposed it.",
        "tokens.",
    ):
        assert words in page, words
    page = session_page(client, decision.session)
    assert "A language model was part of this: 1 call" in page
    assert "1 proposal." in page


def test_a_refused_answer_says_why(server: Server, opted_in: Workspace, client: Client) -> None:
    server.says(verdict("replaces", "I hate the aisle"))
    page = page_of(client, judged(opted_in))
    assert "It quoted words that the user has not said. So its answer counts for nothing." in page


def test_pages_are_chinese_where_they_are_read_in_chinese(server: Server, opted_in: Workspace, client: Client) -> None:
    server.says(verdict("replaces", "the window"))
    decision = judged(opted_in)
    response = client.get(f"/w/travel/review/?item={decision.pk}", headers={"Accept-Language": "zh-CN"})
    page = response.content.decode()
    assert "已就此询问语言模型（small-model (judge-1)）" in page
    assert "待审原因：由语言模型提议" in page


def test_a_note_of_the_model_says_so(server: Server, opted_in: Workspace, says: Says, client: Client) -> None:
    server.says(
        {"notes": [note(1, "The hives behind our house", "Has hives"), note(1, "We keep goats", "Keeps goats")]}
    )
    session = says(HIVES)
    consolidated(session)
    page = page_of(client, Decision.objects.get(session=session))
    assert "A language model found this in the turns (small-model (distill-1))." in page
    page = session_page(client, session)
    assert "1 proposal. It quoted words that the user has not said." in page


def test_a_failed_call_is_told_on_the_page_of_its_session(
    server: Server, opted_in: Workspace, says: Says, client: Client
) -> None:
    server.otherwise = lambda asked: Reply(b"{}", status=500)
    session = says(HIVES)
    consolidated(session)
    assert "Its server failed." in session_page(client, session)


def test_calls_and_verdicts_are_in_the_api(server: Server, opted_in: Workspace) -> None:
    server.says(verdict("replaces", "the window", why="The window, now."))
    decision = judged(opted_in)
    api = caller(opted_in, "curator")
    (run,) = api.ok("GET", f"/runs?session={decision.session_id}")["items"]
    (call,) = run["model_calls"]
    assert (call["purpose"], call["engine"], call["outcome"]) == ("judge", "small-model (judge-1)", "answered")
    assert (call["attempts"], call["found"], call["dropped"]) == (1, 1, {})
    assert call["tokens"] >= 500
    shown = api.ok("GET", f"/decisions/{decision.pk}")
    assert (shown["engine"], shown["rule"]) == ("small-model (judge-1)", "review.llm")
    assert (shown["model"]["choice"], shown["model"]["why"]) == ("replaces", "The window, now.")


def test_the_policy_is_set_by_the_api(workspace: Workspace) -> None:
    api = caller(workspace, "admin")
    wanted = {
        "distill": "llm",
        "llm_judges": True,
        "llm_calls": 3,
        "llm_tokens": 5_000,
        "llm_replays": 4,
        "llm_proposals_wait": False,
    }
    api.ok("PUT", "/policy", {"policy": wanted, "why": "A model helps."})
    policy = current_policy(workspace)
    assert {name: getattr(policy, name) for name in wanted} == wanted
    for wrong in (
        {"llm_calls": -1},
        {"llm_calls": 1_001},
        {"llm_tokens": 1.5},
        {"llm_replays": -1},
        {"llm_judges": "yes"},
        {"llm_url": "http://x"},
    ):
        answer = api("PUT", "/policy", {"policy": wrong, "why": "Wrong."})
        assert answer.status_code == 422, wrong
        assert next(iter(wrong)) in answer.json()["errors"][0]["field"]


def test_the_rules_page_names_the_models_part_and_that_there_is_none(workspace: Workspace, client: Client) -> None:
    opt_in(workspace)
    page = client.get("/w/travel/rules/").content.decode()
    for words in (
        "Found by rules, then by a language model",
        "A model helps to judge",
        "Tokens of a model",
        "20,000",
        "No language model is configured here",
    ):
        assert words in page, words
