"""Settings from outside are typed, and a wrong one says what to do."""

import os
import re
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config.databases import broker_url, connection_arguments, django_database
from config.environment import ROOT, WrongValue, _kept_secret, read, variables

SETTINGS = ROOT / "docs" / "settings.md"


def test_defaults_need_nothing():
    environment = read({})
    assert (environment.host, environment.port) == ("127.0.0.1", 8000)
    assert environment.home == ROOT / ".data"
    assert environment.embedded_database
    assert environment.llm_url is None
    assert "127.0.0.1" in environment.allowed_hosts


def test_empty_counts_as_unset():
    assert read({"PORT": "", "DATABASE_URL": "  "}) == read({})


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("PORT", "eighty", "whole number from 1 to 65535"),
        ("PORT", "70000", "whole number"),
        ("PORT", "-1", "whole number"),
        ("PORT", "８０", "whole number"),
        ("WEB_THREADS", "0", "whole number from 1"),
        ("DEBUG", "maybe", "set 1 or 0"),
        ("LOG_LEVEL", "loud", "DEBUG, INFO"),
        ("DATABASE_URL", "mysql://host/x", "postgresql://"),
        ("DATABASE_URL", "postgresql:///name", "no host"),
        ("DATABASE_URL", "postgresql://host:port/name", "no valid URL"),
        ("BROKER_URL", "http://host", "redis://"),
        ("EMBEDDINGS_URL", "host:8080", "http"),
        ("TRUSTED_PROXIES", "10.0.0.0/99", "networks"),
        ("SECRET_KEY", "short", "32"),
        ("HOST", "a\nb", "one line"),
        ("PORT", "9" * 5000, "whole number"),
        ("SECRET_KEY", "\udcff" * 40, "UTF-8"),
        ("COMMONPLACE_HOME", "~nobody-has-this-name/home", "whole path"),
    ],
)
def test_a_wrong_value_names_variable_and_remedy(name: str, value: str, said: str):
    with pytest.raises(WrongValue) as caught:
        read({name: value})
    message = str(caught.value)
    assert message.startswith(name)
    assert said in message
    assert "\n" not in message
    assert len(message) < 200


def test_a_wrong_address_keeps_its_password_to_itself():
    for value in ("mysql://me:hunter2@host/x", "postgresql://me:hunter2@host:port/x"):
        with pytest.raises(WrongValue) as caught:
            read({"DATABASE_URL": value})
        assert "hunter2" not in str(caught.value)


def test_https_needs_to_know_its_proxy():
    with pytest.raises(WrongValue, match="TRUSTED_PROXIES"):
        read({"SECURE": "1"})
    assert read({"SECURE": "1", "TRUSTED_PROXIES": "127.0.0.1, 10.0.0.0/8"}).secure


def test_more_connections_than_the_embedded_database_has_are_refused_at_the_start():
    with pytest.raises(WrongValue, match="WEB_WORKERS times WEB_THREADS within 100, or set DATABASE_URL"):
        read({"WEB_WORKERS": "16"})
    assert read({"WEB_WORKERS": "16", "DATABASE_URL": "postgres://db.example/commonplace"}).web_workers == 16


def test_the_supervisor_may_always_ask_by_localhost():
    assert read({"ALLOWED_HOSTS": "memory.example.org"}).allowed_hosts == ("memory.example.org", "localhost")
    assert read({"ALLOWED_HOSTS": "*"}).allowed_hosts == ("*",)


def test_a_model_is_needed_where_an_llm_is_named():
    with pytest.raises(WrongValue, match="LLM_MODEL"):
        read({"LLM_URL": "http://localhost:1/v1"})
    assert read({"LLM_URL": "http://localhost:1/v1", "LLM_MODEL": "m"}).llm_model == "m"


def test_a_key_for_an_llm_is_no_part_of_its_address_and_fits_a_header():
    model = {"LLM_URL": "http://localhost:1/v1", "LLM_MODEL": "m"}
    for wrong in (
        {"LLM_URL": "http://me:hunter2@localhost:1/v1"},
        {"LLM_KEY": "hunter2\u2026"},
        {"LLM_KEY": "hunter2\tx"},
    ):
        with pytest.raises(WrongValue) as caught:
            read(model | wrong)
        assert str(caught.value).startswith(next(iter(wrong)))
        assert "hunter2" not in str(caught.value)


