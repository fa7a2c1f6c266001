"""Who looks at the pages: browsers without a browser, signed in."""

from django.test import Client

from memory_app.models import Operator


def signed_in(operator: Operator) -> Client:
    client = Client()
    client.force_login(operator)
    return client
