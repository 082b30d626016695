/** Makes a draft that begins as a copy of an entry, by the checks of every new entry. */
import type { Context } from '../../../context.ts';
import { notFoundError } from '../../../errors.ts';
import { parseInput } from '../../../lib/validation/input.ts';
import type { Entry } from '../model.ts';
import { lockEntry } from '../read/find-entry.ts';
import { createEntrySchema } from '../schemas.ts';
import { copyBlocksWithFreeSlug } from '../slugs/copy-slug.ts';
import { createEntryIdempotently, insertNewEntry } from './create-entry.ts';

/** Its slug, in every locale, gets an end that no other entry of the business has. */
export const duplicateEntry = (
  ctx: Context,
  { businessId, id }: { businessId: string; id: string },
): Promise<Entry> =>
  createEntryIdempotently(ctx, 'duplicateEntry', { businessId, id }, async (queries) => {
    const entry = await lockEntry(queries, businessId, id);
    if (!entry) throw notFoundError('Entry');
    const blocks = await copyBlocksWithFreeSlug(queries, entry);
    const sent = { businessId, input: { owner: entry.owner, locale: entry.locale, blocks } };
    return insertNewEntry(ctx, queries, sent, (found) => parseInput(createEntrySchema, sent, found));
  });
