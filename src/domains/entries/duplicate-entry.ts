/** Makes a draft that begins as a copy of an entry, by the checks of every new entry. */
import type { Context } from '../../context.ts';
import { notFound } from '../../errors.ts';
import { parse } from '../../lib/input.ts';
import { createEntryCheck } from './checks.ts';
import { freeCopy } from './copied-slug.ts';
import { creating, makeEntry } from './create-entry.ts';
import { lockEntry } from './find-entry.ts';
import type { Entry } from './model.ts';

/** Its slug, in every locale, gets an end that no other entry of the business has. */
export const duplicateEntry = (
  ctx: Context,
  { businessId, id }: { businessId: string; id: string },
): Promise<Entry> =>
  creating(ctx, 'duplicateEntry', { businessId, id }, async (queries) => {
    const entry = await lockEntry(queries, businessId, id);
    if (!entry) throw notFound('Entry');
    const blocks = await freeCopy(queries, entry);
    const sent = { businessId, input: { owner: entry.owner, locale: entry.locale, blocks } };
    return makeEntry(ctx, queries, sent, (found) => parse(createEntryCheck, sent, found));
  });
