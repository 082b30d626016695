/** Compares two versions of an entry. */
import type { Context } from '../../context.ts';
import { notFound } from '../../errors.ts';
import type { CompareVersions } from './checks.ts';
import { type Difference, differences } from './difference.ts';
import { findEntry } from './find-entry.ts';
import { versionAt } from './find-version.ts';

export interface Comparison {
  from: number;
  to: number;
  differences: Difference[];
}

export async function compareVersions(ctx: Context, asked: CompareVersions): Promise<Comparison> {
  const entry = await findEntry(ctx, asked);
  if (!entry) throw notFound('Entry');
  const { from, to = entry.version } = asked;
  const before = await versionAt(ctx.db, entry, from);
  const after = await versionAt(ctx.db, entry, to);
  return { from, to, differences: differences(before, after) };
}
