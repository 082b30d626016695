/** Creates a product with its variants, in one statement. */

import type { Context } from '../../context.ts';
import { describeDbError } from '../../db/errors.ts';
import type { Queries } from '../../db/sql.ts';
import { once } from '../../idempotency.ts';
import { newId } from '../../lib/ids.ts';
import { freeSlug, slugify } from '../../lib/slug.ts';
import { now } from '../../lib/time.ts';
import { appendStatuses, requestedStatuses, stampFor } from '../shared/history.ts';
import { deliveries, eventsParam, wake } from '../webhooks/announce.ts';
import type { CreateProduct } from './checks.ts';
import { productEvent } from './events.ts';
import { type Product, splitVariant } from './model.ts';
import { newVariants } from './rules.ts';
import { slugTaken, takenSkus } from './uniqueness.ts';

export async function createProduct(ctx: Context, { businessId, input }: CreateProduct): Promise<Product> {
  try {
    return await once(ctx, 'createProduct', { businessId, input }, (queries) =>
      insert(ctx, queries, newProduct(ctx, businessId, input), input.slug),
    );
  } catch (error) {
    const problem = describeDbError(error);
    if (problem?.kind === 'unique' && problem.constraint?.includes('sku')) {
      throw await takenSkus(ctx.db, businessId, undefined, input.variants ?? []);
    }
    throw error;
  }
}

function newProduct(ctx: Context, businessId: string, input: CreateProduct['input']): Product {
  const time = now();
  const requested = requestedStatuses(input);
  return {
    id: newId(),
    businessId,
    name: input.name,
    slug: input.slug ?? slugify(input.name),
    description: input.description ?? '',
    category: input.category ?? '',
    gallery: input.gallery ?? [],
    variants: newVariants(input.variants ?? []),
    statuses: appendStatuses(
      [],
      requested.length > 0 ? requested : [{ status: 'ACTIVE' }],
      stampFor(ctx.viewer),
    ),
    blocks: input.blocks ?? [],
    version: 1,
    createdAt: time,
    updatedAt: time,
  };
}

const insertStatement = `
  with product as (
    insert into products (id, business_id, slug, name, category, statuses, document, version, created_at, updated_at)
    values ($1, $2, $3, $4, $5, $6::jsonb, $7::jsonb, 1, $8, $8)
    on conflict (business_id, slug) do nothing
    returning id, business_id
  ), stock as (
    insert into variants (id, product_id, business_id, position, sku, tracked, quantity, low_stock_threshold)
    select (v->>0)::uuid, product.id, product.business_id, n, v->>1, (v->>2)::boolean, (v->>3)::int, (v->>4)::int
    from product, jsonb_array_elements($9::jsonb) with ordinality as list(v, n)
  )
  select id, ${deliveries('$2', '$10', '$8')} from product`;

async function insert(
  ctx: Context,
  queries: Queries,
  product: Product,
  wantedSlug: string | undefined,
): Promise<Product> {
  const { id, businessId, name, category, statuses, createdAt } = product;
  const { description, gallery, blocks } = product;
  const parts = product.variants.map(splitVariant);
  const document = { description, gallery, blocks, variants: parts.map((part) => part.document) };
  const stock = JSON.stringify(parts.map((part) => part.stock));
  let { slug } = product;
  for (;;) {
    const params = [
      id,
      businessId,
      slug,
      name,
      category,
      JSON.stringify(statuses),
      JSON.stringify(document),
      createdAt,
      stock,
      eventsParam(productEvent('product.created', { ...product, slug })),
    ];
    const [inserted] = await queries.sql<{ deliveries: number }>(insertStatement, params);
    await wake(ctx, queries, inserted);
    if (inserted) return { ...product, slug };
    if (wantedSlug !== undefined) throw slugTaken();
    slug = freeSlug(product.slug, await slugsLike(queries, businessId, product.slug));
  }
}

async function slugsLike(queries: Queries, businessId: string, base: string): Promise<Set<string>> {
  const rows = await queries.sql<{ slug: string }>(
    `select slug from products where business_id = $1 and (slug = $2 or slug like $2 || '-%')`,
    [businessId, base],
  );
  return new Set(rows.map((row) => row.slug));
}
