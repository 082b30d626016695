-- AlterTable
ALTER TABLE "orders" ADD COLUMN     "locale" TEXT;

CALL "keep_history"('orders', 'ORDER', 'id', '{claimed_until,held_from}',
  '{"blocks": "PERSONAL", "shipping_address": "PERSONAL", "billing_address": "PERSONAL"}');
