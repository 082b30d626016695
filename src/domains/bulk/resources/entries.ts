/** Import and export of entries. An import updates the entry with the id of the line, or creates a new one. */
import { isId } from '../../../lib/ids.ts';
import { parseInput } from '../../../lib/validation/input.ts';
import type { Entry } from '../../entries/model.ts';
import { listEntriesSchema } from '../../entries/read/filter-schemas.ts';
import { findEntry } from '../../entries/read/find-entry.ts';
import { listEntries } from '../../entries/read/list-entries.ts';
import { createEntrySchema, updateEntrySchema } from '../../entries/schemas.ts';
import { createEntry, type UnvalidatedCreateEntryArgs } from '../../entries/write/create-entry.ts';
import { updateEntry } from '../../entries/write/update-entry.ts';
import { type BulkRecordFields, type BulkResourceHandler, toBulkRecordPage } from './resource-handler.ts';

export const entryBulkHandler: BulkResourceHandler = {
  columns: {
    id: 'text',
    owner: 'text',
    collectionId: 'text',
    locale: 'text',
    status: 'text',
    blocks: 'json',
    createdAt: 'exportOnly',
    updatedAt: 'exportOnly',
  },
  page: (ctx, { businessId, collectionId }, args) =>
    toBulkRecordPage(
      listEntries(ctx, listEntriesSchema.parse({ businessId, collectionId, ...args })),
      toFields,
    ),
  async apply({ ctx, readCtx, fields: { id, ...fields } }, { businessId, collectionId }) {
    const existingEntry =
      typeof id === 'string' && isId(id) ? await findEntry(readCtx, { businessId, id }) : undefined;
    if (existingEntry) {
      const args = { businessId, id: existingEntry.id, input: fields };
      // Validates the shape first: the collection schema is applied only to well-formed entries.
      parseInput(updateEntrySchema, args);
      return updateEntry(ctx, args as UnvalidatedCreateEntryArgs & { id: string }, (errors) =>
        parseInput(updateEntrySchema, args, errors),
      );
    }
    const hasOwner = fields.owner !== undefined || fields.collectionId !== undefined;
    const args = { businessId, input: hasOwner ? fields : { ...fields, collectionId } };
    parseInput(createEntrySchema, args);
    return createEntry(ctx, args as UnvalidatedCreateEntryArgs, (errors) =>
      parseInput(createEntrySchema, args, errors),
    );
  },
};

const toFields = ({
  statuses,
  businessId: _business,
  version: _version,
  ...entry
}: Entry): BulkRecordFields => ({ ...entry, status: statuses.at(-1)?.status });
