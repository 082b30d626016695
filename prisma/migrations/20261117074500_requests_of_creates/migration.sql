-- One statement may write new records of several requests: the history says of each which one made it. Only a function, as before.
CREATE OR REPLACE FUNCTION "note_created"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
DECLARE
  "author" JSONB := "change_author"();
  "time" BIGINT := "change_time"("author");
BEGIN
  INSERT INTO "changes" ("id", "business_id", "kind", "record_id", "action", "actor", "user_id", "key_id", "request_id", "voice", "after", "created_at")
  SELECT "change_id"("time"), (r."row"->>TG_ARGV[1])::uuid, TG_ARGV[0], r."row"->>TG_ARGV[2], 'CREATE',
    coalesce("author"->>'actor', 'SYSTEM'), ("author"->>'userId')::uuid, "author"->>'keyId',
    coalesce("author"->>'requestId', "author"->'requests'->>(r."row"->>TG_ARGV[2])), coalesce("author"->>'voice', 'JOB'),
    CASE WHEN TG_ARGV[4] = '{}' AND octet_length(r."fields"::text) <= 4000 THEN r."fields"
      ELSE "change_snapshot"(r."row", TG_ARGV[3]::text[], TG_ARGV[4]::jsonb) END,
    "time" / 1000
  FROM (
    SELECT o."row", "change_fields"(o."row", TG_ARGV[3]::text[]) AS "fields"
    FROM (SELECT to_jsonb(a) AS "row" FROM "added" a OFFSET 0) o OFFSET 0
  ) r;
  RETURN NULL;
END
$$;
