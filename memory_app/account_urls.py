"""Addresses under /accounts/: signing in and out, and an operator's preferences."""

from django.contrib.auth.views import LogoutView
from django.urls import path

from memory_app.views import preferences, sign_in

urlpatterns = [
    path("login/", sign_in.SignIn.as_view(), name="login"),
    path("logout/", LogoutView.as_view(), name="logout"),
    path("preferences/", preferences.preferences, name="preferences"),
    path("password/", preferences.password, name="password"),
    path("language/", preferences.set_language, name="set_language"),
    path("theme/", preferences.set_theme, name="set_theme"),
    path("shortcuts/", preferences.set_shortcuts, name="set_shortcuts"),
]
