-- AlterTable
ALTER TABLE "carts" ADD COLUMN     "email" TEXT,
ADD COLUMN     "marketing_consent" BOOLEAN,
ADD COLUMN     "phone" TEXT;

-- AlterTable
ALTER TABLE "orders" ADD COLUMN     "contact_email" TEXT,
ADD COLUMN     "contact_phone" TEXT,
ADD COLUMN     "link_version" INTEGER;

-- lint: allow index: the column is new, so building it only reads orders once, a second or two for a million
-- CreateIndex
CREATE INDEX "orders_business_id_contact_email_id_idx" ON "orders"("business_id", "contact_email", "id");

CALL "enable_audit_log"('orders', 'ORDER', 'id', '{claimed_until,held_from}',
  '{"blocks": "PERSONAL", "shipping_address": "PERSONAL", "billing_address": "PERSONAL", "contact_email": "PERSONAL", "contact_phone": "PERSONAL", "fulfilments": "PERSONAL", "returns": "PERSONAL"}');
