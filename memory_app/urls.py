"""Addresses of the pages about what is remembered, and of the start page."""

from django.urls import path

from memory_app.views import home, memories, memory, overview, shell, users

W = "w/<slug:workspace>/"
MEMORY = f"{W}memories/<uuid:memory_id>/"

urlpatterns = [
    path("", home.home, name="home"),
    path(f"{W}overview/", overview.overview, name="overview"),
    path(f"{W}counts/", shell.counts, name="counts"),
    path(f"{W}memories/", memories.memories, name="memories"),
    path(f"{W}memories/bulk/", memories.memories_bulk, name="memories_bulk"),
    path(MEMORY, memory.memory, name="memory"),
    path(f"{MEMORY}edit/", memory.memory_edit, name="memory_edit"),
    path(f"{MEMORY}pin/", memory.memory_pin, name="memory_pin"),
    path(f"{MEMORY}archive/", memory.memory_archive, name="memory_archive"),
    path(f"{MEMORY}restore/", memory.memory_restore, name="memory_restore"),
    path(f"{MEMORY}undo/<uuid:decision_id>/", memory.memory_undo, name="memory_undo"),
    path(f"{W}users/", users.users, name="users"),
    path(f"{W}users/<uuid:user_id>/", users.user, name="user"),
]
