-- CreateTable
CREATE TABLE "product_old_slugs" (
    "product_id" UUID NOT NULL,
    "slug" TEXT NOT NULL,
    "business_id" UUID NOT NULL,
    "replaced_at" BIGINT NOT NULL,

    CONSTRAINT "product_old_slugs_pkey" PRIMARY KEY ("product_id","slug")
);

-- CreateIndex
CREATE INDEX "product_old_slugs_business_id_slug_replaced_at_idx" ON "product_old_slugs"("business_id", "slug", "replaced_at");

-- AddForeignKey
ALTER TABLE "product_old_slugs" ADD CONSTRAINT "product_old_slugs_product_id_fkey" FOREIGN KEY ("product_id") REFERENCES "products"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What follows is beyond Prisma's schema language.

CREATE FUNCTION "keep_old_product_slugs"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "product_old_slugs" ("product_id", "slug", "business_id", "replaced_at")
    VALUES (NEW."id", OLD."slug", NEW."business_id", "change_time"("change_author"()))
    ON CONFLICT ("product_id", "slug") DO UPDATE SET "replaced_at" = excluded."replaced_at";
  DELETE FROM "product_old_slugs" o WHERE o."product_id" = NEW."id" AND o."slug" = NEW."slug";
  DELETE FROM "product_old_slugs" o WHERE o."product_id" = NEW."id" AND o."slug" IN (
    SELECT "slug" FROM "product_old_slugs" WHERE "product_id" = NEW."id" ORDER BY "replaced_at" DESC, "slug" OFFSET 100);
  RETURN NULL;
END
$$;

CREATE TRIGGER "slug_changed" AFTER UPDATE OF "slug" ON "products"
  FOR EACH ROW WHEN (OLD."slug" IS DISTINCT FROM NEW."slug") EXECUTE FUNCTION "keep_old_product_slugs"();
