/** Creates an entry that follows the schema of its collection. */

import type { Context } from '../../context.ts';
import { describeDbError } from '../../db/errors.ts';
import type { Queries } from '../../db/sql.ts';
import { type ErrorDetail, invalid } from '../../errors.ts';
import { once } from '../../idempotency.ts';
import { newId } from '../../lib/ids.ts';
import type { Accept } from '../../lib/input.ts';
import { now } from '../../lib/time.ts';
import { plainBlock, type SentBlock } from '../blocks/content.ts';
import { checkBlocks } from '../blocks/schema.ts';
import { fillMedia, namedInBlocks } from '../media/named.ts';
import { appendStatuses, requestedStatuses, stampFor } from '../shared/history.ts';
import { fitting } from '../shared/record-size.ts';
import { changeAndAnnounce } from '../webhooks/announce.ts';
import type { CreateEntry } from './checks.ts';
import { entryEvent } from './events.ts';
import { type Entry, entries } from './model.ts';
import { findOwner, type NamedOwner } from './owners.ts';
import { missingTargets } from './targets.ts';

/** As it was sent: its values are checked against what the database says about its owner. */
export interface SentEntry {
  businessId: string;
  input: {
    blocks?: readonly unknown[] | null | undefined;
  } & NamedOwner;
}

const defaultLocale = 'en';

export const createEntry = (ctx: Context, sent: SentEntry, accept: Accept<CreateEntry>): Promise<Entry> =>
  creating(ctx, 'createEntry', sent, (queries) => makeEntry(ctx, queries, sent, accept));

/** Within `creating`. */
export async function makeEntry(
  ctx: Context,
  queries: Queries,
  sent: SentEntry,
  accept: Accept<CreateEntry>,
): Promise<Entry> {
  // Files that it names stay until it is written.
  return JSON.stringify(sent.input.blocks ?? []).includes('"mediaId"')
    ? queries.transaction(make)
    : make(queries);

  async function make(on: Queries): Promise<Entry> {
    const entry = await newEntry(ctx, on, sent, accept);
    await insert(ctx, on, entry);
    return entry;
  }
}

/** Once for each idempotency key; `asked` is what the key belongs to. */
export async function creating(
  ctx: Context,
  operation: string,
  asked: object,
  work: (queries: Queries) => Promise<Entry>,
): Promise<Entry> {
  try {
    return await once(ctx, operation, asked, work);
  } catch (error) {
    // The collection was deleted between our look at it and the insert.
    if (describeDbError(error)?.kind === 'foreignKey') throw invalid(collectionGone);
    throw error;
  }
}

const collectionGone: ErrorDetail = {
  field: 'collectionId',
  error: 'COLLECTION_NOT_FOUND',
  message: 'The business has no such collection.',
};

async function newEntry(
  ctx: Context,
  queries: Queries,
  sent: SentEntry,
  accept: Accept<CreateEntry>,
): Promise<Entry> {
  const { businessId } = sent;
  const found = await findOwner(queries, businessId, sent.input);
  const owner = found ?? {
    owner: '',
    schema: [],
    issues: [{ field: 'collectionId', error: 'REQUIRED', message: 'Say what owns the entry.' }],
  };
  const { blocks, issues } =
    owner.issues.length > 0
      ? { blocks: [], issues: [] }
      : checkBlocks(owner.schema, (sent.input.blocks as SentBlock[] | undefined)?.map(plainBlock) ?? []);
  const missing = await missingTargets(queries, businessId, blocks);
  const files = await fillMedia(ctx, queries, businessId, namedInBlocks(blocks));
  const { input } = accept([...owner.issues, ...issues, ...missing, ...files]);
  const time = now();
  const requested = requestedStatuses(input);
  return {
    id: newId(),
    businessId,
    owner: owner.owner,
    locale: input.locale ?? defaultLocale,
    blocks,
    statuses: appendStatuses(
      [],
      requested.length > 0 ? requested : [{ status: 'DRAFT' }],
      stampFor(ctx.viewer),
    ),
    version: 1,
    createdAt: time,
    updatedAt: time,
  };
}

const insert = (ctx: Context, queries: Queries, entry: Entry) =>
  changeAndAnnounce(ctx, queries, {
    statement: `${entries.insert} returning id`,
    params: fitting(entries.insertParams(entry)),
    businessId: entry.businessId,
    events: [entryEvent('entry.created', entry)],
  });
