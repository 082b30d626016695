-- lint: allow index: building it reads the subscriptions once, about a second for a million
CREATE INDEX "subscriptions_key_id_idx" ON "subscriptions"("key", "id");
