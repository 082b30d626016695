-- Null means: written before credits existed, or by a process of the previous version. Such a refund is a credit in full.

-- AlterTable
ALTER TABLE "orders" ADD COLUMN     "credited" BIGINT;

-- AlterTable
ALTER TABLE "payment_attempts" ADD COLUMN     "credited_elsewhere" BIGINT;

-- AlterTable
ALTER TABLE "refunds" ADD COLUMN     "credit" BIGINT;

-- What an order captured above its total was an overpayment: the oldest refunds returned it, up to that amount.
UPDATE "refunds" r SET "credit" = r."amount" - least(r."amount", p."overpaid" - p."before")
FROM (
  SELECT f."id", o."captured" - o."total" AS "overpaid",
    coalesce(sum(f."amount") OVER (PARTITION BY o."id" ORDER BY f."id" ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS "before"
  FROM "refunds" f
  JOIN "payment_attempts" a ON a."id" = f."attempt_id" AND a."kind" = 'order' AND a."state" = 'PAID'
  JOIN "orders" o ON o."id" = a."subject_id"
  WHERE f."counts" AND f."status" <> 'FAILED' AND o."captured" > o."total"
) p
WHERE p."id" = r."id" AND p."before" < p."overpaid";

-- The rest of it was returned by refunds at the provider.
UPDATE "payment_attempts" b SET "credited_elsewhere" = b."refunded_elsewhere" - least(b."refunded_elsewhere", p."overpaid" - p."before")
FROM (
  SELECT a."id", o."captured" - o."total" - coalesce((
      SELECT sum(f."amount") FROM "refunds" f JOIN "payment_attempts" c ON c."id" = f."attempt_id"
      WHERE c."kind" = 'order' AND c."subject_id" = o."id" AND c."state" = 'PAID' AND f."counts" AND f."status" <> 'FAILED'
    ), 0) AS "overpaid",
    coalesce(sum(a."refunded_elsewhere") OVER (PARTITION BY o."id" ORDER BY a."number" ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0)
      AS "before"
  FROM "payment_attempts" a JOIN "orders" o ON o."id" = a."subject_id"
  WHERE a."kind" = 'order' AND a."state" = 'PAID' AND a."refunded_elsewhere" > 0 AND o."captured" > o."total"
) p
WHERE p."id" = b."id" AND p."before" < p."overpaid";

CALL "enable_audit_log"('orders', 'ORDER', 'id', '{claimed_until,held_from}',
  '{"blocks": "PERSONAL", "shipping_address": "PERSONAL", "billing_address": "PERSONAL", "fulfilments": "PERSONAL", "returns": "PERSONAL"}');
