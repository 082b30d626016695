/** Entries as lines: found by id, and otherwise new. */
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
    createdAt: 'onlyTold',
    updatedAt: 'onlyTold',
  },
  page: (ctx, { businessId, collectionId }, args) =>
    toRecordFieldsPage(
      listEntries(ctx, listEntriesSchema.parse({ businessId, collectionId, ...args })),
      lineOf,
    ),
  async apply({ ctx, readCtx: reading, fields: { id, ...fields } }, { businessId, collectionId }) {
    const known =
      typeof id === 'string' && isId(id) ? await findEntry(reading, { businessId, id }) : undefined;
    if (known) {
      const sent = { businessId, id: known.id, input: fields };
      // Its shape first: the schema of its collection is asked only about what has one.
      parseInput(updateEntrySchema, sent);
      return updateEntry(ctx, sent as UnvalidatedEntry & { id: string }, (found) =>
        parseInput(updateEntrySchema, sent, found),
      );
    }
    const isOwned = fields.owner !== undefined || fields.collectionId !== undefined;
    const sent = { businessId, input: isOwned ? fields : { ...fields, collectionId } };
    parseInput(createEntrySchema, sent);
    return createEntry(ctx, sent as UnvalidatedEntry, (found) => parseInput(createEntrySchema, sent, found));
  },
};

const lineOf = ({ statuses, businessId: _business, version: _version, ...entry }: Entry): RecordFields => ({
  ...entry,
  status: statuses.at(-1)?.status,
});
