-- CreateEnum
CREATE TYPE "MediaState" AS ENUM ('UPLOADING', 'PROCESSING', 'READY', 'FAILED');

-- CreateTable
CREATE TABLE "media" (
    "id" UUID NOT NULL,
    "business_id" UUID NOT NULL,
    "state" "MediaState" NOT NULL DEFAULT 'UPLOADING',
    "file_name" TEXT NOT NULL,
    "mime_type" TEXT NOT NULL,
    "size" INTEGER NOT NULL,
    "key" TEXT,
    "width" INTEGER,
    "height" INTEGER,
    "widths" INTEGER[],
    "alt" TEXT NOT NULL DEFAULT '',
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" BIGINT NOT NULL,
    "updated_at" BIGINT NOT NULL,

    CONSTRAINT "media_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "media_business_id_id_idx" ON "media"("business_id", "id");

-- CreateIndex
CREATE INDEX "media_state_created_at_idx" ON "media"("state", "created_at");

-- AddForeignKey
ALTER TABLE "media" ADD CONSTRAINT "media_business_id_fkey" FOREIGN KEY ("business_id") REFERENCES "businesses"("id") ON DELETE CASCADE ON UPDATE CASCADE;

CALL "keep_history"('media', 'MEDIA_FILE', 'id', '{key,widths}');
