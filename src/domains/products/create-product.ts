/** Creates a product with its variants, in one statement. */

import type { Context } from '../../context.ts';
import { describeDbError } from '../../db/errors.ts';
import type { Queries } from '../../db/sql.ts';
import { allRows } from '../../db/table.ts';
import { WritesOfTurn } from '../../db/writes-of-turn.ts';
import { once } from '../../idempotency.ts';
import { newId } from '../../lib/ids.ts';
import { defined } from '../../lib/objects.ts';
import { freeSlug, slugify } from '../../lib/slug.ts';
import { now } from '../../lib/time.ts';
import { appendStatuses, requestedStatuses, stampFor } from '../shared/history.ts';
import { fitting } from '../shared/record-size.ts';
import { type Announcer, deliveries, eventsParam, wake } from '../webhooks/announce.ts';
import type { CreateProduct } from './checks.ts';
import { productEvent } from './events.ts';
import { expectNamed, namesSomething } from './expect-named.ts';
import { movements, movementsBetween } from './ledger.ts';
import { blankProduct, type Product, products, stock, stockOf } from './model.ts';
import { newVariants } from './rules.ts';
import { slugTaken, takenSkus } from './uniqueness.ts';

export async function createProduct(ctx: Context, { businessId, input }: CreateProduct): Promise<Product> {
  try {
    return await once(ctx, 'createProduct', { businessId, input }, (queries) => {
      const create = (on: Queries) => insert(ctx, on, newProduct(ctx, businessId, input), input.slug);
      if (!namesSomething(input)) return create(queries);
      return queries.transaction(async (tx) => {
        await expectNamed(ctx, tx, businessId, input);
        return create(tx);
      });
    });
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
  const { status, statuses, variants = [], slug = slugify(input.name), ...fields } = input;
  const requested = requestedStatuses({ status, statuses });
  return Object.assign({}, blankProduct, defined(fields), {
    id: newId(),
    businessId,
    slug,
    variants: newVariants(businessId, variants),
    statuses: appendStatuses(
      [],
      requested.length > 0 ? requested : [{ status: 'ACTIVE' }],
      stampFor(ctx.viewer),
    ),
    version: 1,
    createdAt: time,
    updatedAt: time,
  });
}

async function insert(
  ctx: Context,
  queries: Queries,
  product: Product,
  wantedSlug: string | undefined,
): Promise<Product> {
  let { slug } = product;
  for (;;) {
    const created = { ...product, slug };
    if (await isInserted(ctx, queries, created)) return created;
    if (wantedSlug !== undefined) throw slugTaken();
    slug = freeSlug(product.slug, await slugsLike(queries, product.businessId, product.slug));
  }
}

/** A new product as the parameters of the statement have it. */
interface NewRows {
  id: string;
  businessId: string;
  services: Announcer;
  product: string;
  stock: string;
  movements: string;
  events: string;
}

const creates = new WritesOfTurn(insertAll);

async function isInserted(ctx: Context, queries: Queries, product: Product): Promise<boolean> {
  const rows: NewRows = {
    id: product.id,
    businessId: product.businessId,
    services: ctx,
    product: products.rowsParam([product]),
    stock: stock.rowsParam(stockOf(product)),
    movements: movements.rowsParam(movementsBetween({ variants: [] }, product, ctx.viewer.user?.userId)),
    events: eventsParam(productEvent('product.created', product)),
  };
  fitting([rows.product]);
  if (queries === ctx.db) return creates.add(ctx.db, product.businessId, rows);
  return (await insertAll(queries, [rows])).has(product.id);
}

const ofInserted = ' join product on product.id = r.product_id';
const itsEvents = `(select json_agg(e) from jsonb_array_elements($4::jsonb) e join product on product.id::text = e->'data'->>'id')`;

const insertStatement = `
  with product as (
    ${products.insertRows('$1')} on conflict (business_id, slug) do nothing returning id
  ), stock as (
    ${stock.insertRows('$2', ofInserted)}
  ), movements as (
    ${movements.insertRows('$3', ofInserted)}
  )
  select array_agg(id) as ids, ${deliveries('$5', itsEvents, '$6')} from product having count(*) > 0`;

/** Products of one business. Whose slug is taken is not inserted. */
async function insertAll(queries: Queries, rows: readonly NewRows[]): Promise<ReadonlySet<string>> {
  const of = (kind: 'product' | 'stock' | 'movements' | 'events') => allRows(rows.map((row) => row[kind]));
  const params = [of('product'), of('stock'), of('movements'), of('events'), rows[0]?.businessId, now()];
  const [inserted] = await queries.sql<{ ids: string[]; deliveries: number }>(insertStatement, params);
  if (rows[0]) await wake(rows[0].services, queries, inserted);
  return new Set(inserted?.ids);
}

async function slugsLike(queries: Queries, businessId: string, base: string): Promise<Set<string>> {
  const rows = await queries.sql<{ slug: string }>(
    `select slug from products where business_id = $1 and (slug = $2 or slug like $2 || '-%')`,
    [businessId, base],
  );
  return new Set(rows.map((row) => row.slug));
}
