/** Creates a DRAFT copy of an entry, validated like any new entry. */
import type { Context } from '../../../context.ts';
import { notFoundError } from '../../../errors.ts';
import { parseInput } from '../../../lib/validation/input.ts';
import type { Entry } from '../model.ts';
import { createEntrySchema } from '../schemas.ts';
import { copyBlocksWithFreeSlug } from '../slugs/copy-blocks-with-free-slug.ts';
import { runIdempotentEntryCreation, validateAndInsertEntry } from './create-entry.ts';
import { lockEntry } from './lock-entry.ts';

/** The slug of the copy gets, in every locale, a suffix that makes it unique in the business. */
export const duplicateEntry = (ctx: Context, ref: { businessId: string; id: string }): Promise<Entry> =>
  runIdempotentEntryCreation(ctx, 'duplicateEntry', ref, async (queries) => {
    const { businessId, id } = ref;
    const entry = await lockEntry(queries, businessId, id);
    if (!entry) throw notFoundError('Entry');
    const blocks = await copyBlocksWithFreeSlug(queries, entry);
    const request = { businessId, input: { owner: entry.owner, locale: entry.locale, blocks } };
    return validateAndInsertEntry(ctx, queries, request, (issues) =>
      parseInput(createEntrySchema, request, issues),
    );
  });
