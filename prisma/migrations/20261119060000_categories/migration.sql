-- CreateTable
CREATE TABLE "categories" (
    "id" UUID NOT NULL,
    "business_id" UUID NOT NULL,
    "parent_id" UUID,
    "slug" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "document" JSONB NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" BIGINT NOT NULL,
    "updated_at" BIGINT NOT NULL,

    CONSTRAINT "categories_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "categories_parent_id_idx" ON "categories"("parent_id");

-- CreateIndex
CREATE UNIQUE INDEX "categories_business_id_id_key" ON "categories"("business_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "categories_business_id_slug_key" ON "categories"("business_id", "slug");

-- AddForeignKey
ALTER TABLE "categories" ADD CONSTRAINT "categories_business_id_fkey" FOREIGN KEY ("business_id") REFERENCES "businesses"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "categories" ADD CONSTRAINT "categories_business_id_parent_id_fkey" FOREIGN KEY ("business_id", "parent_id") REFERENCES "categories"("business_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

CALL "enable_min_version"('categories');
CALL "enable_audit_log"('categories', 'CATEGORY');

-- The image is a reference to a media file, which prevents its deletion.
CREATE TRIGGER "media_ref_added" AFTER INSERT ON "categories" FOR EACH ROW
  WHEN (NEW."document"::text LIKE '%/media/%') EXECUTE FUNCTION "update_media_refs"();
CREATE TRIGGER "media_ref_changed" AFTER UPDATE OF "document" ON "categories" FOR EACH ROW
  WHEN (OLD."document"::text LIKE '%/media/%' OR NEW."document"::text LIKE '%/media/%') EXECUTE FUNCTION "update_media_refs"();
CREATE TRIGGER "media_ref_removed" AFTER DELETE ON "categories" FOR EACH ROW
  WHEN (OLD."document"::text LIKE '%/media/%') EXECUTE FUNCTION "update_media_refs"();

-- Categories decide which products a list contains, so a change purges all public responses of the business.
CREATE TRIGGER "purge_insert" AFTER INSERT ON "categories" REFERENCING NEW TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "purge_business"();
CREATE TRIGGER "purge_update" AFTER UPDATE ON "categories" REFERENCING NEW TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "purge_business"();
CREATE TRIGGER "purge_delete" AFTER DELETE ON "categories" REFERENCING OLD TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "purge_business"();
