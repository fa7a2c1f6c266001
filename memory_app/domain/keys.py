"""API keys: how one is made and how it is looked up. Nothing but the digest and the visible start is stored."""

import hashlib
import secrets

PREFIX = "cpk_"


def new_secret() -> tuple[str, str, str]:
    """A fresh key, its visible start and its digest."""
    secret = PREFIX + secrets.token_urlsafe(32)
    return secret, secret[: len(PREFIX) + 6], digest_of(secret)


def digest_of(secret: str) -> str:
    """The form in which a key is looked up: it carries 256 random bits, so a plain hash is enough."""
    return hashlib.sha256(secret.encode(errors="surrogatepass")).hexdigest()
