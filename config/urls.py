"""Every address of the product."""

from django.contrib import admin
from django.urls import include, path

from config import health, metrics
from config.api import api

handler500 = "config.failing.failed"

urlpatterns = [
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
    path("metrics", metrics.metrics, name="metrics"),
    path("api/v1/", api.urls),
    path("admin/", admin.site.urls),
    path("accounts/", include("memory_app.account_urls")),
    path("", include("consolidation.urls")),
    path("", include("memory_app.urls")),
]
