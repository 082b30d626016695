-- Files that the draft of an entry names are used by the entry, which keeps those of earlier versions, too.
CREATE FUNCTION "keep_draft_media_uses"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "media_uses" ("owner_id", "media_id", "business_id")
    SELECT NEW."id", "m"."id", "m"."business_id" FROM (
      SELECT "f"."id", "f"."business_id" FROM "media" "f" JOIN "entries" "e" ON "e"."id" = NEW."id" AND "e"."business_id" = "f"."business_id"
      WHERE "f"."id" = ANY("media_named_in"(NEW."blocks"::text)) AND "f"."state" <> 'UPLOADING'
      ORDER BY "f"."id" FOR KEY SHARE OF "f"
    ) "m"
    ON CONFLICT DO NOTHING;
  RETURN NULL;
END
$$;

CREATE TRIGGER "media_named" AFTER INSERT OR UPDATE OF "blocks" ON "entry_drafts" FOR EACH ROW
  WHEN (NEW."blocks"::text LIKE '%/media/%') EXECUTE FUNCTION "keep_draft_media_uses"();
