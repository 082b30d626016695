/** Creates an entry whose blocks match the schema of its owner. */
import type { Context } from '../../../context.ts';
import { classifyDbError, type QueryHandle } from '../../../db/index.ts';
import { type ErrorDetail, validationErrorFrom } from '../../../errors.ts';
import { runIdempotent } from '../../../idempotency.ts';
import { newId } from '../../../lib/ids.ts';
import { now } from '../../../lib/time.ts';
import type { InputParser } from '../../../lib/validation/input.ts';
import { toStoredBlock, type UnvalidatedBlock } from '../../blocks/typed-content-schema-and-conversion.ts';
import { validateBlocksCollectingIssues } from '../../blocks/validate-blocks.ts';
import { fillMediaReferences, findBlockMediaReferences } from '../../media/media-references.ts';
import { requireRecordWithinSizeLimit } from '../../shared/record-size-limits.ts';
import {
  appendStatusChanges,
  createStatusHistoryEntryBuilder,
  toStatusChanges,
} from '../../shared/status-history.ts';
import { createQuotaCheckedInsert } from '../../shared/storage-and-record-quotas.ts';
import { runStatementAndEmitWebhookEvents } from '../../webhooks/emit-events.ts';
import { findMissingRelationshipTargetErrors } from '../blocks/relationship-targets.ts';
import { buildEntryEvent } from '../build-events.ts';
import { type Entry, entryTable } from '../model.ts';
import type { CreateEntryArgs } from '../schemas.ts';
import { type EntryOwnerArgs, resolveEntryOwner } from './resolve-entry-owner.ts';

/** Arguments before validation: the blocks are validated against the schema of the owner, which is read from the database. */
export interface UnvalidatedCreateEntryArgs {
  businessId: string;
  input: { blocks?: readonly unknown[] | null | undefined } & EntryOwnerArgs;
}

const defaultLocale = 'en';

export const createEntry = (
  ctx: Context,
  request: UnvalidatedCreateEntryArgs,
  accept: InputParser<CreateEntryArgs>,
): Promise<Entry> =>
  runIdempotentEntryCreation(ctx, 'createEntry', request, (queries) =>
    validateAndInsertEntry(ctx, queries, request, accept),
  );

/** Must run inside `runIdempotentEntryCreation`. */
export async function validateAndInsertEntry(
  ctx: Context,
  queries: QueryHandle,
  request: UnvalidatedCreateEntryArgs,
  accept: InputParser<CreateEntryArgs>,
): Promise<Entry> {
  // The transaction holds the key-share locks of referenced media files until the entry is inserted.
  return JSON.stringify(request.input.blocks ?? []).includes('"mediaId"')
    ? queries.transaction(validateAndInsert)
    : validateAndInsert(queries);

  async function validateAndInsert(tx: QueryHandle): Promise<Entry> {
    const entry = await buildEntry(ctx, tx, request, accept);
    await insertEntry(ctx, tx, entry);
    return entry;
  }
}

/** Runs `work` once per idempotency key; `request` is the request that the key is bound to. */
export async function runIdempotentEntryCreation(
  ctx: Context,
  operation: string,
  request: { businessId: string },
  work: (queries: QueryHandle) => Promise<Entry>,
): Promise<Entry> {
  try {
    return await runIdempotent(
      ctx,
      operation,
      request,
      createQuotaCheckedInsert(ctx, 'entries', request.businessId, work),
    );
  } catch (error) {
    // The collection was deleted between reading it and the insert.
    if (classifyDbError(error)?.kind === 'foreignKey') throw validationErrorFrom([collectionNotFound]);
    throw error;
  }
}

const collectionNotFound: ErrorDetail = {
  field: 'collectionId',
  error: 'COLLECTION_NOT_FOUND',
  message: 'The business has no such collection.',
};

async function buildEntry(
  ctx: Context,
  queries: QueryHandle,
  request: UnvalidatedCreateEntryArgs,
  accept: InputParser<CreateEntryArgs>,
): Promise<Entry> {
  const { businessId } = request;
  const resolvedOwner = await resolveEntryOwner(queries, businessId, request.input);
  const owner = resolvedOwner ?? {
    owner: '',
    schema: [],
    issues: [
      {
        field: 'collectionId',
        error: 'REQUIRED',
        message: 'An owner is required: set collectionId, ownedBy or owner.',
      },
    ],
  };
  const { blocks, issues } =
    owner.issues.length > 0
      ? { blocks: [], issues: [] }
      : validateBlocksCollectingIssues(
          owner.schema,
          (request.input.blocks as UnvalidatedBlock[] | undefined)?.map(toStoredBlock) ?? [],
        );
  const targetIssues = await findMissingRelationshipTargetErrors(queries, businessId, blocks);
  const mediaIssues = await fillMediaReferences(ctx, queries, businessId, findBlockMediaReferences(blocks));
  const { input } = accept([...owner.issues, ...issues, ...targetIssues, ...mediaIssues]);
  const time = now();
  const requestedStatuses = toStatusChanges(input);
  return {
    id: newId(),
    businessId,
    owner: owner.owner,
    locale: input.locale ?? defaultLocale,
    blocks,
    statuses: appendStatusChanges(
      [],
      requestedStatuses.length > 0 ? requestedStatuses : [{ status: 'DRAFT' }],
      createStatusHistoryEntryBuilder(ctx.viewer),
    ),
    version: 1,
    createdAt: time,
    updatedAt: time,
  };
}

const insertEntry = (ctx: Context, queries: QueryHandle, entry: Entry) =>
  runStatementAndEmitWebhookEvents(ctx, queries, {
    statement: `${entryTable.insert} returning id`,
    params: requireRecordWithinSizeLimit(entryTable.insertParams(entry)),
    businessId: entry.businessId,
    events: [buildEntryEvent('entry.created', entry)],
  });
