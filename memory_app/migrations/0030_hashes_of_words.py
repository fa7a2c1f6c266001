"""A search entry knows the hashes of its words: whether any of a question's is among them is said by numbers, many times as
fast as by texts. The database keeps them itself, so none can be another one's."""

from django.db import migrations

# One for each word, without regard to order: the first 32 bits of its SHA-256, the same in every release of PostgreSQL, as
# `hashtext` need not be. Immutable: that of a question's words is worked out once for a statement.
FUNCTION = """
CREATE FUNCTION word_hashes(words text[]) RETURNS int4[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT coalesce(array_agg(DISTINCT ('x' || encode(substr(digest, 1, 4), 'hex'))::bit(32)::int4), '{}')
      FROM (SELECT sha256(convert_to(word, 'UTF8')) AS digest FROM unnest(words) AS word) AS digests
$$
"""
# Short enough to stay in the row, and never moved out of it.
COLUMN = """
ALTER TABLE memory_app_searchentry ADD COLUMN hashes int4[] GENERATED ALWAYS AS (word_hashes(tokens)) STORED;
ALTER TABLE memory_app_searchentry ALTER COLUMN hashes SET STORAGE MAIN
"""


class Migration(migrations.Migration):
    dependencies = [("memory_app", "0029_marks_of_what_passed")]

    operations = [
        migrations.RunSQL(FUNCTION, "DROP FUNCTION word_hashes(text[])"),
        migrations.RunSQL(COLUMN, "ALTER TABLE memory_app_searchentry DROP COLUMN hashes"),
    ]
