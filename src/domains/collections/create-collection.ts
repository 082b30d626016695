/** Creates a collection, in one statement. */

import type { Context } from '../../context.ts';
import type { Queries } from '../../db/sql.ts';
import { once } from '../../idempotency.ts';
import { newId } from '../../lib/ids.ts';
import { freeSlug, slugify } from '../../lib/slug.ts';
import { now } from '../../lib/time.ts';
import { appendStatuses, requestedStatuses, stampFor } from '../shared/history.ts';
import type { CreateCollection } from './checks.ts';
import { type Collection, documentOf } from './model.ts';
import { expectPlansToFit, slugTaken } from './rules.ts';

/** An answer is kept under the request as it was `sent`, not under the ids that were made for it. */
export async function createCollection(
  ctx: Context,
  { businessId, input }: CreateCollection,
  sent: object,
): Promise<Collection> {
  const collection = newCollection(ctx, businessId, input);
  expectPlansToFit(collection);
  return once(ctx, 'createCollection', sent, (queries) => insert(queries, collection, input.slug));
}

function newCollection(ctx: Context, businessId: string, input: CreateCollection['input']): Collection {
  const time = now();
  const requested = requestedStatuses(input);
  return {
    id: newId(),
    businessId,
    name: input.name,
    slug: input.slug ?? slugify(input.name),
    type: input.type ?? 'STANDARD',
    description: input.description ?? '',
    blocks: input.blocks ?? [],
    plans: input.plans ?? [],
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

async function insert(queries: Queries, collection: Collection, wantedSlug: string | undefined) {
  const { id, businessId, name, type, statuses, createdAt } = collection;
  let { slug } = collection;
  for (;;) {
    const inserted = await queries.sql(
      `insert into collections (id, business_id, slug, name, type, statuses, document, version, created_at, updated_at)
       values ($1, $2, $3, $4, $5, $6::jsonb, $7::jsonb, 1, $8, $8)
       on conflict (business_id, slug) do nothing returning id`,
      [
        id,
        businessId,
        slug,
        name,
        type,
        JSON.stringify(statuses),
        JSON.stringify(documentOf(collection)),
        createdAt,
      ],
    );
    if (inserted.length > 0) return { ...collection, slug };
    if (wantedSlug !== undefined) throw slugTaken();
    slug = freeSlug(collection.slug, await slugsLike(queries, businessId, collection.slug));
  }
}

async function slugsLike(queries: Queries, businessId: string, base: string): Promise<Set<string>> {
  const rows = await queries.sql<{ slug: string }>(
    `select slug from collections where business_id = $1 and (slug = $2 or slug like $2 || '-%')`,
    [businessId, base],
  );
  return new Set(rows.map((row) => row.slug));
}
