/** Creates a product with its variants, stock ledger entries and webhook event in one statement. Creates of the same business within a tick share a statement. */
import type { Context } from '../../../context.ts';
import { BatchedInserts, classifyDbError, concatRowsParams, type QueryHandle } from '../../../db/index.ts';
import { runIdempotent } from '../../../idempotency.ts';
import { newId } from '../../../lib/ids.ts';
import { omitUndefined } from '../../../lib/json/plain-objects.ts';
import { firstFreeSlug, slugify } from '../../../lib/text/slug.ts';
import { now } from '../../../lib/time.ts';
import { requireRecordWithinSizeLimit } from '../../shared/record-size-limits.ts';
import {
  appendStatusChanges,
  createStatusHistoryEntryBuilder,
  toStatusChanges,
} from '../../shared/status-history.ts';
import { createQuotaCheckedInsert } from '../../shared/storage-and-record-quotas.ts';
import {
  buildEmitWebhookEventsColumnSql,
  enqueueWebhookDeliveryJob,
  toWebhookEventsParam,
  type WebhookEmitServices,
} from '../../webhooks/emit-events.ts';
import { buildProductEvent } from '../build-events.ts';
import { buildNewVariants } from '../build-variants.ts';
import { type Product, productDefaults, productTable, toStockRows, variantStockTable } from '../model.ts';
import type { CreateProductArgs } from '../schemas.ts';
import { buildStockMovementsForEdit, stockLedgerTable } from '../stock/stock-ledger.ts';
import {
  hasReferencesInProductInput,
  resolveReferencesInProductInput,
} from './resolve-references-in-product-input.ts';
import { findSkuTakenError, productSlugTakenError } from './slug-and-sku-taken-errors.ts';

export async function createProduct(
  ctx: Context,
  { businessId, input }: CreateProductArgs,
): Promise<Product> {
  try {
    return await runIdempotent(
      ctx,
      'createProduct',
      { businessId, input },
      createQuotaCheckedInsert(ctx, 'products', businessId, (queries) => {
        const create = (on: QueryHandle, resolved: ResolvedInput) =>
          insertWithFreeSlug(ctx, on, newProduct(ctx, businessId, resolved), input.slug);
        if (!hasReferencesInProductInput(input)) return create(queries, input);
        return queries.transaction(async (tx) =>
          create(tx, await resolveReferencesInProductInput(ctx, tx, businessId, input)),
        );
      }),
    );
  } catch (error) {
    const problem = classifyDbError(error);
    if (problem?.kind === 'unique' && problem.constraint?.includes('sku')) {
      throw await findSkuTakenError(ctx.db, businessId, undefined, input.variants ?? []);
    }
    throw error;
  }
}

/** Input whose references are resolved, or that has none. */
type ResolvedInput = Omit<CreateProductArgs['input'], 'categoryId'>;

function newProduct(ctx: Context, businessId: string, input: ResolvedInput): Product {
  const time = now();
  const { status, statuses, variants = [], slug = slugify(input.name), ...fields } = input;
  const requestedStatuses = toStatusChanges({ status, statuses });
  return Object.assign({}, productDefaults, omitUndefined(fields), {
    id: newId(),
    businessId,
    slug,
    variants: buildNewVariants(businessId, variants),
    statuses: appendStatusChanges(
      [],
      requestedStatuses.length > 0 ? requestedStatuses : [{ status: 'ACTIVE' }],
      createStatusHistoryEntryBuilder(ctx.viewer),
    ),
    version: 1,
    createdAt: time,
    updatedAt: time,
  });
}

/** Retries with the next free slug while the generated one is taken; a requested slug that is taken is an error. */
async function insertWithFreeSlug(
  ctx: Context,
  queries: QueryHandle,
  product: Product,
  requestedSlug: string | undefined,
): Promise<Product> {
  let { slug } = product;
  for (;;) {
    const created = { ...product, slug };
    if (await insertProduct(ctx, queries, created)) return created;
    if (requestedSlug !== undefined) throw productSlugTakenError();
    slug = firstFreeSlug(product.slug, await slugsLike(queries, product.businessId, product.slug));
  }
}

/** JSON parameters of the insert statement for one product. */
interface NewRows {
  id: string;
  businessId: string;
  services: WebhookEmitServices;
  product: string;
  stock: string;
  movements: string;
  events: string;
}

const batchedInserts = new BatchedInserts(insertBatch);

/** Returns false when the slug is taken. */
async function insertProduct(ctx: Context, queries: QueryHandle, product: Product): Promise<boolean> {
  const rows: NewRows = {
    id: product.id,
    businessId: product.businessId,
    services: ctx,
    product: productTable.rowsParam([product]),
    stock: variantStockTable.rowsParam(toStockRows(product)),
    movements: stockLedgerTable.rowsParam(
      buildStockMovementsForEdit({ variants: [] }, product, ctx.viewer.user?.userId),
    ),
    events: toWebhookEventsParam(buildProductEvent('product.created', product)),
  };
  requireRecordWithinSizeLimit([rows.product]);
  if (queries === ctx.db) return batchedInserts.add(ctx.db, product.businessId, rows);
  return (await insertBatch(queries, [rows])).has(product.id);
}

const joinInserted = ' join product on product.id = r.product_id';
const insertedEvents = `(select json_agg(e) from jsonb_array_elements($4::jsonb) e join product on product.id::text = e->'data'->>'id')`;

const insertStatement = `
  with product as (
    ${productTable.insertRows('$1')} on conflict (business_id, slug) do nothing returning id
  ), stock as (
    ${variantStockTable.insertRows('$2', joinInserted)}
  ), movements as (
    ${stockLedgerTable.insertRows('$3', joinInserted)}
  )
  select array_agg(id) as ids, ${buildEmitWebhookEventsColumnSql('$5', insertedEvents, '$6')} from product having count(*) > 0`;

/** Inserts products of one business and returns the inserted ids. A product whose slug is taken is skipped. */
async function insertBatch(queries: QueryHandle, rows: readonly NewRows[]): Promise<ReadonlySet<string>> {
  const concat = (kind: 'product' | 'stock' | 'movements' | 'events') =>
    concatRowsParams(rows.map((row) => row[kind]));
  const params = [
    concat('product'),
    concat('stock'),
    concat('movements'),
    concat('events'),
    rows[0]?.businessId,
    now(),
  ];
  const [inserted] = await queries.write<{ ids: string[]; deliveries: number }>(insertStatement, params);
  if (rows[0]) await enqueueWebhookDeliveryJob(rows[0].services, queries, inserted);
  return new Set(inserted?.ids);
}

async function slugsLike(queries: QueryHandle, businessId: string, base: string): Promise<Set<string>> {
  const rows = await queries.sql<{ slug: string }>(
    `select slug from products where business_id = $1 and (slug = $2 or slug like $2 || '-%')`,
    [businessId, base],
  );
  return new Set(rows.map((row) => row.slug));
}
