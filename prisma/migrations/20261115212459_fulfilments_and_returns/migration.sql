-- AlterTable
ALTER TABLE "orders" ADD COLUMN     "fulfilments" JSONB,
ADD COLUMN     "returns" JSONB;

-- Tracking numbers lead to people, and customers write why they return things: the history says only that these have changed.
CALL "keep_history"('orders', 'ORDER', 'id', '{claimed_until,held_from}',
  '{"blocks": "PERSONAL", "shipping_address": "PERSONAL", "billing_address": "PERSONAL", "fulfilments": "PERSONAL", "returns": "PERSONAL"}');
