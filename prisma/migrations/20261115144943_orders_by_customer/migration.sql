CREATE INDEX CONCURRENTLY "orders_customer_id_id_idx" ON "orders"("customer_id", "id");
