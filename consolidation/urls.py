"""Pages of consolidation, under /w/<workspace>/."""

from django.urls import path

from consolidation.views import decide, review, sessions

W = "w/<slug:workspace>/"
DECISION, SESSION = f"{W}decisions/<uuid:decision_id>/", f"{W}sessions/<uuid:session_id>/"

urlpatterns = [
    path(f"{W}review/", review.review, name="review"),
    path(f"{W}review/news/", review.review_news, name="review_news"),
    path(f"{W}review/bulk/", decide.review_bulk, name="review_bulk"),
    path(f"{DECISION}state/", review.decision_state, name="decision_state"),
    path(f"{DECISION}approve/", decide.decision_approve, name="decision_approve"),
    path(f"{DECISION}decline/", decide.decision_decline, name="decision_decline"),
    path(f"{DECISION}undo/", decide.decision_undo, name="decision_undo"),
    path(f"{W}sessions/", sessions.sessions, name="sessions"),
    path(SESSION, sessions.session, name="session"),
    path(f"{SESSION}status/", sessions.session_status, name="session_status"),
    path(f"{SESSION}consolidate/", sessions.session_consolidate, name="session_consolidate"),
    path(f"{SESSION}retry/", sessions.session_retry, name="session_retry"),
    path(f"{SESSION}approve/", sessions.session_approve, name="session_approve"),
]
