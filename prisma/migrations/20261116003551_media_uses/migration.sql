-- CreateTable
CREATE TABLE "media_uses" (
    "owner_id" UUID NOT NULL,
    "media_id" UUID NOT NULL,
    "business_id" UUID NOT NULL,

    CONSTRAINT "media_uses_pkey" PRIMARY KEY ("owner_id","media_id")
);

-- CreateTable
CREATE TABLE "media_unused" (
    "media_id" UUID NOT NULL,
    "since" BIGINT NOT NULL,

    CONSTRAINT "media_unused_pkey" PRIMARY KEY ("media_id")
);

-- CreateIndex
CREATE INDEX "media_uses_media_id_idx" ON "media_uses"("media_id");

-- CreateIndex
CREATE INDEX "media_uses_business_id_idx" ON "media_uses"("business_id");

-- CreateIndex
CREATE INDEX "media_unused_since_media_id_idx" ON "media_unused"("since", "media_id");

-- AddForeignKey
ALTER TABLE "media_uses" ADD CONSTRAINT "media_uses_media_id_fkey" FOREIGN KEY ("media_id") REFERENCES "media"("id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "media_uses" ADD CONSTRAINT "media_uses_business_id_fkey" FOREIGN KEY ("business_id") REFERENCES "businesses"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "media_unused" ADD CONSTRAINT "media_unused_media_id_fkey" FOREIGN KEY ("media_id") REFERENCES "media"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What follows is beyond Prisma's schema language.

-- The uploaded files that a record names are told from its text: addresses begin with their id. Entries keep those of earlier versions.
CREATE FUNCTION "keep_media_uses"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
DECLARE
  "text" TEXT;
  "named" UUID[];
BEGIN
  IF TG_OP = 'DELETE' THEN
    DELETE FROM "media_uses" WHERE "owner_id" = OLD."id";
    RETURN NULL;
  END IF;
  IF TG_TABLE_NAME = 'entries' THEN
    "text" := NEW."blocks"::text;
  ELSE
    "text" := NEW."document"::text;
  END IF;
  "named" := "media_named_in"("text");
  IF TG_OP = 'UPDATE' AND TG_TABLE_NAME <> 'entries' THEN
    DELETE FROM "media_uses" WHERE "owner_id" = NEW."id" AND "media_id" <> ALL("named");
  END IF;
  -- Whoever deletes one of them in this moment is waited for, and what is gone then is not used.
  INSERT INTO "media_uses" ("owner_id", "media_id", "business_id")
    SELECT NEW."id", "m"."id", NEW."business_id" FROM (
      SELECT "id" FROM "media" WHERE "id" = ANY("named") AND "business_id" = NEW."business_id" AND "state" <> 'UPLOADING'
      ORDER BY "id" FOR KEY SHARE
    ) "m"
    ON CONFLICT DO NOTHING;
  RETURN NULL;
END
$$;

CREATE FUNCTION "media_named_in"("text" TEXT) RETURNS UUID[] LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(array_agg(DISTINCT "found"[1]::uuid), '{}') FROM regexp_matches("text",
    '/media/([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})/', 'gi') AS "found"
$$;

CREATE TRIGGER "media_named" AFTER INSERT ON "products" FOR EACH ROW
  WHEN (NEW."document"::text LIKE '%/media/%') EXECUTE FUNCTION "keep_media_uses"();
CREATE TRIGGER "media_renamed" AFTER UPDATE OF "document" ON "products" FOR EACH ROW
  WHEN (OLD."document"::text LIKE '%/media/%' OR NEW."document"::text LIKE '%/media/%') EXECUTE FUNCTION "keep_media_uses"();
CREATE TRIGGER "media_left" AFTER DELETE ON "products" FOR EACH ROW
  WHEN (OLD."document"::text LIKE '%/media/%') EXECUTE FUNCTION "keep_media_uses"();
CREATE TRIGGER "media_named" AFTER INSERT ON "collections" FOR EACH ROW
  WHEN (NEW."document"::text LIKE '%/media/%') EXECUTE FUNCTION "keep_media_uses"();
CREATE TRIGGER "media_renamed" AFTER UPDATE OF "document" ON "collections" FOR EACH ROW
  WHEN (OLD."document"::text LIKE '%/media/%' OR NEW."document"::text LIKE '%/media/%') EXECUTE FUNCTION "keep_media_uses"();
CREATE TRIGGER "media_left" AFTER DELETE ON "collections" FOR EACH ROW
  WHEN (OLD."document"::text LIKE '%/media/%') EXECUTE FUNCTION "keep_media_uses"();
CREATE TRIGGER "media_named" AFTER INSERT OR UPDATE OF "blocks" ON "entries" FOR EACH ROW
  WHEN (NEW."blocks"::text LIKE '%/media/%') EXECUTE FUNCTION "keep_media_uses"();
CREATE TRIGGER "media_left" AFTER DELETE ON "entries" FOR EACH ROW EXECUTE FUNCTION "keep_media_uses"();

-- The records there are.
INSERT INTO "media_uses" ("owner_id", "media_id", "business_id")
  SELECT "r"."id", "m"."id", "m"."business_id" FROM (
    SELECT "id", "business_id", "document"::text AS "text" FROM "products" WHERE "document"::text LIKE '%/media/%'
    UNION ALL SELECT "id", "business_id", "document"::text FROM "collections" WHERE "document"::text LIKE '%/media/%'
    UNION ALL SELECT "id", "business_id", "blocks"::text FROM "entries" WHERE "blocks"::text LIKE '%/media/%'
    UNION ALL SELECT "e"."id", "e"."business_id", "v"."blocks"::text FROM "entry_versions" "v" JOIN "entries" "e" ON "e"."id" = "v"."entry_id"
      WHERE "v"."blocks"::text LIKE '%/media/%'
  ) "r" JOIN "media" "m" ON "m"."id" = ANY("media_named_in"("r"."text")) AND "m"."business_id" = "r"."business_id" AND "m"."state" <> 'UPLOADING'
  ON CONFLICT DO NOTHING;
