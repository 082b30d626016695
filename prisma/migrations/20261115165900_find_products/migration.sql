-- CreateTable
CREATE TABLE "product_listings" (
    "product_id" UUID NOT NULL,
    "business_id" UUID NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "search" tsvector NOT NULL,
    "created_at" BIGINT NOT NULL,
    "updated_at" BIGINT NOT NULL,

    CONSTRAINT "product_listings_pkey" PRIMARY KEY ("product_id")
);

-- CreateTable
CREATE TABLE "product_prices" (
    "product_id" UUID NOT NULL,
    "market" TEXT NOT NULL,
    "business_id" UUID NOT NULL,
    "price" BIGINT NOT NULL,

    CONSTRAINT "product_prices_pkey" PRIMARY KEY ("product_id","market")
);

-- CreateTable
CREATE TABLE "product_attributes" (
    "business_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "product_id" UUID NOT NULL,

    CONSTRAINT "product_attributes_pkey" PRIMARY KEY ("product_id","name","value")
);

-- CreateTable
CREATE TABLE "product_stock" (
    "product_id" UUID NOT NULL,
    "business_id" UUID NOT NULL,
    "stock" BIGINT NOT NULL,

    CONSTRAINT "product_stock_pkey" PRIMARY KEY ("product_id")
);

-- CreateIndex
CREATE INDEX "product_listings_business_id_name_product_id_idx" ON "product_listings"("business_id", "name", "product_id");

-- CreateIndex
CREATE INDEX "product_listings_business_id_created_at_product_id_idx" ON "product_listings"("business_id", "created_at", "product_id");

-- CreateIndex
CREATE INDEX "product_listings_business_id_updated_at_product_id_idx" ON "product_listings"("business_id", "updated_at", "product_id");

-- CreateIndex
CREATE INDEX "product_listings_search_idx" ON "product_listings" USING GIN ("search");

-- CreateIndex
CREATE INDEX "product_prices_business_id_market_price_product_id_idx" ON "product_prices"("business_id", "market", "price", "product_id");

-- CreateIndex
CREATE INDEX "product_attributes_business_id_name_value_product_id_idx" ON "product_attributes"("business_id", "name", "value", "product_id");

-- CreateIndex
CREATE INDEX "product_stock_business_id_stock_product_id_idx" ON "product_stock"("business_id", "stock", "product_id");

-- What follows is beyond Prisma's schema language.

-- Mistyped words are looked up by their trigrams. Where the extension is not to be had, search goes by whole words alone.
DO $$
BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE INDEX "product_listings_trigram_idx" ON "product_listings" USING GIN ("name" gin_trgm_ops);
EXCEPTION WHEN OTHERS THEN
  RAISE WARNING 'pg_trgm is missing (%): search does not forgive typing mistakes.', SQLERRM;
END
$$;

-- The words of a product; a match in its name counts most.
CREATE FUNCTION "product_words"("name" TEXT, "category" TEXT, "document" JSONB) RETURNS tsvector LANGUAGE sql IMMUTABLE AS $$
  SELECT setweight(to_tsvector('english', "name"), 'A') || setweight(to_tsvector('english', "category"), 'B')
    || setweight(to_tsvector('english', coalesce("document"->>'description', '')), 'C')
$$;

CREATE FUNCTION "product_lowest_prices"("variants" JSONB) RETURNS TABLE ("market" TEXT, "price" BIGINT) LANGUAGE sql IMMUTABLE AS $$
  SELECT lower(m->>'marketId'), min((m->>'price')::bigint)
  FROM jsonb_array_elements("variants") v, jsonb_array_elements(v->'pricing'->'markets') m GROUP BY 1
$$;

CREATE FUNCTION "product_distinct_attributes"("variants" JSONB) RETURNS TABLE ("name" TEXT, "value" TEXT) LANGUAGE sql IMMUTABLE AS $$
  SELECT DISTINCT a->>'name', a->>'value' FROM jsonb_array_elements("variants") v, jsonb_array_elements(v->'attributes') a
$$;

CREATE FUNCTION "product_left"("of" UUID) RETURNS BIGINT LANGUAGE sql STABLE AS $$
  SELECT coalesce(sum(CASE WHEN v."tracked" THEN v."quantity" ELSE 2147483647 END), 0)::bigint FROM "variants" v WHERE v."product_id" = "of"
$$;

