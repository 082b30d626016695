/** Import and export of entries. An import updates the entry with the id of the line, or creates a new one. */
import { isId } from '../../../lib/ids.ts';
import { parseInput } from '../../../lib/validation/input.ts';
import type { Entry } from '../../entries/model.ts';
import { listEntriesSchema } from '../../entries/read/filter-schemas.ts';
import { findEntry } from '../../entries/read/find-entry.ts';
import { listEntries } from '../../entries/read/list-entries.ts';
import { createEntrySchema, updateEntrySchema } from '../../entries/schemas.ts';
import { createEntry, type UnvalidatedEntry } from '../../entries/write/create-entry.ts';
import { updateEntry } from '../../entries/write/update-entry.ts';
import { type RecordFields, type ResourceHandler, toRecordFieldsPage } from './resource-handler.ts';

export const entryResourceHandler: ResourceHandler = {
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
    toRecordFieldsPage(
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
      return updateEntry(ctx, args as UnvalidatedEntry & { id: string }, (errors) =>
        parseInput(updateEntrySchema, args, errors),
      );
    }
    const hasOwner = fields.owner !== undefined || fields.collectionId !== undefined;
    const args = { businessId, input: hasOwner ? fields : { ...fields, collectionId } };
    parseInput(createEntrySchema, args);
    return createEntry(ctx, args as UnvalidatedEntry, (errors) =>
      parseInput(createEntrySchema, args, errors),
    );
  },
};

const toFields = ({ statuses, businessId: _business, version: _version, ...entry }: Entry): RecordFields => ({
  ...entry,
  status: statuses.at(-1)?.status,
});
