"""A search entry knows the hashes of its words: whether any of a question's is among them is said by numbers, many times as
fast as by texts. The database keeps them itself, so none can be another one's."""

from django.db import migrations

# One for each word, without regard to order. Immutable: that of a question's words is worked out once for a statement.
FUNCTION = """
CREATE FUNCTION word_hashes(words text[]) RETURNS int4[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT coalesce(array_agg(DISTINCT hashtext(word COLLATE "C")), '{}') FROM unnest(words) AS word
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
