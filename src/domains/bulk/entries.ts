/** Entries as lines: found by id, and otherwise new. */
import { isId } from '../../lib/ids.ts';
import { parse } from '../../lib/input.ts';
import { createEntryCheck, updateEntryCheck } from '../entries/checks.ts';
import { createEntry, type SentEntry } from '../entries/create-entry.ts';
import { entryFilterCheck } from '../entries/find-checks.ts';
import { findEntry } from '../entries/find-entry.ts';
import { listEntries } from '../entries/list-entries.ts';
import type { Entry } from '../entries/model.ts';
import { updateEntry } from '../entries/update-entry.ts';
import { type Fields, pageOfLines, type Resource } from './resource.ts';

export const entries: Resource = {
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
    pageOfLines(listEntries(ctx, entryFilterCheck.parse({ businessId, collectionId, ...args })), lineOf),
  async apply({ ctx, reading, fields: { id, ...fields } }, { businessId, collectionId }) {
    const known =
      typeof id === 'string' && isId(id) ? await findEntry(reading, { businessId, id }) : undefined;
    if (known) {
      const sent = { businessId, id: known.id, input: fields };
      // Its shape first: the schema of its collection is asked only about what has one.
      parse(updateEntryCheck, sent);
      return updateEntry(ctx, sent as SentEntry & { id: string }, (found) =>
        parse(updateEntryCheck, sent, found),
      );
    }
    const isOwned = fields.owner !== undefined || fields.collectionId !== undefined;
    const sent = { businessId, input: isOwned ? fields : { ...fields, collectionId } };
    parse(createEntryCheck, sent);
    return createEntry(ctx, sent as SentEntry, (found) => parse(createEntryCheck, sent, found));
  },
};

const lineOf = ({ statuses, businessId: _business, version: _version, ...entry }: Entry): Fields => ({
  ...entry,
  status: statuses.at(-1)?.status,
});
