"""The slots that a decision is about, kept beside it while it waits: a list of those of one slot has an index."""

import pgtrigger

# What its note says of a key, and what memory holds in it.
_KEYS = """ARRAY(SELECT DISTINCT key FROM (
    SELECT key FROM memory_app_note WHERE id = {decision}.note_id UNION ALL {memory}) said WHERE key <> '')"""


def keys_kept() -> pgtrigger.Trigger:
    """An open decision has the keys of its note and its memory; of what is settled nobody asks, and it has none."""
    keys = _KEYS.format(decision="NEW", memory="SELECT key FROM memory_app_memory WHERE id = NEW.memory_id")
    return pgtrigger.Trigger(
        name="keep_keys",
        when=pgtrigger.Before,
        operation=pgtrigger.Insert | pgtrigger.UpdateOf("status", "note_id", "memory_id"),
        func=f"""
            NEW.keys = CASE WHEN NEW.status IN ('pending', 'undone') THEN {keys} ELSE '{{}}' END;
            RETURN NEW;
        """,
    )


def keys_follow() -> pgtrigger.Trigger:
    """Where memory is given another key, the open decisions about it have that one."""
    keys = _KEYS.format(decision="d", memory="SELECT NEW.key")
    return pgtrigger.Trigger(
        name="keep_keys",
        when=pgtrigger.After,
        operation=pgtrigger.UpdateOf("key"),
        condition=pgtrigger.Condition("OLD.key IS DISTINCT FROM NEW.key"),
        func=f"""
            UPDATE memory_app_decision d SET keys = {keys}
             WHERE d.memory_id = NEW.id AND d.status IN ('pending', 'undone');
            RETURN NULL;
        """,  # noqa: S608  (no given text)
    )
