-- Not CONCURRENTLY: that waits for every other transaction, also for those of processes that wait for these migrations.
-- lint: allow index: building it reads orders once

-- CreateIndex
CREATE UNIQUE INDEX "orders_business_id_number_key" ON "orders"("business_id", "number");
