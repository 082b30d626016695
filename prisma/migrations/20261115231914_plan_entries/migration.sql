-- AlterTable
ALTER TABLE "entries" ADD COLUMN     "publish_at" BIGINT,
ADD COLUMN     "unpublish_at" BIGINT;

-- What is planned is found without looking at the rest: hardly any entry is.
-- lint: allow index: no entry has a plan yet, the index is made empty by one reading of the table
CREATE INDEX "entries_due_idx" ON "entries" ((LEAST("publish_at", "unpublish_at"))) WHERE LEAST("publish_at", "unpublish_at") IS NOT NULL;

CALL "keep_history"('entries', 'ENTRY', 'id', '{slugs}');
