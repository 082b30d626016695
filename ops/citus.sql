-- UNTESTED PLAN: shards the shop's tables by business with Citus 12 or newer, while no gateway is running. Do not use it in production.
-- Tested: the script runs on plain PostgreSQL with stubs of the Citus functions, every key of the resulting tables contains the business,
-- and the gateway works on them on one server (test/ops/citus.test.ts).
-- Not tested: Citus itself. The script and the gateway were never run on it; changes that the gateway needs first, and are not
-- implemented, are listed in docs/scaling.md, section "Sharding with Citus: untested plan".
SET citus.enable_unsafe_triggers = on;

-- Citus requires the business in every unique key. Hash indexes serve lookups by id alone; unlike a B-tree on id, the planner cannot scan
-- them in id order for a page.
ALTER TABLE variants DROP CONSTRAINT variants_product_id_fkey;
ALTER TABLE stock_movements DROP CONSTRAINT stock_movements_product_id_fkey;
ALTER TABLE product_old_slugs DROP CONSTRAINT product_old_slugs_product_id_fkey;
ALTER TABLE promo_claims DROP CONSTRAINT promo_claims_order_id_fkey;
ALTER TABLE media_uses DROP CONSTRAINT media_uses_media_id_fkey;
ALTER TABLE products DROP CONSTRAINT products_pkey, ADD CONSTRAINT products_pkey PRIMARY KEY (business_id, id);
ALTER TABLE variants DROP CONSTRAINT variants_pkey, ADD CONSTRAINT variants_pkey PRIMARY KEY (business_id, id);
ALTER TABLE stock_movements DROP CONSTRAINT stock_movements_pkey, ADD CONSTRAINT stock_movements_pkey PRIMARY KEY (business_id, id);
ALTER TABLE product_listings DROP CONSTRAINT product_listings_pkey, ADD CONSTRAINT product_listings_pkey PRIMARY KEY (business_id, product_id);
ALTER TABLE product_prices DROP CONSTRAINT product_prices_pkey, ADD CONSTRAINT product_prices_pkey PRIMARY KEY (business_id, product_id, market);
ALTER TABLE product_attributes DROP CONSTRAINT product_attributes_pkey,
  ADD CONSTRAINT product_attributes_pkey PRIMARY KEY (business_id, product_id, name, value);
ALTER TABLE product_stock DROP CONSTRAINT product_stock_pkey, ADD CONSTRAINT product_stock_pkey PRIMARY KEY (business_id, product_id);
ALTER TABLE product_old_slugs DROP CONSTRAINT product_old_slugs_pkey,
  ADD CONSTRAINT product_old_slugs_pkey PRIMARY KEY (business_id, product_id, slug);
ALTER TABLE orders DROP CONSTRAINT orders_pkey, ADD CONSTRAINT orders_pkey PRIMARY KEY (business_id, id);
ALTER TABLE carts DROP CONSTRAINT carts_pkey, ADD CONSTRAINT carts_pkey PRIMARY KEY (business_id, id);
ALTER TABLE media_uses DROP CONSTRAINT media_uses_pkey, ADD CONSTRAINT media_uses_pkey PRIMARY KEY (business_id, owner_id, media_id);
ALTER TABLE variants ADD FOREIGN KEY (business_id, product_id) REFERENCES products (business_id, id) ON DELETE CASCADE;
ALTER TABLE stock_movements ADD FOREIGN KEY (business_id, product_id) REFERENCES products (business_id, id) ON DELETE CASCADE;
ALTER TABLE product_old_slugs ADD FOREIGN KEY (business_id, product_id) REFERENCES products (business_id, id) ON DELETE CASCADE;
CREATE INDEX products_by_id ON products USING hash (id);
CREATE INDEX orders_by_id ON orders USING hash (id);
DROP INDEX products_business_id_id_idx, orders_business_id_id_idx;

-- Reference tables, copied to every server: small, rarely written, joined by most statements.
SELECT create_reference_table('businesses');
SELECT create_reference_table('roles');
SELECT create_reference_table('memberships');

-- Distributed tables: the rows of one business are co-located on one server.
SELECT create_distributed_table('products', 'business_id');
SELECT create_distributed_table('variants', 'business_id', colocate_with => 'products');
SELECT create_distributed_table('stock_movements', 'business_id', colocate_with => 'products');
SELECT create_distributed_table('product_listings', 'business_id', colocate_with => 'products');
SELECT create_distributed_table('product_prices', 'business_id', colocate_with => 'products');
SELECT create_distributed_table('product_attributes', 'business_id', colocate_with => 'products');
SELECT create_distributed_table('product_stock', 'business_id', colocate_with => 'products');
SELECT create_distributed_table('product_old_slugs', 'business_id', colocate_with => 'products');
SELECT create_distributed_table('media_uses', 'business_id', colocate_with => 'products');
SELECT create_distributed_table('orders', 'business_id', colocate_with => 'products');
SELECT create_distributed_table('order_numbers', 'business_id', colocate_with => 'products');
SELECT create_distributed_table('carts', 'business_id', colocate_with => 'products');
SELECT create_distributed_table('changes', 'business_id', colocate_with => 'products');
