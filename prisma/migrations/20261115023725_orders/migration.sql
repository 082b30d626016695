-- CreateEnum
CREATE TYPE "RefundStatus" AS ENUM ('PENDING', 'SUCCEEDED', 'FAILED');

-- CreateEnum
CREATE TYPE "SandboxState" AS ENUM ('OPEN', 'PAID', 'EXPIRED');

-- CreateTable
CREATE TABLE "orders" (
    "id" UUID NOT NULL,
    "business_id" UUID NOT NULL,
    "customer_id" UUID,
    "market" TEXT NOT NULL,
    "currency" TEXT NOT NULL,
    "lines" JSONB NOT NULL,
    "blocks" JSONB NOT NULL DEFAULT '[]',
    "subtotal" BIGINT NOT NULL,
    "tax" BIGINT NOT NULL,
    "tax_bps" INTEGER,
    "shipping" BIGINT NOT NULL,
    "discount" BIGINT NOT NULL,
    "total" BIGINT NOT NULL,
    "promo_code" TEXT,
    "shipping_method_id" TEXT,
    "payment_method" TEXT,
    "statuses" JSONB NOT NULL,
    "payment_statuses" JSONB NOT NULL,
    "status" TEXT NOT NULL GENERATED ALWAYS AS ("statuses" -> -1 ->> 'status') STORED,
    "payment_status" TEXT NOT NULL GENERATED ALWAYS AS ("payment_statuses" -> -1 ->> 'status') STORED,
    "expires_at" BIGINT,
    "claimed_until" BIGINT,
    "amount_due" BIGINT NOT NULL DEFAULT 0,
    "payment_session_id" TEXT,
    "payment_url" TEXT,
    "payment_id" TEXT,
    "captured" BIGINT NOT NULL DEFAULT 0,
    "refunded" BIGINT NOT NULL DEFAULT 0,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" BIGINT NOT NULL,
    "updated_at" BIGINT NOT NULL,

    CONSTRAINT "orders_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "promo_claims" (
    "order_id" UUID NOT NULL,
    "promo_code_id" UUID NOT NULL,
    "customer_id" UUID,
    "created_at" BIGINT NOT NULL,

    CONSTRAINT "promo_claims_pkey" PRIMARY KEY ("order_id")
);

-- CreateTable
CREATE TABLE "refunds" (
    "id" UUID NOT NULL,
    "order_id" UUID NOT NULL,
    "payment_id" TEXT NOT NULL,
    "amount" BIGINT NOT NULL,
    "currency" TEXT NOT NULL,
    "status" "RefundStatus" NOT NULL DEFAULT 'PENDING',
    "counts" BOOLEAN NOT NULL DEFAULT true,
    "reason" TEXT,
    "lines" JSONB NOT NULL DEFAULT '[]',
    "restock" BOOLEAN NOT NULL DEFAULT false,
    "provider_refund_id" TEXT,
    "created_at" BIGINT NOT NULL,
    "settled_at" BIGINT,

    CONSTRAINT "refunds_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "payment_events" (
    "provider" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "reference" TEXT,
    "payment_id" TEXT,
    "amount" BIGINT,
    "currency" TEXT,
    "outcome" TEXT,
    "received_at" BIGINT NOT NULL,

    CONSTRAINT "payment_events_pkey" PRIMARY KEY ("provider","id")
);

-- CreateTable
CREATE TABLE "sandbox_payments" (
    "id" TEXT NOT NULL,
    "reference" TEXT NOT NULL,
    "request" JSONB NOT NULL,
    "state" "SandboxState" NOT NULL DEFAULT 'OPEN',
    "declines" INTEGER NOT NULL DEFAULT 0,
    "refunds" JSONB NOT NULL DEFAULT '{}',
    "expires_at" BIGINT NOT NULL,
    "created_at" BIGINT NOT NULL,

    CONSTRAINT "sandbox_payments_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "orders_business_id_id_idx" ON "orders"("business_id", "id");

-- CreateIndex
CREATE INDEX "orders_business_id_status_id_idx" ON "orders"("business_id", "status", "id");

-- CreateIndex
CREATE INDEX "orders_business_id_customer_id_id_idx" ON "orders"("business_id", "customer_id", "id");

-- CreateIndex
CREATE INDEX "orders_payment_id_idx" ON "orders"("payment_id");

-- CreateIndex
CREATE INDEX "promo_claims_promo_code_id_customer_id_idx" ON "promo_claims"("promo_code_id", "customer_id");

-- CreateIndex
CREATE INDEX "refunds_order_id_idx" ON "refunds"("order_id");

-- CreateIndex
CREATE INDEX "payment_events_reference_idx" ON "payment_events"("reference");

-- CreateIndex
CREATE INDEX "payment_events_payment_id_idx" ON "payment_events"("payment_id");

-- CreateIndex
CREATE UNIQUE INDEX "sandbox_payments_reference_key" ON "sandbox_payments"("reference");

-- AddForeignKey
ALTER TABLE "orders" ADD CONSTRAINT "orders_business_id_fkey" FOREIGN KEY ("business_id") REFERENCES "businesses"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "promo_claims" ADD CONSTRAINT "promo_claims_order_id_fkey" FOREIGN KEY ("order_id") REFERENCES "orders"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "promo_claims" ADD CONSTRAINT "promo_claims_promo_code_id_fkey" FOREIGN KEY ("promo_code_id") REFERENCES "promo_codes"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_order_id_fkey" FOREIGN KEY ("order_id") REFERENCES "orders"("id") ON DELETE CASCADE ON UPDATE CASCADE;


-- What follows is beyond Prisma's schema language.

ALTER TABLE "orders" ADD CONSTRAINT "orders_total_check" CHECK ("total" = "subtotal" + "tax" + "shipping" - "discount");

ALTER TABLE "orders" ADD CONSTRAINT "orders_amounts_check"
  CHECK (least("subtotal", "tax", "shipping", "discount", "total", "captured", "refunded", "amount_due") >= 0);

ALTER TABLE "refunds" ADD CONSTRAINT "refunds_amount_check" CHECK ("amount" > 0);

-- Only checkouts that nobody has paid yet can expire.
CREATE INDEX "orders_expiry_idx" ON "orders" ("expires_at") WHERE "status" = 'PENDING' AND "expires_at" IS NOT NULL;

CREATE INDEX "refunds_pending_idx" ON "refunds" ("created_at") WHERE "status" = 'PENDING';

-- Low stock is looked for among the few variants that have a threshold.
CREATE INDEX "variants_low_stock_idx" ON "variants" ("business_id", "product_id")
  WHERE "tracked" AND "low_stock_threshold" IS NOT NULL AND "quantity" <= "low_stock_threshold";
