/** Compares two versions of an entry. */
import type { Context } from '../../../context.ts';
import { notFoundError } from '../../../errors.ts';
import { findEntry } from '../read/find-entry.ts';
import type { CompareVersionsArgs } from '../schemas.ts';
import { diffVersions, type VersionDifference } from './diff-versions.ts';
import { requireVersionAt } from './require-version-at.ts';

export interface VersionComparison {
  from: number;
  to: number;
  differences: VersionDifference[];
}

export async function compareEntryVersions(
  ctx: Context,
  args: CompareVersionsArgs,
): Promise<VersionComparison> {
  const entry = await findEntry(ctx, args);
  if (!entry) throw notFoundError('Entry');
  const { from, to = entry.version } = args;
  const before = await requireVersionAt(ctx.db, entry, from);
  const after = await requireVersionAt(ctx.db, entry, to);
  return { from, to, differences: diffVersions(before, after) };
}
