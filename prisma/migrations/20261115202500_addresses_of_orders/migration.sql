-- AlterTable
ALTER TABLE "carts" ADD COLUMN     "billing_address" JSONB,
ADD COLUMN     "shipping_address" JSONB;

-- AlterTable
ALTER TABLE "orders" ADD COLUMN     "billing_address" JSONB,
ADD COLUMN     "shipping_address" JSONB;

-- What people wrote is not kept in the history, only that it has changed.
CALL "keep_history"('orders', 'ORDER', 'id', '{claimed_until,held_from}',
  '{"blocks": "PERSONAL", "shipping_address": "PERSONAL", "billing_address": "PERSONAL"}');
