"""Pages of consolidation, under /w/<workspace>/."""

from django.urls import path

from consolidation.views import (
    approvals,
    bulk,
    combining,
    decide,
    deferring,
    guardrail_export,
    guardrails,
    live,
    review,
    rules,
    saved_views,
    sessions,
    trials,
    user_data,
)

W = "w/<slug:workspace>/"
DECISION, SESSION = f"{W}decisions/<uuid:decision_id>/", f"{W}sessions/<uuid:session_id>/"
BLOCK, APPROVAL = f"{W}guardrails/<uuid:block_id>/", f"{W}approvals/<uuid:decision_id>/"
TRIAL = f"{W}rules/trials/<uuid:trial_id>/"

urlpatterns = [
    path(f"{W}live/", live.live, name="live"),
    path(f"{W}review/", review.review, name="review"),
    path(f"{W}review/bulk/try/", bulk.review_try, name="review_try"),
    path(f"{W}review/bulk/", bulk.review_bulk, name="review_bulk"),
    path(f"{W}review/undo/", bulk.review_undo, name="review_undo"),
    path(f"{W}review/views/", saved_views.view_save, name="view_save"),
    path(f"{W}review/views/<uuid:view_id>/", saved_views.view_change, name="view_change"),
    path(f"{W}review/views/<uuid:view_id>/remove/", saved_views.view_remove, name="view_remove"),
    path(f"{DECISION}approve/", decide.decision_approve, name="decision_approve"),
    path(f"{DECISION}decline/", decide.decision_decline, name="decision_decline"),
    path(f"{DECISION}undo/", decide.decision_undo, name="decision_undo"),
    path(f"{DECISION}snooze/", deferring.decision_snooze, name="decision_snooze"),
    path(f"{DECISION}wake/", deferring.decision_wake, name="decision_wake"),
    path(f"{DECISION}escalate/", deferring.decision_escalate, name="decision_escalate"),
    path(f"{DECISION}hand-back/", deferring.decision_hand_back, name="decision_hand_back"),
    path(f"{W}sessions/", sessions.sessions, name="sessions"),
    path(SESSION, sessions.session, name="session"),
    path(f"{SESSION}status/", sessions.session_status, name="session_status"),
    path(f"{SESSION}consolidate/", sessions.session_consolidate, name="session_consolidate"),
    path(f"{SESSION}retry/", sessions.session_retry, name="session_retry"),
    path(f"{SESSION}approve/", sessions.session_approve, name="session_approve"),
    path(f"{W}memories/merge/", combining.memory_merge, name="memory_merge"),
    path(f"{W}memories/merge/done/", combining.memory_merge_done, name="memory_merge_done"),
    path(f"{W}memories/<uuid:memory_id>/split/", combining.memory_split, name="memory_split"),
    path(f"{W}memories/<uuid:memory_id>/split/done/", combining.memory_split_done, name="memory_split_done"),
    path(f"{W}users/<uuid:user_id>/export/", user_data.user_export, name="user_export"),
    path(f"{W}users/<uuid:user_id>/erase/", user_data.user_erase, name="user_erase"),
    path(f"{W}guardrails/", guardrails.guardrails, name="guardrails"),
    path(f"{W}guardrails/export/", guardrail_export.guardrails_export, name="guardrails_export"),
    path(f"{W}guardrails/try/", guardrails.guardrails_try, name="guardrails_try"),
    path(BLOCK, guardrails.block, name="block"),
    path(f"{BLOCK}release/", guardrails.block_release, name="block_release"),
    path(f"{BLOCK}keep/", guardrails.block_keep, name="block_keep"),
    path(f"{BLOCK}undo/", guardrails.block_undo, name="block_undo"),
    path(f"{W}approvals/", approvals.approvals, name="approvals"),
    path(f"{W}approvals/undo/", approvals.approvals_undo, name="approvals_undo"),
    path(f"{APPROVAL}approve/", approvals.approval_approve, name="approval_approve"),
    path(f"{APPROVAL}decline/", approvals.approval_decline, name="approval_decline"),
    path(f"{APPROVAL}ask/", approvals.approval_ask, name="approval_ask"),
    path(f"{APPROVAL}undo/", approvals.approval_undo, name="approval_undo"),
    path(f"{W}rules/", rules.rules, name="rules"),
    path(f"{W}rules/policy/", rules.policy_edit, name="policy_edit"),
    path(f"{W}rules/policy/save/", rules.policy_save, name="policy_save"),
    path(f"{W}rules/policy/try/", trials.policy_try, name="policy_try"),
    path(TRIAL, trials.policy_trial, name="policy_trial"),
    path(f"{TRIAL}adopt/", trials.policy_adopt, name="policy_adopt"),
]
