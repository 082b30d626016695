-- The orders from before get their numbers, oldest first. A migration of its own: orders are read and made while it runs, and only
-- changes of old orders wait for it. Neither histories nor live updates hear of it.
UPDATE "orders" o SET "number" = n."number" FROM (
  SELECT "id", 1000 + row_number() OVER (PARTITION BY "business_id" ORDER BY "created_at", "id") AS "number" FROM "orders" WHERE "number" = 0
) n WHERE o."id" = n."id" AND o."number" = 0;

-- Whoever repeats a request of the last day gets the answer of today.
UPDATE "idempotency_keys" k SET "result" = k."result" || jsonb_build_object('number', o."number") FROM "orders" o
  WHERE k."result" ? 'paymentStatus' AND k."result" ->> 'id' = o."id"::text;
