"""What every template can use."""

from django.http import HttpRequest


def nonce(request: HttpRequest) -> dict[str, object]:
    """``csp_nonce`` under the name that django-htmx reads; asking for it adds it to the policy."""
    from csp.context_processors import nonce as csp_nonce

    return {"csp_nonce": csp_nonce(request)["CSP_NONCE"]}
