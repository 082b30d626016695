/** Creates a collection. A slug derived from the name gets a number suffix when it is taken. */
import type { Context } from '../../../context.ts';
import type { QueryHandle } from '../../../db/index.ts';
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
import { type Collection, collectionTable, defaultCollectionDocument } from '../model.ts';
import type { CreateCollectionArgs } from '../schemas.ts';
import { assertNewsletterFieldsOnlyOnNewsletters } from './assert-newsletter-fields-only-on-newsletters.ts';
import { collectionSlugTakenError } from './collection-slug-taken-error.ts';

/** The idempotency key is bound to `request` as received, before validation generates plan ids. */
export async function createCollection(
  ctx: Context,
  { businessId, input }: CreateCollectionArgs,
  request: object,
): Promise<Collection> {
  const collection = buildCollection(ctx, businessId, input);
  assertNewsletterFieldsOnlyOnNewsletters(collection);
  return runIdempotent(
    ctx,
    'createCollection',
    request,
    createQuotaCheckedInsert(ctx, 'collections', businessId, (queries) =>
      insertCollection(queries, collection, input.slug),
    ),
  );
}

function buildCollection(ctx: Context, businessId: string, input: CreateCollectionArgs['input']): Collection {
  const time = now();
  const { status, statuses, slug = slugify(input.name), ...fields } = input;
  const requestedStatuses = toStatusChanges({ status, statuses });
  return {
    ...defaultCollectionDocument,
    type: 'STANDARD',
    ...omitUndefined(fields),
    id: newId(),
    businessId,
    slug,
    statuses: appendStatusChanges(
      [],
      requestedStatuses.length > 0 ? requestedStatuses : [{ status: 'PUBLISHED' }],
      createStatusHistoryEntryBuilder(ctx.viewer),
    ),
    version: 1,
    createdAt: time,
    updatedAt: time,
  };
}

const insertStatement = `${collectionTable.insert} on conflict (business_id, slug) do nothing returning id`;

async function insertCollection(
  queries: QueryHandle,
  collection: Collection,
  requestedSlug: string | undefined,
) {
  let { slug } = collection;
  for (;;) {
    const created = { ...collection, slug };
    const inserted = await queries.write(
      insertStatement,
      requireRecordWithinSizeLimit(collectionTable.insertParams(created)),
    );
    if (inserted.length > 0) return created;
    if (requestedSlug !== undefined) throw collectionSlugTakenError();
    slug = firstFreeSlug(
      collection.slug,
      await findSimilarSlugs(queries, collection.businessId, collection.slug),
    );
  }
}

async function findSimilarSlugs(
  queries: QueryHandle,
  businessId: string,
  base: string,
): Promise<Set<string>> {
  const rows = await queries.sql<{ slug: string }>(
    `select slug from collections where business_id = $1 and (slug = $2 or slug like $2 || '-%')`,
    [businessId, base],
  );
  return new Set(rows.map((row) => row.slug));
}
