-- CreateTable
CREATE TABLE "entry_drafts" (
    "id" UUID NOT NULL,
    "locale" TEXT NOT NULL,
    "blocks" JSONB,
    "based_on" INTEGER NOT NULL,
    "version" INTEGER NOT NULL,
    "updated_at" BIGINT NOT NULL,

    CONSTRAINT "entry_drafts_pkey" PRIMARY KEY ("id")
);

-- AddForeignKey
ALTER TABLE "entry_drafts" ADD CONSTRAINT "entry_drafts_id_fkey" FOREIGN KEY ("id") REFERENCES "entries"("id") ON DELETE CASCADE ON UPDATE CASCADE;
