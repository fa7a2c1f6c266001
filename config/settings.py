"""Django's settings; whatever depends on where the product runs comes from config.environment."""

from typing import Any

from csp.constants import NONE, SELF
from django.utils.translation import gettext_lazy as _

from config.databases import django_database
from config.environment import ROOT, read_or_exit, secret_key_or_exit

COMMONPLACE = read_or_exit()
BASE_DIR = ROOT

SECRET_KEY = secret_key_or_exit()
DEBUG = COMMONPLACE.debug
ALLOWED_HOSTS = list(COMMONPLACE.allowed_hosts)

INSTALLED_APPS = [
    "memory_app",
    "consolidation",
    "config",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "django.contrib.postgres",
    "ninja",
    "pgtrigger",
    "template_partials",
    "django_htmx",
    "csp",
    "lucide",
]

MIDDLEWARE = [
    "config.client_address.ClientAddress",
    "config.compression.PageCompression",
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "config.api_middleware.ApiMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "memory_app.middleware.PreferencesMiddleware",
    "memory_app.middleware.HtmxSignInMiddleware",
    "memory_app.middleware.OwnPasswordMiddleware",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
APPEND_SLASH = True

TEMPLATES: list[dict[str, Any]] = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "config.context.nonce",
                "memory_app.context_processors.shell",
            ],
        },
    },
]

# Database and cache
DATABASES: dict[str, Any] = {"default": django_database(COMMONPLACE)}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
CACHE_TABLE = "commonplace_cache"
# Rate limits count in the cache, so all processes must share it.
CACHES: dict[str, Any] = {
    "default": (
        {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": COMMONPLACE.cache_url}
        if COMMONPLACE.cache_url is not None
        else {
            "BACKEND": "django.core.cache.backends.db.DatabaseCache",
            "LOCATION": CACHE_TABLE,
            "OPTIONS": {"MAX_ENTRIES": 50_000},
        }
    )
}

# People
AUTH_USER_MODEL = "memory_app.Operator"
LOGIN_URL = "/accounts/login/"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "/accounts/login/"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
SESSION_ENGINE = "django.contrib.sessions.backends.db"
SESSION_COOKIE_NAME = "commonplace_session"
CSRF_COOKIE_NAME = "commonplace_csrf"

# What a question itself asks for stands before what is remembered; these rules of the other app read it
REQUESTS_READ_BY = "consolidation.distill.requests.wished"

# Languages
LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English")), ("zh-hans", _("Simplified Chinese"))]
LANGUAGE_COOKIE_NAME = "commonplace_language"
LOCALE_PATHS = [BASE_DIR / "locale"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"

# Static files: served as they lie in the tree, so a start needs no collecting
STATIC_URL = "/static/"
STATICFILES_DIRS = [BASE_DIR / "static"] if (BASE_DIR / "static").is_dir() else []
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.InMemoryStorage"},
    "staticfiles": {"BACKEND": "config.static_files.VersionedStorage"},
}
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = DEBUG
WHITENOISE_MAX_AGE = 0 if DEBUG else 3600

# What a browser may do with an answer
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF],
        "font-src": [SELF],
        "connect-src": [SELF],
        "manifest-src": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "base-uri": [NONE],
    }
}
X_FRAME_OPTIONS = "DENY"
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
CSRF_FAILURE_VIEW = "memory_app.views.sign_in.token_refused"
SESSION_COOKIE_HTTPONLY = CSRF_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = COMMONPLACE.secure
SECURE_SSL_REDIRECT = COMMONPLACE.secure
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$"]
SECURE_HSTS_SECONDS = 31_536_000 if COMMONPLACE.secure else 0
CSRF_TRUSTED_ORIGINS = [f"https://{name}" for name in ALLOWED_HOSTS if name != "*"] if COMMONPLACE.secure else []
DATA_UPLOAD_MAX_MEMORY_SIZE = COMMONPLACE.max_body_bytes

# Logs hold no request bodies, and what carries values is masked before it is written
LOGGING_CONFIG = "logging.config.dictConfig"
LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "masked": {
            "()": "config.logs.MaskingFormatter",
            "format": "%(asctime)s %(levelname)s %(name)s: %(message)s",
        }
    },
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "masked"}},
    "root": {"handlers": ["console"], "level": COMMONPLACE.log_level},
    "loggers": {
        # Statements carry parameters, so they are never logged, whatever the level.
        "django.db.backends": {"level": "INFO"},
        # Its lines of debugging hold whole pages' contexts.
        "django.template": {"level": "INFO"},
        "django": {"handlers": [], "level": "INFO", "propagate": True},
        # A refused request is the caller's affair, and its address is what the caller chose to write.
        "django.request": {"level": "ERROR"},
        "django.server": {"handlers": [], "level": "INFO", "propagate": True},
        # At INFO and below these tell of each task and each request: too much for a log that people read.
        "celery.worker.strategy": {"level": "WARNING"},
        "celery.app.trace": {"level": "WARNING"},
        "celery.beat": {"level": "WARNING"},
        "kombu": {"level": "WARNING"},
        # At DEBUG these tell of headers and bodies, a key and people's words among them.
        "httpx2": {"level": "WARNING"},
        "httpcore2": {"level": "WARNING"},
        "openai": {"level": "WARNING"},
        "jieba": {"level": "WARNING"},
    },
}
