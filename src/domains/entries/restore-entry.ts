/** Makes a new version of an entry with the content of an old one, by the checks of every change. */
import type { Context } from '../../context.ts';
import { notFound } from '../../errors.ts';
import { parse } from '../../lib/input.ts';
import { type RestoreEntry, updateEntryCheck } from './checks.ts';
import { lockEntry } from './find-entry.ts';
import { versionAt } from './find-version.ts';
import type { Entry } from './model.ts';
import { updateEntry } from './update-entry.ts';

/** Blocks and locale; whether it is public, and what owns it, stays as it is. */
export async function restoreEntry(
  ctx: Context,
  { businessId, id, from, version }: RestoreEntry,
): Promise<Entry> {
  const entry = await lockEntry(ctx.db, businessId, id);
  if (!entry) throw notFound('Entry');
  const { locale, blocks } = await versionAt(ctx.db, entry, from);
  const sent = { businessId, id: entry.id, version, input: { locale, blocks } };
  return updateEntry(ctx, sent, (found) => parse(updateEntryCheck, sent, found));
}
