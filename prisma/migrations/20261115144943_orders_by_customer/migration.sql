-- Not CONCURRENTLY: that waits for every other transaction, also for those of processes that wait for these migrations.
-- lint: allow index: building it reads the orders once, about a second for a million
CREATE INDEX "orders_customer_id_id_idx" ON "orders"("customer_id", "id");
