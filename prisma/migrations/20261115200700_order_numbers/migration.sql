-- AlterTable
ALTER TABLE "orders" ADD COLUMN     "number" INTEGER NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "order_numbers" (
    "business_id" UUID NOT NULL,
    "last" INTEGER NOT NULL,
    "given" INTEGER NOT NULL,
    "freed" INTEGER[] DEFAULT ARRAY[]::INTEGER[],

    CONSTRAINT "order_numbers_pkey" PRIMARY KEY ("business_id")
);

-- AddForeignKey
ALTER TABLE "order_numbers" ADD CONSTRAINT "order_numbers_business_id_fkey" FOREIGN KEY ("business_id") REFERENCES "businesses"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What follows is beyond Prisma's schema language.

-- The number is taken in the order's own transaction and comes back with it: there are no gaps. Whoever orders next from the business
-- waits for that commit, so this is one of the last statements of whoever makes an order.
CREATE FUNCTION "number_order"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "order_numbers" AS n ("business_id", "last", "given") VALUES (NEW."business_id", 1001, 1001)
  ON CONFLICT ("business_id") DO UPDATE SET
    "given" = coalesce(n."freed"[1], n."last" + 1),
    "last" = CASE WHEN cardinality(n."freed") > 0 THEN n."last" ELSE n."last" + 1 END,
    "freed" = n."freed"[2:]
  RETURNING n."given" INTO NEW."number";
  RETURN NEW;
END
$$;

-- Processes of the version before do not know of numbers, and their orders get them all the same.
CREATE TRIGGER "number_order" BEFORE INSERT ON "orders" FOR EACH ROW WHEN (NEW."number" = 0) EXECUTE FUNCTION "number_order"();

-- The orders there are get the first numbers, with the next migration: it does not hold this lock on the table.
INSERT INTO "order_numbers" ("business_id", "last", "given")
  SELECT "business_id", 1000 + count(*), 1000 + count(*) FROM "orders" GROUP BY "business_id";
