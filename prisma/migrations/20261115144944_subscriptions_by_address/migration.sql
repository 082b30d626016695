CREATE INDEX CONCURRENTLY "subscriptions_key_id_idx" ON "subscriptions"("key", "id");
