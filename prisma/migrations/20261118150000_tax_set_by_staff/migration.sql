-- AlterTable
ALTER TABLE "orders" ADD COLUMN     "tax_set_by_staff" BOOLEAN;

CALL "enable_audit_log"('orders', 'ORDER', 'id', '{claimed_until,held_from}',
  '{"blocks": "PERSONAL", "shipping_address": "PERSONAL", "billing_address": "PERSONAL", "fulfilments": "PERSONAL", "returns": "PERSONAL"}');
