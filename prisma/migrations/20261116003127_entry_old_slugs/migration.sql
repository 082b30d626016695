-- CreateTable
CREATE TABLE "entry_old_slugs" (
    "entry_id" UUID NOT NULL,
    "locale" TEXT NOT NULL,
    "slug" TEXT NOT NULL,
    "business_id" UUID NOT NULL,
    "replaced_at" BIGINT NOT NULL,

    CONSTRAINT "entry_old_slugs_pkey" PRIMARY KEY ("entry_id","locale","slug")
);

-- CreateIndex
CREATE INDEX "entry_old_slugs_business_id_slug_replaced_at_idx" ON "entry_old_slugs"("business_id", "slug", "replaced_at");

-- AddForeignKey
ALTER TABLE "entry_old_slugs" ADD CONSTRAINT "entry_old_slugs_entry_id_fkey" FOREIGN KEY ("entry_id") REFERENCES "entries"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What follows is beyond Prisma's schema language.

CREATE FUNCTION "slugs_by_locale"("blocks" JSONB) RETURNS TABLE ("locale" TEXT, "slug" TEXT) LANGUAGE sql IMMUTABLE AS $$
  WITH "block" AS (SELECT jsonb_path_query_first("blocks", '$[*] ? (@.id == "slug").value') AS "value")
  SELECT '', "value" #>> '{}' FROM "block" WHERE jsonb_typeof("value") = 'string'
  UNION ALL
  SELECT t."key", t."value" #>> '{}' FROM "block",
    jsonb_each(CASE WHEN jsonb_typeof("block"."value") = 'object' THEN "block"."value" ELSE '{}' END) AS t
  WHERE jsonb_typeof(t."value") = 'string'
$$;

-- Longer ones than an index takes are no slugs of anybody.
CREATE FUNCTION "keep_old_slugs"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "entry_old_slugs" ("entry_id", "locale", "slug", "business_id", "replaced_at")
    SELECT NEW."id", s."locale", s."slug", NEW."business_id", "change_time"("change_author"())
    FROM (SELECT * FROM "slugs_by_locale"(OLD."blocks") EXCEPT SELECT * FROM "slugs_by_locale"(NEW."blocks")) s
    WHERE length(s."slug") BETWEEN 1 AND 200
    ON CONFLICT ("entry_id", "locale", "slug") DO UPDATE SET "replaced_at" = excluded."replaced_at";
  DELETE FROM "entry_old_slugs" o USING "slugs_by_locale"(NEW."blocks") s
    WHERE o."entry_id" = NEW."id" AND o."locale" = s."locale" AND o."slug" = s."slug";
  DELETE FROM "entry_old_slugs" o WHERE o."entry_id" = NEW."id" AND (o."locale", o."slug") IN (
    SELECT "locale", "slug" FROM "entry_old_slugs" WHERE "entry_id" = NEW."id" ORDER BY "replaced_at" DESC, "slug" OFFSET 100);
  RETURN NULL;
END
$$;

CREATE TRIGGER "slugs_changed" AFTER UPDATE OF "blocks" ON "entries"
  FOR EACH ROW WHEN (OLD."blocks" IS DISTINCT FROM NEW."blocks") EXECUTE FUNCTION "keep_old_slugs"();
