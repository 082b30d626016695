/** Restores an earlier version of an entry as a new version, validated like any update. */
import type { Context } from '../../../context.ts';
import { notFoundError } from '../../../errors.ts';
import { parseInput } from '../../../lib/validation/input.ts';
import type { Entry } from '../model.ts';
import { type RestoreEntryVersionArgs, updateEntrySchema } from '../schemas.ts';
import { lockEntry } from '../write/lock-entry.ts';
import { updateEntry } from '../write/update-entry.ts';
import { loadEntryAtVersion } from './load-entry-at-version.ts';

/** Restores blocks and locale. Status and owner do not change. */
export async function restoreEntryVersion(
  ctx: Context,
  { businessId, id, from, version }: RestoreEntryVersionArgs,
): Promise<Entry> {
  const entry = await lockEntry(ctx.db, businessId, id);
  if (!entry) throw notFoundError('Entry');
  const { locale, blocks } = await loadEntryAtVersion(ctx.db, entry, from);
  const request = { businessId, id: entry.id, version, input: { locale, blocks } };
  return updateEntry(ctx, request, (issues) => parseInput(updateEntrySchema, request, issues));
}
