/** Creates a product with its variants, in one statement. */

import type { Context } from '../../context.ts';
import { describeDbError } from '../../db/errors.ts';
import type { Queries } from '../../db/sql.ts';
import { once } from '../../idempotency.ts';
import { newId } from '../../lib/ids.ts';
import { defined } from '../../lib/objects.ts';
import { freeSlug, slugify } from '../../lib/slug.ts';
import { now } from '../../lib/time.ts';
import { appendStatuses, requestedStatuses, stampFor } from '../shared/history.ts';
import { fitting } from '../shared/record-size.ts';
import { deliveries, eventsParam, wake } from '../webhooks/announce.ts';
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

const [stockParam, movementsParam, eventsAt] = [1, 2, 3].map(products.paramAfter) as [string, string, string];

/** What the rows of a new product have in common with it. */
const stockSame = { productId: products.param('id'), businessId: products.param('businessId') };
const movementsSame = { ...stockSame, createdAt: products.param('updatedAt') };

const insertStatement = `
  with product as (
    ${products.insert} on conflict (business_id, slug) do nothing returning p.id as product
  ), stock as (
    ${stock.insertRows(stockParam, ', product', stockSame)}
  ), movements as (
    ${movements.insertRows(movementsParam, ', product', movementsSame)}
  )
  select ${deliveries(products.param('businessId'), eventsAt, products.param('createdAt'))} from product`;

async function insert(
  ctx: Context,
  queries: Queries,
  product: Product,
  wantedSlug: string | undefined,
): Promise<Product> {
  const variants = stock.rowsParam(stockOf(product), stockSame);
  const moved = movementsBetween({ variants: [] }, product, ctx.viewer.user?.userId);
  const first = movements.rowsParam(moved, movementsSame);
  let { slug } = product;
  for (;;) {
    const created = { ...product, slug };
    const events = eventsParam(productEvent('product.created', created));
    const params = [...fitting(products.insertParams(created)), variants, first, events];
    const [inserted] = await queries.sql<{ deliveries: number }>(insertStatement, params);
    await wake(ctx, queries, inserted);
    if (inserted) return created;
    if (wantedSlug !== undefined) throw slugTaken();
    slug = freeSlug(product.slug, await slugsLike(queries, product.businessId, product.slug));
  }
}

async function slugsLike(queries: Queries, businessId: string, base: string): Promise<Set<string>> {
  const rows = await queries.sql<{ slug: string }>(
    `select slug from products where business_id = $1 and (slug = $2 or slug like $2 || '-%')`,
    [businessId, base],
  );
  return new Set(rows.map((row) => row.slug));
}
