-- Not CONCURRENTLY: that waits for every other transaction, also for those of processes that wait for these migrations.
-- lint: allow index: building them reads orders, entries and subscriptions a few times, seconds for a million

-- CreateTable
CREATE TABLE "entry_values" (
    "business_id" UUID NOT NULL,
    "block" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "entry_id" UUID NOT NULL,

    CONSTRAINT "entry_values_pkey" PRIMARY KEY ("entry_id","block","value")
);

-- CreateIndex
CREATE INDEX "entry_values_business_id_block_value_entry_id_idx" ON "entry_values"("business_id", "block", "value", "entry_id");

-- CreateIndex
CREATE INDEX "entries_business_id_created_at_id_idx" ON "entries"("business_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "entries_business_id_updated_at_id_idx" ON "entries"("business_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "orders_business_id_total_id_idx" ON "orders"("business_id", "total", "id");

-- CreateIndex
CREATE INDEX "orders_business_id_created_at_id_idx" ON "orders"("business_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "orders_business_id_updated_at_id_idx" ON "orders"("business_id", "updated_at", "id");

-- CreateIndex: byte by byte, so that addresses are in the same order on every server.
CREATE INDEX "subscriptions_collection_id_key_id_idx" ON "subscriptions"("collection_id", "key" COLLATE "C", "id");

-- CreateIndex
CREATE INDEX "subscriptions_collection_id_created_at_id_idx" ON "subscriptions"("collection_id", "created_at", "id");

-- What follows is beyond Prisma's schema language.

-- What entries are found by: short texts in any locale, numbers, options, yes and no, and under an empty name the targets of relationships.
CREATE FUNCTION "entry_findable"("blocks" JSONB) RETURNS TABLE ("block" TEXT, "value" TEXT) LANGUAGE sql IMMUTABLE AS $$
  WITH "said" AS (
    SELECT b->>'id' AS "id", b->>'type' AS "type", b->'value' AS "value" FROM jsonb_array_elements("blocks") b
    WHERE b->>'type' IN ('TEXT', 'NUMBER', 'BOOLEAN', 'DATE', 'RELATIONSHIP', 'SELECT', 'MULTI_SELECT')
  ), "each" AS (
    SELECT "id", "type", v FROM "said", LATERAL jsonb_path_query("value", 'lax $.**{0 to 1}') v
    WHERE jsonb_typeof(v) IN ('string', 'number', 'boolean')
  )
  SELECT n, v #>> '{}' FROM "each", LATERAL unnest(CASE WHEN "type" = 'RELATIONSHIP' THEN ARRAY["id", ''] ELSE ARRAY["id"] END) n
  WHERE length(v #>> '{}') BETWEEN 1 AND 200 GROUP BY 1, 2
$$;

CREATE FUNCTION "list_entry"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    IF OLD."blocks" IS NOT DISTINCT FROM NEW."blocks" THEN
      RETURN NULL;
    END IF;
    DELETE FROM "entry_values" WHERE "entry_id" = NEW."id";
  END IF;
  INSERT INTO "entry_values" ("business_id", "block", "value", "entry_id")
    SELECT NEW."business_id", f."block", f."value", NEW."id" FROM "entry_findable"(NEW."blocks") f;
  RETURN NULL;
END
$$;

CREATE TRIGGER "list_added" AFTER INSERT ON "entries" FOR EACH ROW EXECUTE FUNCTION "list_entry"();
CREATE TRIGGER "list_changed" AFTER UPDATE OF "blocks" ON "entries" FOR EACH ROW EXECUTE FUNCTION "list_entry"();

CREATE FUNCTION "unlist_entries"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM "entry_values" WHERE "entry_id" IN (SELECT "id" FROM "removed");
  RETURN NULL;
END
$$;

CREATE TRIGGER "list_removed" AFTER DELETE ON "entries" REFERENCING OLD TABLE AS "removed"
  FOR EACH STATEMENT EXECUTE FUNCTION "unlist_entries"();

-- The entries there are.
INSERT INTO "entry_values" ("business_id", "block", "value", "entry_id")
  SELECT e."business_id", f."block", f."value", e."id" FROM "entries" e, "entry_findable"(e."blocks") f;
