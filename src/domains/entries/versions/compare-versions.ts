/** Compares two versions of an entry. */
import type { Context } from '../../../context.ts';
import { notFoundError } from '../../../errors.ts';
import { findEntry } from '../read/find-entry.ts';
import type { CompareEntryVersionsArgs } from '../schemas.ts';
import { diffEntryVersions, type EntryVersionDifference } from './diff-versions.ts';
import { loadEntryAtVersion } from './load-entry-at-version.ts';

export interface EntryVersionComparison {
  from: number;
  to: number;
  differences: EntryVersionDifference[];
}

export async function compareEntryVersions(
  ctx: Context,
  args: CompareEntryVersionsArgs,
): Promise<EntryVersionComparison> {
  const entry = await findEntry(ctx, args);
  if (!entry) throw notFoundError('Entry');
  const { from, to = entry.version } = args;
  const before = await loadEntryAtVersion(ctx.db, entry, from);
  const after = await loadEntryAtVersion(ctx.db, entry, to);
  return { from, to, differences: diffEntryVersions(before, after) };
}
