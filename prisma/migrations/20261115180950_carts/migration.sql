-- CreateTable
CREATE TABLE "carts" (
    "id" UUID NOT NULL,
    "business_id" UUID NOT NULL,
    "customer_id" UUID NOT NULL,
    "market" TEXT NOT NULL,
    "lines" JSONB NOT NULL DEFAULT '[]',
    "blocks" JSONB NOT NULL DEFAULT '[]',
    "note" TEXT,
    "promo_code" TEXT,
    "shipping_method_id" TEXT,
    "abandoned_at" BIGINT,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" BIGINT NOT NULL,
    "updated_at" BIGINT NOT NULL,

    CONSTRAINT "carts_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "carts_customer_id_id_idx" ON "carts"("customer_id", "id");

-- CreateIndex
CREATE INDEX "carts_updated_at_idx" ON "carts"("updated_at");

-- CreateIndex
CREATE INDEX "carts_abandoned_at_updated_at_idx" ON "carts"("abandoned_at", "updated_at");

-- CreateIndex
CREATE UNIQUE INDEX "carts_business_id_customer_id_key" ON "carts"("business_id", "customer_id");

-- AddForeignKey
ALTER TABLE "carts" ADD CONSTRAINT "carts_business_id_fkey" FOREIGN KEY ("business_id") REFERENCES "businesses"("id") ON DELETE CASCADE ON UPDATE CASCADE;
