-- CreateTable: keys compare byte by byte, so that they are in the same order on every server.
CREATE TABLE "entry_sort_keys" (
    "business_id" UUID NOT NULL,
    "collection_id" UUID NOT NULL,
    "block" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "key" TEXT COLLATE "C" NOT NULL,
    "entry_id" UUID NOT NULL,

    CONSTRAINT "entry_sort_keys_pkey" PRIMARY KEY ("entry_id","block")
);

-- What follows is beyond Prisma's schema language.

-- A number as a text that compares as it does: its bits, which for negative ones are turned round.
CREATE FUNCTION "number_sort_key"("number" DOUBLE PRECISION) RETURNS TEXT LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN "number" < 0 THEN '0' || translate(encode(float8send("number"), 'hex'), '0123456789abcdef', 'fedcba9876543210')
    ELSE '1' || encode(float8send("number"), 'hex') END
$$;

-- Of texts by locale that of the entry's own locale, of its language, or the first by the name of its locale.
CREATE FUNCTION "text_sort_key"("texts" JSONB, "own" TEXT) RETURNS TEXT LANGUAGE sql IMMUTABLE AS $$
  SELECT lower(left(t."value" #>> '{}', 200)) FROM jsonb_each("texts") t, LATERAL (
    SELECT lower(replace(t."key", '_', '-')) AS "name", lower(replace("own", '_', '-')) AS "wanted"
  ) n WHERE jsonb_typeof(t."value") = 'string' AND t."value" <> '""'
  ORDER BY "name" <> "wanted", "name" <> split_part("wanted", '-', 1), "name" COLLATE "C" LIMIT 1
$$;

CREATE FUNCTION "entry_sortable"("blocks" JSONB, "own" TEXT) RETURNS TABLE ("block" TEXT, "kind" TEXT, "key" TEXT) LANGUAGE sql IMMUTABLE AS $$
  SELECT * FROM (
    SELECT b->>'id', b->>'type', CASE
      WHEN b->>'type' IN ('NUMBER', 'DATE') AND jsonb_typeof(b->'value') = 'number' THEN "number_sort_key"((b->>'value')::double precision)
      WHEN b->>'type' = 'BOOLEAN' AND jsonb_typeof(b->'value') = 'boolean' THEN b->>'value'
      WHEN b->>'type' IN ('TEXT', 'SELECT') AND jsonb_typeof(b->'value') = 'string' THEN nullif(lower(left(b->>'value', 200)), '')
      WHEN b->>'type' = 'TEXT' AND jsonb_typeof(b->'value') = 'object' THEN "text_sort_key"(b->'value', "own") END
    FROM jsonb_array_elements("blocks") b
  ) "sortable" ("block", "kind", "key") WHERE "block" IS NOT NULL AND "key" IS NOT NULL
$$;

CREATE FUNCTION "sort_entry"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    IF OLD."blocks" IS NOT DISTINCT FROM NEW."blocks" AND OLD."locale" = NEW."locale" AND OLD."owner" = NEW."owner" THEN
      RETURN NULL;
    END IF;
    DELETE FROM "entry_sort_keys" WHERE "entry_id" = NEW."id";
  END IF;
  IF NEW."collection_id" IS NOT NULL THEN
    INSERT INTO "entry_sort_keys" ("business_id", "collection_id", "block", "kind", "key", "entry_id")
      SELECT NEW."business_id", NEW."collection_id", s."block", s."kind", s."key", NEW."id"
      FROM "entry_sortable"(NEW."blocks", NEW."locale") s ON CONFLICT DO NOTHING;
  END IF;
  RETURN NULL;
END
$$;

-- Nobody writes entries from here on until these are there, about 10 s for 100,000: none is forgotten.
CREATE TRIGGER "sort_added" AFTER INSERT ON "entries" FOR EACH ROW EXECUTE FUNCTION "sort_entry"();
CREATE TRIGGER "sort_changed" AFTER UPDATE OF "blocks", "locale", "owner" ON "entries" FOR EACH ROW EXECUTE FUNCTION "sort_entry"();

-- The entries there are.
INSERT INTO "entry_sort_keys" ("business_id", "collection_id", "block", "kind", "key", "entry_id")
  SELECT e."business_id", e."collection_id", s."block", s."kind", s."key", e."id"
  FROM "entries" e, "entry_sortable"(e."blocks", e."locale") s WHERE e."collection_id" IS NOT NULL ON CONFLICT DO NOTHING;

-- CreateIndex: once for all of them is quicker than one by one, and so is the check of the key.
CREATE INDEX "entry_sort_keys_collection_id_block_kind_key_entry_id_idx" ON "entry_sort_keys"("collection_id", "block", "kind", "key", "entry_id");

-- AddForeignKey
ALTER TABLE "entry_sort_keys" ADD CONSTRAINT "entry_sort_keys_entry_id_fkey" FOREIGN KEY ("entry_id") REFERENCES "entries"("id") ON DELETE CASCADE ON UPDATE CASCADE;
