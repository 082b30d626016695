-- AlterTable
ALTER TABLE "orders" ADD COLUMN     "held_from" TEXT;

-- Orders that wait for their money, and they alone.
-- lint: allow index: the column is new, so the index is empty; building it reads the table once
CREATE INDEX "orders_held_from_idx" ON "orders" ("held_from") WHERE "held_from" IS NOT NULL;
CREATE INDEX "orders_held_by_customer_idx" ON "orders" ("customer_id") WHERE "held_from" IS NOT NULL;

-- When there will be room for one more order of this customer or address; null when there is. A volatile function looks anew after it has
-- waited for the locks, so the orders it waited for are counted.
CREATE FUNCTION "unpaid_orders_full"("new_order" UUID, "customer" UUID, "address" TEXT, "per_customer" INTEGER, "per_address" INTEGER)
RETURNS BIGINT VOLATILE LANGUAGE plpgsql AS $$
DECLARE
  "holder" TEXT;
  "room_at" BIGINT;
BEGIN
  FOREACH "holder" IN ARRAY array_remove(ARRAY['unpaid-of:' || "customer", 'unpaid-from:' || "address"], NULL) LOOP
    PERFORM pg_advisory_xact_lock(hashtextextended("holder", 0));
  END LOOP;
  SELECT max("ends") INTO "room_at" FROM (
    (SELECT o."expires_at" AS "ends" FROM "orders" o
      WHERE o."customer_id" = "customer" AND o."held_from" IS NOT NULL AND o."id" <> "new_order"
      ORDER BY o."expires_at" DESC OFFSET "per_customer" - 1 LIMIT 1)
    UNION ALL
    (SELECT o."expires_at" FROM "orders" o
      WHERE o."held_from" = "address" AND o."id" <> "new_order"
      ORDER BY o."expires_at" DESC OFFSET "per_address" - 1 LIMIT 1)
  ) "full";
  RETURN "room_at";
END $$;
