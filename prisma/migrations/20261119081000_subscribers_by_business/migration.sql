-- Not CONCURRENTLY: that waits for every other transaction, also for those of processes that wait for this migration.
-- lint: allow index: building it reads subscriptions once, a second or two for a million

-- CreateIndex
CREATE INDEX "subscriptions_business_id_id_idx" ON "subscriptions"("business_id", "id");
