-- Not CONCURRENTLY: that waits for every other transaction, also for those of processes that wait for this migration.
-- lint: allow index: building it reads subscriptions once, a second or two for a million

-- CreateIndex
CREATE INDEX "subscriptions_collection_id_updated_at_id_idx" ON "subscriptions"("collection_id", "updated_at", "id");
