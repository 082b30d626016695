/** Creates a collection, in one statement. */

import type { Context } from '../../context.ts';
import type { Queries } from '../../db/sql.ts';
import { once } from '../../idempotency.ts';
import { newId } from '../../lib/ids.ts';
import { defined } from '../../lib/objects.ts';
import { freeSlug, slugify } from '../../lib/slug.ts';
import { now } from '../../lib/time.ts';
import { appendStatuses, requestedStatuses, stampFor } from '../shared/history.ts';
import { fitting } from '../shared/record-size.ts';
import type { CreateCollection } from './checks.ts';
import { blankDocument, type Collection, collections } from './model.ts';
import { expectToFit, slugTaken } from './rules.ts';

/** An answer is kept under the request as it was `sent`, not under the ids that were made for it. */
export async function createCollection(
  ctx: Context,
  { businessId, input }: CreateCollection,
  sent: object,
): Promise<Collection> {
  const collection = newCollection(ctx, businessId, input);
  expectToFit(collection);
  return once(ctx, 'createCollection', sent, (queries) => insert(queries, collection, input.slug));
}

function newCollection(ctx: Context, businessId: string, input: CreateCollection['input']): Collection {
  const time = now();
  const { status, statuses, slug = slugify(input.name), ...fields } = input;
  const requested = requestedStatuses({ status, statuses });
  return {
    ...blankDocument,
    type: 'STANDARD',
    ...defined(fields),
    id: newId(),
    businessId,
    slug,
    statuses: appendStatuses(
      [],
      requested.length > 0 ? requested : [{ status: 'PUBLISHED' }],
      stampFor(ctx.viewer),
    ),
    version: 1,
    createdAt: time,
    updatedAt: time,
  };
}

const insertStatement = `${collections.insert} on conflict (business_id, slug) do nothing returning id`;

async function insert(queries: Queries, collection: Collection, wantedSlug: string | undefined) {
  let { slug } = collection;
  for (;;) {
    const created = { ...collection, slug };
    const inserted = await queries.sql(insertStatement, fitting(collections.insertParams(created)));
    if (inserted.length > 0) return created;
    if (wantedSlug !== undefined) throw slugTaken();
    slug = freeSlug(collection.slug, await slugsLike(queries, collection.businessId, collection.slug));
  }
}

async function slugsLike(queries: Queries, businessId: string, base: string): Promise<Set<string>> {
  const rows = await queries.sql<{ slug: string }>(
    `select slug from collections where business_id = $1 and (slug = $2 or slug like $2 || '-%')`,
    [businessId, base],
  );
  return new Set(rows.map((row) => row.slug));
}
