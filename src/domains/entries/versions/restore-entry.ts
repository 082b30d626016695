/** Makes a new version of an entry with the content of an old one, by the checks of every change. */
import type { Context } from '../../../context.ts';
import { notFoundError } from '../../../errors.ts';
import { parseInput } from '../../../lib/validation/input.ts';
import type { Entry } from '../model.ts';
import { lockEntry } from '../read/find-entry.ts';
import { type RestoreEntryArgs, updateEntrySchema } from '../schemas.ts';
import { updateEntry } from '../write/update-entry.ts';
import { requireVersionAt } from './find-version.ts';

/** Blocks and locale; whether it is public, and what owns it, stays as it is. */
export async function restoreEntry(
  ctx: Context,
  { businessId, id, from, version }: RestoreEntryArgs,
): Promise<Entry> {
  const entry = await lockEntry(ctx.db, businessId, id);
  if (!entry) throw notFoundError('Entry');
  const { locale, blocks } = await requireVersionAt(ctx.db, entry, from);
  const sent = { businessId, id: entry.id, version, input: { locale, blocks } };
  return updateEntry(ctx, sent, (found) => parseInput(updateEntrySchema, sent, found));
}
