-- CreateTable
CREATE TABLE "cache_purges" (
    "id" BIGSERIAL NOT NULL,
    "business_id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "send_at" BIGINT NOT NULL,

    CONSTRAINT "cache_purges_pkey" PRIMARY KEY ("id")
);

-- Only businesses with `public_read` have responses in shared caches. A record purges the responses with this record, and all lists of its
-- kind: the argument is the name of the list.
CREATE FUNCTION "purge_record"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "cache_purges" ("business_id", "key", "send_at")
  SELECT DISTINCT b."id", k."key", extract(epoch FROM clock_timestamp())::bigint
  FROM "changed" c JOIN "businesses" b ON b."id" = c."business_id" AND b."public_read",
    LATERAL (VALUES (c."id"::text), (b."id" || '.' || TG_ARGV[0])) k ("key");
  RETURN NULL;
END
$$;

-- Variants are part of their product.
CREATE FUNCTION "purge_product_of_variant"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "cache_purges" ("business_id", "key", "send_at")
  SELECT DISTINCT b."id", k."key", extract(epoch FROM clock_timestamp())::bigint
  FROM "changed" c JOIN "businesses" b ON b."id" = c."business_id" AND b."public_read",
    LATERAL (VALUES (c."product_id"::text), (b."id" || '.products')) k ("key");
  RETURN NULL;
END
$$;

-- Records that many responses depend on purge all responses of their business.
CREATE FUNCTION "purge_business"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "cache_purges" ("business_id", "key", "send_at")
  SELECT DISTINCT b."id", b."id"::text, extract(epoch FROM clock_timestamp())::bigint
  FROM "changed" c JOIN "businesses" b ON b."id" = c."business_id" AND b."public_read";
  RETURN NULL;
END
$$;

-- The second purge, 15 seconds later, removes responses that were computed before the change and stored after the first purge.
CREATE FUNCTION "purge_changed_business"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
DECLARE
  "time" BIGINT := extract(epoch FROM clock_timestamp())::bigint;
BEGIN
  INSERT INTO "cache_purges" ("business_id", "key", "send_at")
  VALUES (OLD."id", OLD."id"::text, "time"), (OLD."id", OLD."id"::text, "time" + 15);
  RETURN NULL;
END
$$;

CREATE TRIGGER "purge_insert" AFTER INSERT ON "products" REFERENCING NEW TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "purge_record"('products');
CREATE TRIGGER "purge_update" AFTER UPDATE ON "products" REFERENCING NEW TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "purge_record"('products');
CREATE TRIGGER "purge_delete" AFTER DELETE ON "products" REFERENCING OLD TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "purge_record"('products');
CREATE TRIGGER "purge_insert" AFTER INSERT ON "entries" REFERENCING NEW TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "purge_record"('entries');
CREATE TRIGGER "purge_update" AFTER UPDATE ON "entries" REFERENCING NEW TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "purge_record"('entries');
CREATE TRIGGER "purge_delete" AFTER DELETE ON "entries" REFERENCING OLD TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "purge_record"('entries');
CREATE TRIGGER "purge_insert" AFTER INSERT ON "variants" REFERENCING NEW TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "purge_product_of_variant"();
CREATE TRIGGER "purge_update" AFTER UPDATE ON "variants" REFERENCING NEW TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "purge_product_of_variant"();
CREATE TRIGGER "purge_delete" AFTER DELETE ON "variants" REFERENCING OLD TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "purge_product_of_variant"();
CREATE TRIGGER "purge_insert" AFTER INSERT ON "collections" REFERENCING NEW TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "purge_business"();
CREATE TRIGGER "purge_update" AFTER UPDATE ON "collections" REFERENCING NEW TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "purge_business"();
CREATE TRIGGER "purge_delete" AFTER DELETE ON "collections" REFERENCING OLD TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "purge_business"();
CREATE TRIGGER "purge_insert" AFTER INSERT ON "markets" REFERENCING NEW TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "purge_business"();
CREATE TRIGGER "purge_update" AFTER UPDATE ON "markets" REFERENCING NEW TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "purge_business"();
CREATE TRIGGER "purge_delete" AFTER DELETE ON "markets" REFERENCING OLD TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "purge_business"();
CREATE TRIGGER "purge_insert" AFTER INSERT ON "shipping_methods" REFERENCING NEW TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "purge_business"();
CREATE TRIGGER "purge_update" AFTER UPDATE ON "shipping_methods" REFERENCING NEW TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "purge_business"();
CREATE TRIGGER "purge_delete" AFTER DELETE ON "shipping_methods" REFERENCING OLD TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "purge_business"();
-- A new file is not part of any record yet.
CREATE TRIGGER "purge_update" AFTER UPDATE ON "media" REFERENCING NEW TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "purge_business"();
CREATE TRIGGER "purge_delete" AFTER DELETE ON "media" REFERENCING OLD TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "purge_business"();
CREATE TRIGGER "purge_update" AFTER UPDATE ON "businesses" FOR EACH ROW WHEN (OLD."public_read") EXECUTE FUNCTION "purge_changed_business"();
CREATE TRIGGER "purge_delete" AFTER DELETE ON "businesses" FOR EACH ROW WHEN (OLD."public_read") EXECUTE FUNCTION "purge_changed_business"();
