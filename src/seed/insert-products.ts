/** Inserts many products in one statement each for products and stock. */
import type { Queries } from '../db/sql.ts';
import { type Product, splitVariant, type Variant } from '../domains/products/model.ts';

export interface NewProduct
  extends Pick<Product, 'id' | 'name' | 'slug' | 'category' | 'description' | 'gallery' | 'createdAt'> {
  status: 'ACTIVE' | 'DRAFT';
  variants: Variant[];
}

export async function insertProducts(
  queries: Queries,
  businessId: string,
  products: readonly NewProduct[],
): Promise<void> {
  const rows = products.map(
    ({ id, name, slug, category, description, gallery, status, createdAt, variants }) => ({
      id,
      name,
      slug,
      category,
      created_at: createdAt,
      statuses: [{ id, status, changedBy: 'SYSTEM', timestamp: createdAt }],
      document: {
        description,
        gallery,
        blocks: [],
        variants: variants.map((variant) => splitVariant(variant).document),
      },
    }),
  );
  const stock = products.flatMap((product) =>
    product.variants.map((variant, position) => [product.id, position + 1, ...splitVariant(variant).stock]),
  );
  await queries.sql(
    `insert into products (id, business_id, slug, name, category, statuses, document, created_at, updated_at)
     select id, $1, slug, name, category, statuses, document, created_at, created_at
     from jsonb_to_recordset($2::jsonb) as r(id uuid, slug text, name text, category text, statuses jsonb, document jsonb, created_at bigint)
     on conflict do nothing`,
    [businessId, JSON.stringify(rows)],
  );
  await queries.sql(
    `insert into variants (product_id, position, id, business_id, sku, tracked, quantity, low_stock_threshold)
     select (v->>0)::uuid, (v->>1)::int, (v->>2)::uuid, $1, v->>3, (v->>4)::boolean, (v->>5)::int, (v->>6)::int
     from jsonb_array_elements($2::jsonb) as list(v)
     on conflict do nothing`,
    [businessId, JSON.stringify(stock)],
  );
}
