-- Not CONCURRENTLY: that waits for every other transaction, also for those of processes that wait for this migration.
-- lint: allow index: sends are few, one for each entry that was ever sent

-- AlterTable
ALTER TABLE "newsletter_sends" ADD COLUMN     "turn_at" BIGINT NOT NULL DEFAULT 0;

-- CreateIndex
CREATE INDEX "newsletter_sends_business_id_turn_at_idx" ON "newsletter_sends"("business_id", "turn_at");

-- CreateIndex
CREATE INDEX "newsletter_sends_status_scheduled_at_idx" ON "newsletter_sends"("status", "scheduled_at");

CALL "keep_history"('newsletter_sends', 'NEWSLETTER_SEND', 'id', '{content,recipients,sent,failed,started_at,finished_at,turn_at}');
