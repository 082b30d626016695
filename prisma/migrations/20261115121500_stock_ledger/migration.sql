-- CreateTable
CREATE TABLE "stock_movements" (
    "id" UUID NOT NULL,
    "number" BIGSERIAL NOT NULL,
    "business_id" UUID NOT NULL,
    "product_id" UUID NOT NULL,
    "variant_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "change" INTEGER NOT NULL,
    "balance" INTEGER NOT NULL,
    "reason" TEXT,
    "order_id" UUID,
    "user_id" UUID,
    "created_at" BIGINT NOT NULL,

    CONSTRAINT "stock_movements_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "stock_movements_product_id_number_idx" ON "stock_movements"("product_id", "number");

-- AddForeignKey
ALTER TABLE "stock_movements" ADD CONSTRAINT "stock_movements_product_id_fkey" FOREIGN KEY ("product_id") REFERENCES "products"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What is in stock today opens the ledger.
INSERT INTO "stock_movements" ("id", "business_id", "product_id", "variant_id", "kind", "change", "balance", "created_at")
SELECT gen_random_uuid(), "business_id", "product_id", "id", 'INITIAL', "quantity", "quantity", extract(epoch FROM now())::bigint
FROM "variants" WHERE "quantity" <> 0;

-- Orders that can still give back remember what they took: nothing of what is not tracked today, as it was until now.
UPDATE "orders" o SET "lines" = (
  SELECT jsonb_agg(l."line" || jsonb_build_object('taken', CASE WHEN v."tracked" THEN (l."line"->>'quantity')::int ELSE 0 END) ORDER BY l."at")
  FROM jsonb_array_elements(o."lines") WITH ORDINALITY AS l("line", "at")
  LEFT JOIN "variants" v ON v."id"::text = l."line"->>'variantId'
) WHERE o."status" <> 'CANCELLED' AND jsonb_array_length(o."lines") > 0;
