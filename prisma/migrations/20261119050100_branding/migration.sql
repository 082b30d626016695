-- CreateTable
CREATE TABLE "brandings" (
    "id" UUID NOT NULL,
    "business_id" UUID NOT NULL,
    "document" JSONB NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" BIGINT NOT NULL,
    "updated_at" BIGINT NOT NULL,

    CONSTRAINT "brandings_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "brandings_business_id_key" ON "brandings"("business_id");

-- AddForeignKey
ALTER TABLE "brandings" ADD CONSTRAINT "brandings_business_id_fkey" FOREIGN KEY ("business_id") REFERENCES "businesses"("id") ON DELETE CASCADE ON UPDATE CASCADE;

CALL "enable_min_version"('brandings');
CALL "enable_audit_log"('brandings', 'BRANDING', 'business_id');

-- The logo is a reference to a media file, which prevents its deletion.
CREATE TRIGGER "media_ref_added" AFTER INSERT ON "brandings" FOR EACH ROW
  WHEN (NEW."document"::text LIKE '%/media/%') EXECUTE FUNCTION "update_media_refs"();
CREATE TRIGGER "media_ref_changed" AFTER UPDATE OF "document" ON "brandings" FOR EACH ROW
  WHEN (OLD."document"::text LIKE '%/media/%' OR NEW."document"::text LIKE '%/media/%') EXECUTE FUNCTION "update_media_refs"();
CREATE TRIGGER "media_ref_removed" AFTER DELETE ON "brandings" FOR EACH ROW
  WHEN (OLD."document"::text LIKE '%/media/%') EXECUTE FUNCTION "update_media_refs"();
