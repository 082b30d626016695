-- CreateEnum
CREATE TYPE "AttemptState" AS ENUM ('NEW', 'OPEN', 'PROCESSING', 'PAID', 'RETURNED', 'CLOSED');

-- AlterEnum
ALTER TYPE "SandboxState" ADD VALUE 'PROCESSING';
ALTER TYPE "SandboxState" ADD VALUE 'FAILED';

-- CreateTable
CREATE TABLE "payment_attempts" (
    "id" UUID NOT NULL,
    "reference" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "subject_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "item" TEXT,
    "amount" BIGINT NOT NULL,
    "currency" TEXT NOT NULL,
    "state" "AttemptState" NOT NULL DEFAULT 'NEW',
    "session_id" TEXT,
    "url" TEXT,
    "expires_at" BIGINT NOT NULL,
    "payment_id" TEXT,
    "captured" BIGINT NOT NULL DEFAULT 0,
    "refunded_elsewhere" BIGINT NOT NULL DEFAULT 0,
    "checked_at" BIGINT,
    "created_at" BIGINT NOT NULL,
    "updated_at" BIGINT NOT NULL,

    CONSTRAINT "payment_attempts_pkey" PRIMARY KEY ("id")
);

-- Every page that was ever opened becomes an attempt, under the id of what it is for: there was one page for each.
INSERT INTO "payment_attempts" ("id", "reference", "kind", "subject_id", "number", "amount", "currency", "state", "session_id", "url",
  "expires_at", "payment_id", "captured", "refunded_elsewhere", "created_at", "updated_at")
SELECT o."id", 'order:' || o."id", 'order', o."id", 1, o."amount_due", o."currency",
  (CASE WHEN o."captured" > 0 THEN 'PAID'
    WHEN o."status" = 'PENDING' AND o."payment_status" IN ('PENDING', 'FAILED') AND o."payment_session_id" IS NOT NULL THEN 'OPEN'
    ELSE 'CLOSED' END)::"AttemptState",
  o."payment_session_id", o."payment_url", coalesce(o."expires_at", o."created_at"), o."payment_id", o."captured",
  greatest(0, o."refunded" - coalesce((SELECT sum(r."amount") FROM "refunds" r WHERE r."order_id" = o."id" AND r."counts" AND r."status" = 'SUCCEEDED'), 0)),
  o."created_at", o."updated_at"
FROM "orders" o
WHERE o."amount_due" > 0 OR o."captured" > 0 OR EXISTS (SELECT 1 FROM "refunds" r WHERE r."order_id" = o."id");

INSERT INTO "payment_attempts" ("id", "reference", "kind", "subject_id", "number", "item", "amount", "currency", "state", "session_id", "url",
  "expires_at", "payment_id", "captured", "created_at", "updated_at")
SELECT s."id", CASE WHEN s."attempt" > 1 THEN 'subscription:' || s."id" || ':' || s."attempt" ELSE 'subscription:' || s."id" END,
  'subscription', s."id", greatest(s."attempt", 1), coalesce(s."session_plan_id", s."plan_id"),
  coalesce(e."amount", (p."plan"->'price'->>'amount')::bigint, 0), coalesce(e."currency", upper(p."plan"->'price'->>'currency'), ''),
  (CASE WHEN s."payment_id" IS NOT NULL THEN 'PAID' WHEN s."status" = 'PENDING' AND s."session_id" IS NOT NULL THEN 'OPEN' ELSE 'CLOSED' END)::"AttemptState",
  s."session_id", s."session_url", coalesce(s."session_expires_at", s."updated_at"), s."payment_id",
  CASE WHEN s."payment_id" IS NULL THEN 0 ELSE coalesce(e."amount", 0) END, s."created_at", s."updated_at"
FROM "subscriptions" s
LEFT JOIN LATERAL (SELECT "amount", "currency" FROM "payment_events" WHERE "payment_id" = s."payment_id" AND "type" = 'paid' LIMIT 1) e ON true
LEFT JOIN LATERAL (SELECT plan FROM "collections" c, jsonb_array_elements(c."document"->'plans') plan
  WHERE c."id" = s."collection_id" AND plan->>'id' = coalesce(s."session_plan_id", s."plan_id") LIMIT 1) p ON true
WHERE s."attempt" > 0 OR s."payment_id" IS NOT NULL;

-- DropForeignKey
ALTER TABLE "refunds" DROP CONSTRAINT "refunds_order_id_fkey";

-- DropIndex
DROP INDEX "orders_payment_id_idx";

-- DropIndex
DROP INDEX "refunds_order_id_idx";

-- AlterTable
ALTER TABLE "orders" DROP COLUMN "amount_due",
DROP COLUMN "payment_id",
DROP COLUMN "payment_session_id",
DROP COLUMN "payment_url",
ADD COLUMN     "disputed_at" BIGINT;

-- AlterTable
ALTER TABLE "refunds" RENAME COLUMN "order_id" TO "attempt_id";
ALTER TABLE "refunds" ADD COLUMN     "failure" TEXT,
ADD COLUMN     "tries" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "subscriptions" DROP COLUMN "attempt",
DROP COLUMN "session_expires_at",
DROP COLUMN "session_id",
DROP COLUMN "session_plan_id",
DROP COLUMN "session_url";

-- CreateIndex
CREATE UNIQUE INDEX "payment_attempts_reference_key" ON "payment_attempts"("reference");

-- CreateIndex
CREATE INDEX "payment_attempts_kind_subject_id_idx" ON "payment_attempts"("kind", "subject_id");

-- CreateIndex
CREATE INDEX "payment_attempts_payment_id_idx" ON "payment_attempts"("payment_id");

-- CreateIndex
CREATE INDEX "payment_attempts_state_expires_at_idx" ON "payment_attempts"("state", "expires_at");

-- CreateIndex
CREATE INDEX "orders_business_id_payment_status_id_idx" ON "orders"("business_id", "payment_status", "id");

-- CreateIndex
CREATE INDEX "refunds_attempt_id_idx" ON "refunds"("attempt_id");

-- CreateIndex
CREATE INDEX "refunds_provider_refund_id_idx" ON "refunds"("provider_refund_id");

-- CreateIndex
CREATE INDEX "sessions_expires_at_idx" ON "sessions"("expires_at");

-- AddForeignKey
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_attempt_id_fkey" FOREIGN KEY ("attempt_id") REFERENCES "payment_attempts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Whoever watches an order hears of its refunds, which now belong to one of its payments.
CREATE OR REPLACE FUNCTION "announce_refund"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  IF "is_heard"() THEN
    PERFORM pg_notify('duet_live', concat_ws(' ', 'order', o."business_id", o."id", o."id"))
      FROM "payment_attempts" a JOIN "orders" o ON a."kind" = 'order' AND o."id" = a."subject_id" WHERE a."id" = NEW."attempt_id";
  END IF;
  RETURN NULL;
END
$$;
