"""Addresses of the pages about what is remembered, and of the start page."""

from django.urls import path

from memory_app.views import (
    agents,
    alerts,
    audit,
    home,
    members,
    memories,
    memory,
    memory_add,
    memory_export,
    overview,
    quality,
    recall_debugger,
    search,
    seen,
    slots,
    users,
)

W = "w/<slug:workspace>/"
MEMORY = f"{W}memories/<uuid:memory_id>/"
MEMBER, SLOT = f"{W}members/<int:member_id>/", f"{W}slots/<uuid:slot_id>/"

urlpatterns = [
    path("", home.home, name="home"),
    path(f"{W}overview/", overview.overview, name="overview"),
    path(f"{W}quality/", quality.quality, name="quality"),
    path(f"{W}quality/metric/", quality.metric, name="metric"),
    path(f"{W}quality/alerts/<uuid:alert_id>/", alerts.alert_acknowledge, name="alert_acknowledge"),
    path(f"{W}memories/", memories.memories, name="memories"),
    path(f"{W}memories/bulk/", memories.memories_bulk, name="memories_bulk"),
    path(f"{W}memories/export/", memory_export.memories_export, name="memories_export"),
    path(f"{W}memories/new/", memory_add.memory_new, name="memory_new"),
    path(f"{W}memories/create/", memory_add.memory_create, name="memory_create"),
    path(MEMORY, memory.memory, name="memory"),
    path(f"{MEMORY}edit/", memory.memory_edit, name="memory_edit"),
    path(f"{MEMORY}pin/", memory.memory_pin, name="memory_pin"),
    path(f"{MEMORY}archive/", memory.memory_archive, name="memory_archive"),
    path(f"{MEMORY}restore/", memory.memory_restore, name="memory_restore"),
    path(f"{MEMORY}undo/<uuid:decision_id>/", memory.memory_undo, name="memory_undo"),
    path(f"{W}users/", users.users, name="users"),
    path(f"{W}users/<uuid:user_id>/", users.user, name="user"),
    path(f"{W}users/<uuid:user_id>/field/", users.user_field, name="user_field"),
    path(f"{W}agents/", agents.agents, name="agents"),
    path(f"{W}agents/keys/", agents.key_create, name="key_create"),
    path(f"{W}agents/keys/<uuid:key_id>/revoke/", agents.key_revoke, name="key_revoke"),
    path(f"{W}members/", members.members, name="members"),
    path(f"{W}members/add/", members.member_add, name="member_add"),
    path(f"{W}members/create/", members.member_create, name="member_create"),
    path(f"{W}members/solo/", members.workspace_solo, name="workspace_solo"),
    path(f"{MEMBER}role/", members.member_role, name="member_role"),
    path(f"{MEMBER}password/", members.member_password, name="member_password"),
    path(f"{MEMBER}remove/", members.member_remove, name="member_remove"),
    path(f"{W}slots/", slots.slots, name="slots"),
    path(f"{W}slots/new/", slots.slot_new, name="slot_new"),
    path(f"{W}slots/create/", slots.slot_create, name="slot_create"),
    path(SLOT, slots.slot, name="slot"),
    path(f"{SLOT}change/", slots.slot_change, name="slot_change"),
    path(f"{W}audit/", audit.audit, name="audit"),
    path(f"{W}audit/export/", audit.audit_export, name="audit_export"),
    path(f"{W}search/", search.search, name="search"),
    path(f"{W}recall/", recall_debugger.recall_page, name="recall"),
    path(f"{W}seen/", seen.seen, name="seen"),
]
