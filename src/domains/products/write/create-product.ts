/** Creates a product with its variants, in one statement. */

import type { Context } from '../../../context.ts';
import { BatchedInserts } from '../../../db/batching/batched-inserts.ts';
import { classifyDbError } from '../../../db/errors.ts';
import type { Queries } from '../../../db/handles.ts';
import { concatRowsParams } from '../../../db/records/table.ts';
import { runIdempotent } from '../../../idempotency.ts';
import { newId } from '../../../lib/ids.ts';
import { omitUndefined } from '../../../lib/json/plain-objects.ts';
import { firstFreeSlug, slugify } from '../../../lib/text/slug.ts';
import { now } from '../../../lib/time.ts';
import { requireRecordSize } from '../../shared/record-size.ts';
import { appendStatusChanges, createStatusStamper, toStatusChanges } from '../../shared/status-history.ts';
import {
  type EmitServices,
  emitEventsColumn,
  toEventsParam,
  wakeDeliveryJob,
} from '../../webhooks/emit-events.ts';
import { productEvent } from '../events.ts';
import { blankProduct, type Product, products, toStockRows, variantStock } from '../model.ts';
import { createVariants } from '../rules.ts';
import type { CreateProductArgs } from '../schemas.ts';
import { stockLedger, stockMovementsForEdit } from '../stock/ledger.ts';
import { assertProductReferences, hasProductReferences } from './product-references.ts';
import { buildSkuTakenError, productSlugTakenError } from './uniqueness-errors.ts';

export async function createProduct(
  ctx: Context,
  { businessId, input }: CreateProductArgs,
): Promise<Product> {
  try {
    return await runIdempotent(ctx, 'createProduct', { businessId, input }, (queries) => {
      const create = (on: Queries) => insert(ctx, on, newProduct(ctx, businessId, input), input.slug);
      if (!hasProductReferences(input)) return create(queries);
      return queries.transaction(async (tx) => {
        await assertProductReferences(ctx, tx, businessId, input);
        return create(tx);
      });
    });
  } catch (error) {
    const problem = classifyDbError(error);
    if (problem?.kind === 'unique' && problem.constraint?.includes('sku')) {
      throw await buildSkuTakenError(ctx.db, businessId, undefined, input.variants ?? []);
    }
    throw error;
  }
}

function newProduct(ctx: Context, businessId: string, input: CreateProductArgs['input']): Product {
  const time = now();
  const { status, statuses, variants = [], slug = slugify(input.name), ...fields } = input;
  const requested = toStatusChanges({ status, statuses });
  return Object.assign({}, blankProduct, omitUndefined(fields), {
    id: newId(),
    businessId,
    slug,
    variants: createVariants(businessId, variants),
    statuses: appendStatusChanges(
      [],
      requested.length > 0 ? requested : [{ status: 'ACTIVE' }],
      createStatusStamper(ctx.viewer),
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
    if (wantedSlug !== undefined) throw productSlugTakenError();
    slug = firstFreeSlug(product.slug, await slugsLike(queries, product.businessId, product.slug));
  }
}

/** A new product as the parameters of the statement have it. */
interface NewRows {
  id: string;
  businessId: string;
  services: EmitServices;
  product: string;
  stock: string;
  movements: string;
  events: string;
}

const creates = new BatchedInserts(insertAll);

async function isInserted(ctx: Context, queries: Queries, product: Product): Promise<boolean> {
  const rows: NewRows = {
    id: product.id,
    businessId: product.businessId,
    services: ctx,
    product: products.rowsParam([product]),
    stock: variantStock.rowsParam(toStockRows(product)),
    movements: stockLedger.rowsParam(
      stockMovementsForEdit({ variants: [] }, product, ctx.viewer.user?.userId),
    ),
    events: toEventsParam(productEvent('product.created', product)),
  };
  requireRecordSize([rows.product]);
  if (queries === ctx.db) return creates.add(ctx.db, product.businessId, rows);
  return (await insertAll(queries, [rows])).has(product.id);
}

const ofInserted = ' join product on product.id = r.product_id';
const itsEvents = `(select json_agg(e) from jsonb_array_elements($4::jsonb) e join product on product.id::text = e->'data'->>'id')`;

const insertStatement = `
  with product as (
    ${products.insertRows('$1')} on conflict (business_id, slug) do nothing returning id
  ), stock as (
    ${variantStock.insertRows('$2', ofInserted)}
  ), movements as (
    ${stockLedger.insertRows('$3', ofInserted)}
  )
  select array_agg(id) as ids, ${emitEventsColumn('$5', itsEvents, '$6')} from product having count(*) > 0`;

/** Products of one business. Whose slug is taken is not inserted. */
async function insertAll(queries: Queries, rows: readonly NewRows[]): Promise<ReadonlySet<string>> {
  const of = (kind: 'product' | 'stock' | 'movements' | 'events') =>
    concatRowsParams(rows.map((row) => row[kind]));
  const params = [of('product'), of('stock'), of('movements'), of('events'), rows[0]?.businessId, now()];
  const [inserted] = await queries.sql<{ ids: string[]; deliveries: number }>(insertStatement, params);
  if (rows[0]) await wakeDeliveryJob(rows[0].services, queries, inserted);
  return new Set(inserted?.ids);
}

async function slugsLike(queries: Queries, businessId: string, base: string): Promise<Set<string>> {
  const rows = await queries.sql<{ slug: string }>(
    `select slug from products where business_id = $1 and (slug = $2 or slug like $2 || '-%')`,
    [businessId, base],
  );
  return new Set(rows.map((row) => row.slug));
}
