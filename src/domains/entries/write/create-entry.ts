/** Creates an entry that follows the schema of its collection. */

import type { Context } from '../../../context.ts';
import { classifyDbError } from '../../../db/errors.ts';
import type { Queries } from '../../../db/handles.ts';
import { type ErrorDetail, validationError } from '../../../errors.ts';
import { runIdempotent } from '../../../idempotency.ts';
import { newId } from '../../../lib/ids.ts';
import { now } from '../../../lib/time.ts';
import type { InputParser } from '../../../lib/validation/input.ts';
import { toStoredBlock, type UnvalidatedBlock } from '../../blocks/typed-content.ts';
import { validateBlocks } from '../../blocks/validate-blocks.ts';
import { fillMediaReferences, findBlockMediaReferences } from '../../media/media-references.ts';
import { requireRecordSize } from '../../shared/record-size.ts';
import { appendStatusChanges, createStatusStamper, toStatusChanges } from '../../shared/status-history.ts';
import { changeAndEmit } from '../../webhooks/emit-events.ts';
import { findMissingTargets } from '../blocks/relationship-targets.ts';
import { entryEvent } from '../events.ts';
import { type Entry, entries } from '../model.ts';
import type { CreateEntryArgs } from '../schemas.ts';
import { type OwnerInput, resolveEntryOwner } from './resolve-owner.ts';

/** As it was sent: its values are checked against what the database says about its owner. */
export interface UnvalidatedEntry {
  businessId: string;
  input: {
    blocks?: readonly unknown[] | null | undefined;
  } & OwnerInput;
}

const defaultLocale = 'en';

export const createEntry = (
  ctx: Context,
  sent: UnvalidatedEntry,
  accept: InputParser<CreateEntryArgs>,
): Promise<Entry> =>
  createEntryIdempotently(ctx, 'createEntry', sent, (queries) => insertNewEntry(ctx, queries, sent, accept));

/** Within `creating`. */
export async function insertNewEntry(
  ctx: Context,
  queries: Queries,
  sent: UnvalidatedEntry,
  accept: InputParser<CreateEntryArgs>,
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
export async function createEntryIdempotently(
  ctx: Context,
  operation: string,
  asked: object,
  work: (queries: Queries) => Promise<Entry>,
): Promise<Entry> {
  try {
    return await runIdempotent(ctx, operation, asked, work);
  } catch (error) {
    // The collection was deleted between our look at it and the insert.
    if (classifyDbError(error)?.kind === 'foreignKey') throw validationError(collectionGone);
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
  sent: UnvalidatedEntry,
  accept: InputParser<CreateEntryArgs>,
): Promise<Entry> {
  const { businessId } = sent;
  const found = await resolveEntryOwner(queries, businessId, sent.input);
  const owner = found ?? {
    owner: '',
    schema: [],
    issues: [{ field: 'collectionId', error: 'REQUIRED', message: 'Say what owns the entry.' }],
  };
  const { blocks, issues } =
    owner.issues.length > 0
      ? { blocks: [], issues: [] }
      : validateBlocks(
          owner.schema,
          (sent.input.blocks as UnvalidatedBlock[] | undefined)?.map(toStoredBlock) ?? [],
        );
  const missing = await findMissingTargets(queries, businessId, blocks);
  const files = await fillMediaReferences(ctx, queries, businessId, findBlockMediaReferences(blocks));
  const { input } = accept([...owner.issues, ...issues, ...missing, ...files]);
  const time = now();
  const requested = toStatusChanges(input);
  return {
    id: newId(),
    businessId,
    owner: owner.owner,
    locale: input.locale ?? defaultLocale,
    blocks,
    statuses: appendStatusChanges(
      [],
      requested.length > 0 ? requested : [{ status: 'DRAFT' }],
      createStatusStamper(ctx.viewer),
    ),
    version: 1,
    createdAt: time,
    updatedAt: time,
  };
}

const insert = (ctx: Context, queries: Queries, entry: Entry) =>
  changeAndEmit(ctx, queries, {
    statement: `${entries.insert} returning id`,
    params: requireRecordSize(entries.insertParams(entry)),
    businessId: entry.businessId,
    events: [entryEvent('entry.created', entry)],
  });