CREATE FUNCTION "list_product"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO "product_listings" ("product_id", "business_id", "name", "search", "created_at", "updated_at") VALUES
      (NEW."id", NEW."business_id", lower(NEW."name"), "product_words"(NEW."name", NEW."category", NEW."document"), NEW."created_at", NEW."updated_at");
    INSERT INTO "product_stock" ("product_id", "business_id", "stock") VALUES (NEW."id", NEW."business_id", "product_left"(NEW."id"));
  ELSE
    UPDATE "product_listings" SET "name" = lower(NEW."name"), "updated_at" = NEW."updated_at",
      "search" = "product_words"(NEW."name", NEW."category", NEW."document") WHERE "product_id" = NEW."id";
    IF OLD."document"->'variants' IS NOT DISTINCT FROM NEW."document"->'variants' THEN
      RETURN NULL;
    END IF;
    DELETE FROM "product_prices" WHERE "product_id" = NEW."id";
    DELETE FROM "product_attributes" WHERE "product_id" = NEW."id";
  END IF;
  INSERT INTO "product_prices" ("product_id", "market", "business_id", "price")
    SELECT NEW."id", p."market", NEW."business_id", p."price" FROM "product_lowest_prices"(NEW."document"->'variants') p;
  INSERT INTO "product_attributes" ("product_id", "name", "value", "business_id")
    SELECT NEW."id", a."name", a."value", NEW."business_id" FROM "product_distinct_attributes"(NEW."document"->'variants') a;
  RETURN NULL;
END
$$;

CREATE TRIGGER "list_added" AFTER INSERT ON "products" FOR EACH ROW EXECUTE FUNCTION "list_product"();
CREATE TRIGGER "list_changed" AFTER UPDATE OF "name", "category", "document", "updated_at" ON "products"
  FOR EACH ROW EXECUTE FUNCTION "list_product"();

CREATE FUNCTION "unlist_products"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM "product_listings" WHERE "product_id" IN (SELECT "id" FROM "removed");
  DELETE FROM "product_prices" WHERE "product_id" IN (SELECT "id" FROM "removed");
  DELETE FROM "product_attributes" WHERE "product_id" IN (SELECT "id" FROM "removed");
  DELETE FROM "product_stock" WHERE "product_id" IN (SELECT "id" FROM "removed");
  RETURN NULL;
END
$$;

CREATE TRIGGER "list_removed" AFTER DELETE ON "products" REFERENCING OLD TABLE AS "removed"
  FOR EACH STATEMENT EXECUTE FUNCTION "unlist_products"();

-- Whoever moves stock holds the lock of the product, so that nobody else is adding up at the same time.
CREATE FUNCTION "list_stock"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "product_stock" s SET "stock" = "product_left"(s."product_id")
  WHERE s."product_id" IN (SELECT DISTINCT c."product_id" FROM "changed" c) AND s."stock" <> "product_left"(s."product_id");
  RETURN NULL;
END
$$;

CREATE TRIGGER "list_stock_added" AFTER INSERT ON "variants" REFERENCING NEW TABLE AS "changed"
  FOR EACH STATEMENT EXECUTE FUNCTION "list_stock"();
CREATE TRIGGER "list_stock_changed" AFTER UPDATE ON "variants" REFERENCING NEW TABLE AS "changed"
  FOR EACH STATEMENT EXECUTE FUNCTION "list_stock"();
CREATE TRIGGER "list_stock_removed" AFTER DELETE ON "variants" REFERENCING OLD TABLE AS "changed"
  FOR EACH STATEMENT EXECUTE FUNCTION "list_stock"();

-- The products there are.
INSERT INTO "product_listings" ("product_id", "business_id", "name", "search", "created_at", "updated_at")
  SELECT "id", "business_id", lower("name"), "product_words"("name", "category", "document"), "created_at", "updated_at" FROM "products";
INSERT INTO "product_stock" ("product_id", "business_id", "stock") SELECT "id", "business_id", "product_left"("id") FROM "products";
INSERT INTO "product_prices" ("product_id", "market", "business_id", "price")
  SELECT p."id", l."market", p."business_id", l."price" FROM "products" p, "product_lowest_prices"(p."document"->'variants') l;
INSERT INTO "product_attributes" ("product_id", "name", "value", "business_id")
  SELECT p."id", a."name", a."value", p."business_id" FROM "products" p, "product_distinct_attributes"(p."document"->'variants') a;

-- Searches go by the listing now.
DROP INDEX "products_search_idx";
