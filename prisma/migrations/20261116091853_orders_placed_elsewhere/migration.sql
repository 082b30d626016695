-- Not CONCURRENTLY: that waits for every other transaction, also for those of processes that wait for this migration.
-- lint: allow index: building it reads orders once, a second or two for a million

-- AlterTable
ALTER TABLE "orders" ADD COLUMN     "external_reference" TEXT;

-- CreateIndex
CREATE UNIQUE INDEX "orders_business_id_external_reference_key" ON "orders"("business_id", "external_reference");

CALL "keep_history"('orders', 'ORDER', 'id', '{claimed_until,held_from}',
  '{"blocks": "PERSONAL", "shipping_address": "PERSONAL", "billing_address": "PERSONAL", "fulfilments": "PERSONAL", "returns": "PERSONAL"}');