@given(st.integers(min_value=1, max_value=65535))
def test_every_port_is_read_as_itself(port: int):
    assert read({"PORT": str(port)}).port == port


def test_the_whole_process_stops_with_one_line_and_code_2():
    done = subprocess.run(
        [sys.executable, "manage.py", "check"],
        cwd=ROOT,
        env={**os.environ, "PORT": "x"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("commonplace: PORT is 'x'")


def test_the_secret_key_is_made_once_and_private(tmp_path: Path):
    home = tmp_path / "home"
    first = read({"COMMONPLACE_HOME": str(home)}).secret_key
    _kept_secret.cache_clear()
    assert read({"COMMONPLACE_HOME": str(home)}).secret_key == first
    assert len(first) >= 48
    assert stat.S_IMODE((home / "secret_key").stat().st_mode) == 0o600
    assert [path.name for path in home.iterdir()] == ["secret_key"]
    assert read({"COMMONPLACE_HOME": str(home), "SECRET_KEY": "k" * 40}).secret_key == "k" * 40


def test_secrets_are_not_shown():
    assert "kkkk" not in repr(read({"SECRET_KEY": "k" * 40}))


def test_a_given_database_reaches_django_psycopg_and_celery():
    environment = read({"DATABASE_URL": "postgresql://me:p%40ss@db.example:5433/app?sslmode=require"})
    django = django_database(environment)
    assert (django["NAME"], django["USER"], django["PASSWORD"]) == ("app", "me", "p@ss")
    assert (django["HOST"], django["PORT"]) == ("db.example", "5433")
    assert django["OPTIONS"]["sslmode"] == "require"
    assert connection_arguments(environment)["password"] == "p@ss"
    assert broker_url(environment) == "sqla+postgresql+psycopg://me:p%40ss@db.example:5433/app?sslmode=require"


def test_the_embedded_database_is_reached_by_its_socket(tmp_path: Path):
    environment = read({"COMMONPLACE_HOME": str(tmp_path)})
    assert django_database(environment)["HOST"] == str(tmp_path / "run")
    assert broker_url(environment).startswith("sqla+postgresql+psycopg://commonplace@/commonplace?host=%2F")


def test_a_given_broker_is_taken_as_it_is():
    assert broker_url(read({"BROKER_URL": "redis://localhost:6379/3"})) == "redis://localhost:6379/3"


def test_every_variable_is_documented_and_nothing_else():
    documented = re.findall(r"^\| `([A-Z_]+)` \|", SETTINGS.read_text(), flags=re.MULTILINE)
    assert sorted(documented) == sorted(set(documented))
    assert set(documented) == set(variables())


def test_a_home_whose_name_is_too_long_is_told_in_one_line(tmp_path: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "SECRET_KEY"}
    ended = subprocess.run(
        [sys.executable, "-c", "from config.environment import secret_key_or_exit as key; key()"],
        cwd=ROOT, env=environment | {"COMMONPLACE_HOME": str(tmp_path / ("d" * 300))}, capture_output=True, text=True,
    )  # fmt: skip
    assert ended.returncode == 2
    assert ended.stderr.startswith("commonplace: COMMONPLACE_HOME cannot be written: ")
    assert ended.stderr.count("\n") == 1


@pytest.mark.parametrize("below", ["", "below"])
def test_a_home_that_is_a_file_is_named(tmp_path: Path, below: str) -> None:
    taken = tmp_path / "taken"
    taken.write_text("")
    environment = {name: value for name, value in os.environ.items() if name != "SECRET_KEY"}
    ended = subprocess.run(
        [sys.executable, "-c", "from config.environment import secret_key_or_exit as key; key()"],
        cwd=ROOT, env=environment | {"COMMONPLACE_HOME": str(taken / below)}, capture_output=True, text=True,
    )  # fmt: skip
    assert ended.returncode == 2
    assert f"COMMONPLACE_HOME cannot be written: {taken} is a file." in ended.stderr
    assert ended.stderr.count("\n") == 1
