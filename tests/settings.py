"""The product's settings on a home of the test run's own: one folder, shared by all its processes."""

import os
import tempfile

if "COMMONPLACE_TEST_HOME" not in os.environ:
    os.environ["COMMONPLACE_TEST_HOME"] = tempfile.mkdtemp(prefix="commonplace-test-")
os.environ["COMMONPLACE_HOME"] = os.environ["COMMONPLACE_TEST_HOME"]
for name in (
    "DATABASE_URL",
    "BROKER_URL",
    "CACHE_URL",
    "EMBEDDINGS_URL",
    "LLM_URL",
    "DEBUG",
    "SECURE",
    "ALLOWED_HOSTS",
):
    os.environ.pop(name, None)

from config.settings import *  # noqa: E402, F403

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
